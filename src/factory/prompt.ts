import { joinedLines } from './lines.ts';

/** The shortest and the longest prompt in characters, after cleaning. */
export const promptLimits = { least: 3, most: 2000 } as const;

/** A prompt made fit to work with: composed letters, one line, no control characters. */
export function cleanPrompt(raw: string): string {
  return joinedLines(raw.normalize('NFC'))
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
