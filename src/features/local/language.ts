import { eld } from 'eld/extrasmall';

/** What a text seems to be written in. */
export interface Detected {
  /** ISO 639-1; null when there is nothing to tell it by. */
  readonly language: string | null;
  readonly reliable: boolean;
  readonly candidates: readonly { readonly language: string; readonly score: number }[];
}

// Addresses and numbers are of no language.
eld.enableTextCleanup(true);

/** The library looks at the first 1,000 characters and at no more. */
export function detectLanguage(text: string): Detected {
  const result = eld.detect(text.trimStart().slice(0, 4000).replaceAll(/\s+/g, ' '));
  const candidates = Object.entries(result.getScores())
    .map(([language, score]) => ({ language, score: Math.min(1, Math.round(score * 100) / 100) }))
    .sort((one, other) => other.score - one.score);
  return {
    language: result.language === '' ? null : result.language,
    reliable: result.isReliable(),
    candidates: candidates.slice(0, 5),
  };
}

const names = new Intl.DisplayNames(['en'], { type: 'language' });

export function languageName(code: string): string {
  return names.of(code) ?? code;
}
