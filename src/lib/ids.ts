import { randomBytes, randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const pool = Buffer.alloc(16 * 256);
let offset = pool.length;

/** 26 characters of Crockford's base 32 in lower case, 130 random bits: nobody guesses it. */
export function unguessable(): string {
  const bytes = randomBytes(26);
  return Array.from(bytes, (byte) => alphabet[byte % 32])
    .join('')
    .toLowerCase();
}

/**
 * A ULID: 26 characters of Crockford's base 32, 48 bits of milliseconds and 80 random bits, so that ids sort by the
 * time they were made in (https://github.com/ulid/spec).
 */
export function ulid(now: number = Date.now()): string {
  if (offset === pool.length) {
    randomFillSync(pool);
    offset = 0;
  }
  let time = '';
  for (let rest = now, n = 0; n < 10; n += 1, rest = Math.floor(rest / 32)) time = alphabet[rest % 32] + time;
  let random = '';
  for (let n = 0; n < 16; n += 1) random += alphabet[(pool[offset + n] ?? 0) % 32];
  offset += 16;
  return time + random;
}
