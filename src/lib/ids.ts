import { randomBytes, randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codes = Buffer.from(alphabet);
/** The ids that are made next, of which the time is still missing. */
const pool = Buffer.alloc(26 * 256);
let offset = pool.length;

/** 26 characters of Crockford's base 32 in lower case: 130 random bits. */
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
    for (let at = 0; at < pool.length; at += 1) pool[at] = codes[(pool[at] as number) % 32] as number;
    offset = 0;
  }
  let rest = now;
  for (let at = offset + 9; at >= offset; at -= 1) {
    pool[at] = codes[rest % 32] as number;
    rest = Math.floor(rest / 32);
  }
  offset += 26;
  return pool.toString('latin1', offset - 26, offset);
}

/** A lower bound of all ULIDs of a moment or of a later one: its time alone. */
export function ulidAt(time: number): string {
  return ulid(Math.max(0, time)).slice(0, 10);
}

let lastTime = -1;
let lastUlid = '';

/** The same, and greater than the one before where that is of the same millisecond, so that a list by id is in the order of making. */
export function ascendingUlid(now: number): string {
  lastUlid = now === lastTime ? successor(lastUlid) : ulid(now);
  lastTime = now;
  return lastUlid;
}

function successor(id: string): string {
  let end = id.length - 1;
  while (end > 10 && id[end] === 'Z') end -= 1;
  const next = alphabet[(alphabet.indexOf(id[end] ?? '0') + 1) % 32] ?? '0';
  return id.slice(0, end) + next + '0'.repeat(id.length - 1 - end);
}
