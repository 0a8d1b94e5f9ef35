/** Minimum and maximum length of a piece that counts as repeated when an answer goes on. */
const overlap = { min: 20, max: 2000 } as const;

/**
 * Joins an answer that broke off with its continuation, at the exact place: what the continuation repeats of the end is
 * left out, a mark begins a line of its own, and fences that were opened anew are dropped.
 */
export function joined(before: string, continuation: string): string {
  const after = withoutNewFence(continuation.replaceAll('\r\n', '\n'));
  if (/^\s*={2,}\s*(?:FILE|END)\b/i.test(after))
    return `${before}${before.endsWith('\n') ? '' : '\n'}${after.trimStart()}`;
  return before + after.slice(repeated(before, after));
}

/** How many characters at the start of `after` stand at the end of `before` already. */
function repeated(before: string, after: string): number {
  for (let length = Math.min(overlap.max, before.length, after.length); length >= overlap.min; length--)
    if (before.endsWith(after.slice(0, length))) return length;
  return 0;
}

function withoutNewFence(text: string): string {
  const opened = /^\s*```[\w-]*\n/.exec(text)?.[0];
  return opened === undefined ? text : text.slice(opened.length).replace(/^```[ \t]*(?:\n|$)/m, '');
}
