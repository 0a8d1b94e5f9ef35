/** Splits at commas, semicolons and “and”, but not inside brackets. */
export function splitList(text: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const char = text[at];
    if (char === '(' || char === '[') depth++;
    if (char === ')' || char === ']') depth--;
    if (at === text.length || (depth <= 0 && (char === ',' || char === ';'))) {
      items.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return items
    .flatMap((item) => splitAnd(item))
    .map((item) =>
      item
        .trim()
        .replace(/^(?:and|und|y|e|et|&|plus|sowie|also|or|oder|o|ou)\s+/iu, '')
        .replace(/[.!]+$/u, '')
        .trim(),
    )
    .filter((item) => item !== '');
}

function splitAnd(item: string): string[] {
  return item.includes('(')
    ? bracketAnd(item)
    : item.split(/\s+(?:and|und|y|et|&|sowie|plus|as well as|or|oder|ou)\s+/iu);
}

/** “name and status (open, done)” is two items; what stands in the brackets stays together. */
function bracketAnd(item: string): string[] {
  const at = item.indexOf('(');
  const close = item.indexOf(')', at);
  const end = close < 0 ? item.length : close + 1;
  const parts = splitAnd(item.slice(0, at));
  const last = parts.pop() ?? '';
  return [...parts, last + item.slice(at, end), ...splitAnd(item.slice(end))];
}

const end =
  '(?=[.!?](?:\\s|$)|$|\\s(?:called|named|namens|llamad[ao]|appelée?|in (?:dark |light )?(?:blue|green|red|orange|purple|pink|teal|yellow))\\s)';
const labelled =
  /(?<!\p{L})(?:fields?|columns?|felder|spalten|campos|champs|colonnes|columnas|attributes|properties|lanes|stages)(?:\s*(?:are|sind|son|sont|for))?\s*:?\s+(.+?)/iu;
const listed =
  /(?<!\p{L})(?:with|mit|con|avec|including|having|has|have|tracks|containing|each with|inklusive|storing|showing|incluyendo|muestra|comprenant|enthält)\s+(?:(?:the|its|their|den|die|los|las|les|following|folgenden|fields?|columns?|feldern?|spalten|campos|columnas|champs|colonnes)\s*:?\s+)*(.+?)/iu;

/** The text of a list after a word such as “fields:”, or else after “with”. Most to least explicit. */
export function listTexts(prompt: string): {
  readonly explicit: string | null;
  readonly loose: readonly string[];
} {
  const explicit = new RegExp(labelled.source + end, 'iu').exec(prompt)?.[1] ?? null;
  const afterColon = /:\s+([^:]+?)[.!]?$/u.exec(prompt)?.[1];
  const loose = [...prompt.matchAll(new RegExp(listed.source + end, 'giu'))].map((match) => match[1] ?? '');
  if (afterColon?.includes(',')) loose.unshift(afterColon);
  return { explicit, loose };
}
