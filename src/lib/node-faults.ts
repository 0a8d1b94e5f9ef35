/**
 * What is known to be wrong with a Node.js that the server may run on.
 *
 * CVE-2026-111497, of Node.js's security release of 21 October 2026: its decoder of Brotli writes out of bounds, which whoever sends
 * a body in `br`, or answers with one, can make it do by node:zlib. Fixed in 22.23.4, 24.22.1 and 26.12.1. Lines 20, 21, 23 and 25
 * get nothing more, and later lines began after it.
 */
const brotliFixes: ReadonlyMap<number, readonly [minor: number, patch: number]> = new Map([
  [22, [23, 4]],
  [24, [22, 1]],
  [26, [12, 1]],
]);
const firstLineAfter = 27;

/** Whether Brotli can be decoded. A version that cannot be read, and what came out ahead of a fixed one, is not believed. */
export function brotliIsSafe(version: string): boolean {
  const [, major, minor, patch, ahead] = /^v?(\d+)\.(\d+)\.(\d+)(-.+)?$/.exec(version) ?? [];
  if (Number(major) >= firstLineAfter) return true;
  const fix = brotliFixes.get(Number(major));
  if (fix === undefined) return false;
  if (Number(minor) !== fix[0]) return Number(minor) > fix[0];
  return Number(patch) > fix[1] || (Number(patch) === fix[1] && ahead === undefined);
}

/** Of the Node.js that runs this. */
export const brotliIsSafeHere = brotliIsSafe(process.versions.node);

/** What is wrong with a Node.js, and what to do; null: nothing that is known. */
export function nodeFault(version: string): { readonly message: string; readonly advice: string } | null {
  if (brotliIsSafe(version)) return null;
  return {
    message: `Node.js ${version} is open to CVE-2026-111497, a fault in its decoder of Brotli; the server takes no bodies and no answers in "br" meanwhile.`,
    advice: 'Run it on Node.js 26.12.1 or later, or on 24.22.1 or later of line 24.',
  };
}
