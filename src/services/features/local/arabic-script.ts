import type { Detected } from './detected.ts';

/** Letters of the Arabic script that Arabic lacks. */
const persian = /[پچژگکی]/u;
const urdu = /[ٹڈڑںےہھۓ]/u;

/** Languages that are told from Arabic by such letters; each needs one of its own, which a sentence hardly goes without. */
const needed: Readonly<Record<string, RegExp>> = { fa: persian, ku: persian, ur: urdu };

/** What was detected, without the languages whose letters the text lacks: few words in common make them look alike. */
export function byArabicLetters(text: string, detected: Detected): Detected {
  if (!/\p{Script=Arabic}/u.test(text)) return detected;
  const candidates = detected.candidates.filter(({ language }) => needed[language]?.test(text) ?? true);
  const best = candidates[0]?.language ?? detected.language;
  if (best === detected.language) return { ...detected, candidates };
  return { language: best, reliable: false, candidates };
}
