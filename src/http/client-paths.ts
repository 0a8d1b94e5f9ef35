/**
 * Clients disagree on where an interface begins: some add `/v1` to a base address that has it, some are given a base address with
 * the vendor's name in it. What stands behind that is the same path for all.
 */
const vendors: readonly (readonly [prefix: string, version: string])[] = [
  ['/openai', '/v1/'],
  ['/anthropic', '/v1/'],
  ['/gemini', '/v1beta/'],
];

/** The path that a request means: without `/openai`, `/anthropic` or `/gemini` in front, and with `/v1` once. */
export function meantPath(path: string): string {
  let meant = path;
  for (const [prefix, version] of vendors) {
    if (meant.startsWith(prefix + version)) meant = meant.slice(prefix.length);
  }
  return meant.startsWith('/v1/v1/') ? meant.slice('/v1'.length) : meant;
}
