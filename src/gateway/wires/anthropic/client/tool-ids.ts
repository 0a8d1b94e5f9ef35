/** What the id of a call begins with that was given in another alphabet. */
const prefix = 'toolu_sy1_';

/**
 * The id of a call for clients of this wire, whose ids are letters, digits, `_` and `-`. One that has other characters is
 * encoded, so that its vendor gets it back as it gave it.
 */
export function clientId(id: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(id) && !id.startsWith(prefix)) return id;
  return prefix + Buffer.from(id).toString('base64url');
}

/** The id that the vendor gave. */
export function originalId(id: string): string {
  return id.startsWith(prefix) ? Buffer.from(id.slice(prefix.length), 'base64url').toString() : id;
}
