import { randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random characters, each of the 62 equally likely, from the system's secure source. About 5.95 bits a character. */
export function randomBase62(length: number): string {
  // randomInt draws again where a remainder would favour the first characters.
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

/** A whole number from 0 as base62 of a fixed length, filled with zeros at the front. */
export function toBase62(number: number, length: number): string {
  let rest = number;
  let text = '';
  while (text.length < length) {
    text = alphabet.charAt(rest % alphabet.length) + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
