/**
 * The keys that we make: `sw_live_<public id>_<secret>_<checksum>`. The public id (12 characters) names the key in
 * logs and lists; the secret (32 characters, 190 bits) is never kept in clear. The checksum is the CRC-32 of
 * everything before its underscore as 6 base62 characters: it finds every single wrong character and every swap of
 * neighbours without asking a store, and lets scanners tell a leaked key from a look-alike.
 */
import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from '../../lib/base62.ts';

const prefix = 'sw_live_';
const format = /^(?<body>sw_live_(?<id>[0-9A-Za-z]{12})_[0-9A-Za-z]{32,128})_(?<checksum>[0-9A-Za-z]{6})$/;

export interface GeneratedKey {
  /** Not secret. */
  readonly id: string;
  /** The whole key, to be shown once. */
  readonly text: string;
}

/** Makes a key from the system's secure random source. */
export function generateKey(): GeneratedKey {
  const id = randomBase62(12);
  const body = `${prefix}${id}_${randomBase62(32)}`;
  return { id, text: `${body}_${checksumOf(body)}` };
}

/** The public id in a well-formed key; null for anything else, a mistyped key included. Says nothing of its validity. */
export function parseKey(text: string): { readonly id: string } | null {
  const { body = '', id = '', checksum = '' } = format.exec(text)?.groups ?? {};
  return id !== '' && checksumOf(body) === checksum ? { id } : null;
}

/** Whether the text claims to be a key that we made, and can thus be refused when `parseKey` does. */
export function looksGenerated(text: string): boolean {
  return text.startsWith(prefix);
}

function checksumOf(body: string): string {
  return toBase62(crc32(body), 6);
}
