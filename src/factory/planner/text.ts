import { createHash } from 'node:crypto';
import { type Lang, langs } from '../spec.ts';

/** Cuts between words where it can, and never through a letter made of two code units. */
export function shortened(text: string, max: number): string {
  const letters = [...text];
  if (letters.length <= max) return text;
  const cut = letters.slice(0, max).join('');
  const space = cut.lastIndexOf(' ');
  return (space > max / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.–-]+$/u, '');
}

export function capitalised(text: string, lang: Lang): string {
  // “pH” is written so.
  if (/^\p{Ll}\p{Lu}/u.test(text)) return text;
  const [first = '', ...rest] = [...text];
  return first.toLocaleUpperCase(lang) + rest.join('');
}

/** One of four texts separated by `|`. */
export function inLang(texts: string, lang: Lang): string {
  const all = texts.split('|');
  return all[langs.indexOf(lang)] ?? all[0] ?? '';
}

/** A number that is always the same for the same text; `salt` gives independent ones. */
export function hashOf(text: string, salt = ''): number {
  return createHash('sha256').update(`${salt}\0${text}`).digest().readUInt32BE(0);
}
