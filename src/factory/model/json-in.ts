import { isTooDeep } from '../../lib/json.ts';

/** The JSON object or list in a text, whatever stands around it: a fence, words. Null when there is none. */
export function jsonIn(text: string): unknown {
  for (const [opens, closes] of [
    ['{', '}'],
    ['[', ']'],
  ] as const) {
    const start = text.indexOf(opens);
    const end = text.lastIndexOf(closes);
    if (start < 0 || end < start || isTooDeep(text)) continue;
    try {
      return JSON.parse(text.slice(start, end + 1));
    } catch {}
  }
  return null;
}
