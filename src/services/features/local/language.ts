import { eld } from 'eld/extrasmall';

/** Letters of the Arabic script that Arabic lacks. */
const persian = /[پچژگکی]/u;

const urdu = /[ٹڈڑںےہھۓ]/u;

/** Languages that differ from Arabic by such letters; each needs one of its own, which a sentence rarely lacks. */
const needed: Readonly<Record<string, RegExp>> = { fa: persian, ku: persian, ur: urdu };

// Addresses and numbers are of no language.
eld.enableTextCleanup(true);

/** From the first letter to the last. */
const letters = /\p{L}(?:.*\p{L})?/su;
/** A word in a script that many languages share: it alone is not enough to distinguish them. */
const sharedWord = /^[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Devanagari}\p{M}'’-]*$/u;

const maxCandidates = 5;

/** The library looks at the first 1,000 characters and at no more. */
export function detectLanguage(text: string): Detected {
  const beginning = text.trimStart().slice(0, 4000).replaceAll(/\s+/g, ' ');
  const result = eld.detect(beginning);
  const candidates = Object.entries(result.getScores())
    .map(([language, score]) => ({ language, score: Math.min(1, Math.round(score * 100) / 100) }))
    .sort((one, other) => other.score - one.score);
  const detected = byArabicLetters(beginning, {
    language: result.language === '' ? null : result.language,
    reliable: result.isReliable() && !sharedWord.test(letters.exec(beginning)?.[0] ?? ''),
    candidates,
  });
  return { ...detected, candidates: detected.candidates.slice(0, maxCandidates) };
}

const names = new Intl.DisplayNames(['en'], { type: 'language' });

export function languageName(code: string): string {
  return names.of(code) ?? code;
}

/** The detected languages, without those whose letters the text lacks: few words in common make them look alike. */
function byArabicLetters(text: string, detected: Detected): Detected {
  if (!/\p{Script=Arabic}/u.test(text)) return detected;
  const candidates = detected.candidates.filter(({ language }) => needed[language]?.test(text) ?? true);
  const best = candidates[0]?.language ?? detected.language;
  if (best === detected.language) return { ...detected, candidates };
  return { language: best, reliable: false, candidates };
}

/** The likely languages of a text. */
interface Detected {
  /** ISO 639-1; null when it cannot be detected. */
  readonly language: string | null;
  readonly reliable: boolean;
  readonly candidates: readonly { readonly language: string; readonly score: number }[];
}
