import type { List } from './draft.ts';
import { itemOf } from './lists/items.ts';
import { partsOf, withoutAdjunct } from './lists/parts.ts';
import { depthsOf, type ListContext, type Zone } from './lists/zone.ts';
import { zonesOf } from './lists/zones.ts';

const maxItems = 100;

/** The coordinations of a prompt: what stands behind a colon, or behind a word such as “with” or “columns”. */
export function listsOf(context: ListContext): List[] {
  const depths = depthsOf(context);
  return zonesOf(context, depths).flatMap((zone) => listIn(zone, context, depths) ?? []);
}

function listIn(zone: Zone, context: ListContext, depths: readonly number[]): List | null {
  const { tokens, lexicon, prompt } = context;
  const parts = withoutAdjunct(partsOf(zone, context, depths), context);
  const items = parts.slice(0, maxItems).flatMap(([from, to]) => itemOf(from, to, context) ?? []);
  const least = lexicon.fields.has(zone.intro) ? 1 : 2;
  const start = tokens[zone.from]?.start;
  const end = tokens[zone.to - 1]?.end;
  if (items.length < least || start === undefined || end === undefined) return null;
  return {
    intro: zone.intro,
    items,
    start,
    end,
    text: prompt.slice(start, end),
  };
}
