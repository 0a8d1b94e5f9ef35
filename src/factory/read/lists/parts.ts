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

/** Prepositions that tie a noun to the one before it. */
const genitives = new Set("of von vom de del di du des do da dos das d'".split(' '));

/** Without the phrase that belongs to the whole behind the last item: `Done for my dissertation`. */
export function withoutAdjunct(
  parts: [number, number][],
  { tokens, lexicon }: ListContext,
): [number, number][] {
  const [from, to] = parts.at(-1) ?? [0, 0];
  const links = range(from + 1, to).filter(
    (index) => tokens[index]?.pos === 'preposition' && !genitives.has(tokens[index]?.lower ?? ''),
  );
  const [cut] = links;
  const isAdjunct = links.some((at) => lexicon.closed.get(tokens[at + 1]?.lower ?? '') === 'determiner');
  const barred = tokens[from - 1]?.text === '|';
  return cut === undefined || !isAdjunct || barred || parts.length < 2
    ? parts
    : [...parts.slice(0, -1), [from, cut]];
}
