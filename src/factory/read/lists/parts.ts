import type { Token } from '../draft.ts';
import type { Lexicon } from '../lexicon.ts';
import { type ListContext, range, type Zone } from './zone.ts';

/** The items of a zone as stretches of tokens: between commas, and at “and” or “or” in the last of them. */
export function partsOf(
  zone: Zone,
  { tokens, lexicon }: ListContext,
  depths: readonly number[],
): [number, number][] {
  const marks = [',', ';', '/', '|', '•', '·', '=>'];
  const at = (separators: ReadonlySet<string>, from: number, to: number) =>
    range(from, to).filter(
      (index) =>
        depths[index] === 0 &&
        separators.has(tokens[index]?.lower ?? '') &&
        !lexicon.yesNo.at(tokens, index) &&
        !lexicon.yesNo.at(tokens, index - 1) &&
        !isRelative(tokens, index, lexicon),
    );
  const [semicolons, strong] = [
    at(new Set([';']), zone.from, zone.to),
    at(new Set([',', ';']), zone.from, zone.to),
  ];
  // Between semicolons a comma stands within an item.
  const nested = semicolons.length > 1 && strong.length > semicolons.length;
  const bars = at(new Set(['|', '•', '·']), zone.from, zone.to);
  const commas = nested
    ? semicolons
    : bars.length > 1
      ? bars
      : strong.length > 0
        ? strong
        : at(new Set(marks), zone.from, zone.to);
  const last = (commas.at(-1) ?? zone.from - 1) + 1;
  const joined = at(lexicon.joiners, last, zone.to);
  const cuts = [...[...commas, ...joined].toSorted((a, b) => a - b), zone.to];
  let from = zone.from;
  return cuts.map((cut) => {
    const part: [number, number] = [from, cut];
    from = cut + 1;
    return part;
  });
}

/** “Le jour ou il revient”: without its accent “where” looks like “or”, but no item is a pronoun. */
export const isRelative = (tokens: readonly Token[], index: number, { data }: Lexicon): boolean =>
  data.or.includes(tokens[index]?.lower ?? '') && tokens[index + 1]?.pos === 'pronoun';

/**
 * Without the phrase that belongs to the whole behind the last item: `Done for my dissertation`. Its preposition has an
 * article or a possessive behind it, and no item before has one.
 */
export function withoutAdjunct(
  parts: [number, number][],
  { tokens, lexicon }: ListContext,
): [number, number][] {
  const last = parts.at(-1);
  const isLink = (index: number) =>
    tokens[index]?.pos === 'preposition' && !genitives.has(tokens[index]?.lower ?? '');
  const linked = ([from, to]: [number, number]) => range(from + 1, to).filter(isLink);
  const barred = tokens[(last?.[0] ?? 0) - 1]?.text === '|';
  if (!last || barred || parts.length < 2 || parts.slice(0, -1).some((part) => linked(part).length > 0))
    return parts;
  const links = linked(last);
  const behind = (index: number) => lexicon.closed.get(tokens[index + 1]?.lower ?? '') === 'determiner';
  const [cut] = links;
  return cut !== undefined && links.some(behind) ? [...parts.slice(0, -1), [last[0], cut]] : parts;
}

/** Prepositions that tie a noun to the one before it. */
const genitives = new Set(
  "of von vom de del di du des do da dos das dei degli delle della dell' d'".split(' '),
);
