import { createHmac, type KeyObject, randomInt } from 'node:crypto';

/** A token for a session or a link: 43 characters, 256 bits, to be kept by its holder alone. */
export function newToken(): string {
  return randomBase62(43);
}

/** The stored digest of a token: HMAC-SHA-256, hexadecimal. The purpose keeps digests of different kinds apart. */
export function digestOfToken(
  token: string,
  purpose: 'session' | 'link' | 'csrf' | 'password' | 'client',
  secret: KeyObject,
): string {
  return createHmac('sha256', secret).update(`${purpose}\0${token}`).digest('hex');
}

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
