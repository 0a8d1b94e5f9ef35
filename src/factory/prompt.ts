import { joinedLines } from './lines.ts';

/** Minimum and maximum length of a prompt in characters, after cleaning. */
export const promptLimits = { min: 3, max: 2000 } as const;

const unseen =
  '\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u2066-\\u206f\\u3000\\ud800-\\udfff\\ufeff\\ufff9-\\ufffb';
/**
 * Whether enough of a prompt can be seen: the pattern of prompts in the contract, and no halves of surrogate pairs, which the
 * regular expressions of other languages cannot name.
 */
export const seen = new RegExp(`^(?:[${unseen}]*[^${unseen}]){${promptLimits.min}}`, 'u');

/** A prompt made fit to work with: composed letters, one line, no control characters. */
export function cleanPrompt(raw: string): string {
  return joinedLines(raw.toWellFormed().normalize('NFC'))
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
