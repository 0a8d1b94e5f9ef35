import { createHmac, type KeyObject } from 'node:crypto';
import { randomBase62 } from '../../lib/base62.ts';

/** A token for a session or a link: 43 characters, 256 bits, to be kept by its holder alone. */
export function newToken(): string {
  return randomBase62(43);
}

/** What is kept of a token: HMAC-SHA-256, hexadecimal. The purpose keeps digests of different kinds apart. */
export function digestOfToken(
  token: string,
  purpose: 'session' | 'link' | 'csrf' | 'password' | 'client',
  secret: KeyObject,
): string {
  return createHmac('sha256', secret).update(`${purpose}\0${token}`).digest('hex');
}
