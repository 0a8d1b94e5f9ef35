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
        !lexicon.yesNo.at(tokens, index - 1),
    );
  const semicolons = at(new Set([';']), zone.from, zone.to);
  const strong = at(new Set([',', ';']), zone.from, zone.to);
  // Between semicolons a comma stands within an item.
  const [commas = []] = [
    semicolons.length > 1 ? semicolons : strong,
    at(new Set(marks), zone.from, zone.to),
  ].filter((cuts) => cuts.length > 0);
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
