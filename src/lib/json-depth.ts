/** Whether a JSON value has more than so many levels of objects and lists in each other. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((entry) => isDeeperThan(entry, levels - 1));
}

/**
 * Levels of objects and lists that JSON from elsewhere may have. What goes through a value level by level
 * (`JSON.stringify`, validators) runs out of stack at some thousands; `JSON.parse` does not.
 */
export const deepestJson = 500;

/**
 * Whether a JSON text has more levels than `deepestJson`. To be asked before it is parsed: the value could not be handled
 * safely. Nearly every text is answered by counting its brackets, in strings or not, of which few have that many.
 */
export function isTooDeep(text: string): boolean {
  return count(text, '[') + count(text, '{') > deepestJson && depthOf(text) > deepestJson;
}

/** At most one more than the limit. */
function count(text: string, bracket: string): number {
  let found = 0;
  if (text.length <= deepestJson) return found;
  for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
    found += 1;
    if (found > deepestJson) break;
  }
  return found;
}

const quote = 0x22;
const backslash = 0x5c;
const openingList = 0x5b;
const closingList = 0x5d;
const openingObject = 0x7b;
const closingObject = 0x7d;

/** The maximum number of levels at a time, also of a text that is no JSON. */
function depthOf(text: string): number {
  let deepest = 0;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === openingList || code === openingObject) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === closingList || code === closingObject) depth -= 1;
  }
  return deepest;
}
