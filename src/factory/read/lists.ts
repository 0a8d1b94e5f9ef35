import type { List } from './draft.ts';
import { withChoices, withOpened } from './lists/choices.ts';
import { isLook } from './lists/extras.ts';
import { itemOf } from './lists/items.ts';
import { partsOf, withoutAdjunct } from './lists/parts.ts';
import { depthsOf, type ListContext, type Zone } from './lists/zone.ts';
import { zonesOf } from './lists/zones.ts';

const maxItems = 100;

/** The coordinations of a prompt: what stands behind a colon, or behind a word such as “with” or “columns”. */
export function listsOf(context: ListContext): List[] {
  const depths = withChoices(withOpened(depthsOf(context), context), context);
  return zonesOf(context, depths).flatMap((zone) => listIn(zone, context, depths) ?? []);
}

function listIn(zone: Zone, context: ListContext, depths: readonly number[]): List | null {
  const { tokens, lexicon, prompt } = context;
  const told = withoutAdjunct(partsOf(zone, context, depths), context);
  const parts: [number, number][] = zone.lead ? [[...zone.lead], ...told] : told;
  const things = parts.filter(([from, to]) => !isLook(tokens.slice(from, to), lexicon));
  const items = things.slice(0, maxItems).flatMap(([from, to]) => itemOf(from, to, context) ?? []);
  const least = lexicon.fields.has(zone.intro) ? 1 : 2;
  const start = tokens[zone.from]?.start;
  const end = tokens[zone.to - 1]?.end;
  if (items.length < least || start === undefined || end === undefined) return null;
  return {
    intro: zone.intro,
    items,
    ...(zone.adds ? { adds: true } : {}),
    start,
    end,
    text: prompt.slice(start, end),
  };
}
