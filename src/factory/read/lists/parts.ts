import { clauseAt } from '../clauses.ts';
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
        : zone.asks
          ? []
          : at(new Set(marks), zone.from, zone.to);
  if (zone.asks && commas.length === 0)
    return dictated(zone, { tokens, lexicon }, at(lexicon.and, zone.from, zone.to), depths);
  const last = (commas.at(-1) ?? zone.from - 1) + 1;
  const joined = at(lexicon.joiners, last, zone.to).filter((cut, index, all) => {
    // “Whether it is cash or card” is one item.
    const begin = (all[index - 1] ?? last - 1) + 1;
    return lexicon.and.has(tokens[cut]?.lower ?? '') || clauseAt(tokens, begin, lexicon)?.sort !== 'whether';
  });
  const asked = at(lexicon.joiners, zone.from, last).filter((cut) => clauseAt(tokens, cut + 1, lexicon));
  const cuts = [...[...commas, ...(nested ? [] : asked), ...joined].toSorted((a, b) => a - b), zone.to];
  let from = zone.from;
  return cuts.map((cut) => {
    const part: [number, number] = [from, cut];
    from = cut + 1;
    return part;
  });
}

/**
 * The items of a sentence without commas: at each “and”, before each question word, and before each article that stands
 * behind a noun.
 */
function dictated(
  zone: Zone,
  { tokens, lexicon }: Pick<ListContext, 'tokens' | 'lexicon'>,
  joined: readonly number[],
  depths: readonly number[],
): [number, number][] {
  const parts: [number, number][] = [];
  let from = zone.from;
  // “Whether they gave back the key”: what follows the verb is its object.
  const isObject = (index: number) => {
    const clause = clauseAt(tokens, from, lexicon);
    return clause?.sort === 'whether' && index - 1 === clause.body;
  };
  const startsThing = (index: number, before: Token | undefined, token: Token | undefined) =>
    isArticle(token, lexicon) &&
    (before?.pos === 'noun' || (before?.pos === 'pronoun' && token?.pos === 'determiner')) &&
    !isObject(index) &&
    !lexicon.which.has(token?.lower ?? '');
  for (let index = zone.from + 1; index < zone.to; index += 1) {
    if ((depths[index] ?? 0) > 0) continue;
    const [before, token] = [tokens[index - 1], tokens[index]];
    const joins = joined.includes(index);
    const fresh =
      !joins &&
      index > from &&
      (startsThing(index, before, token) ||
        (asksAnew(tokens, index, lexicon) && !asksAnew(tokens, index - 1, lexicon)));
    if (!joins && !fresh) continue;
    if (index > from) parts.push([from, index]);
    from = joins ? index + 1 : index;
  }
  return from < zone.to ? [...parts, [from, zone.to]] : parts;
}

/** A question word that begins a question within a sentence, and is no relative pronoun there. */
export const asksAnew = (tokens: readonly Token[], index: number, lexicon: Lexicon): boolean => {
  const clause = clauseAt(tokens, index, lexicon);
  if (!clause) return false;
  const word = tokens[clause.body - 1];
  // “It went out when …”: the preposition belongs to the verb.
  if (tokens[index]?.pos === 'preposition') return clause.sort === 'which' || word?.pos === 'pronoun';
  return clause.sort === 'which' ? word?.pos === 'determiner' : clause.sort !== 'whether';
};

/** “Le jour ou il revient”: without its accent “where” looks like “or”, but no item is a pronoun. */
export const isRelative = (tokens: readonly Token[], index: number, { data }: Lexicon): boolean =>
  data.or.includes(tokens[index]?.lower ?? '') && tokens[index + 1]?.pos === 'pronoun';

/** The Portuguese “a” is an article, too. */
const isArticle = (token: Token | undefined, { data }: Lexicon) =>
  [data.determiners, data.possessives].some((words) => words.includes(token?.lower ?? ''));

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
const genitives = new Set([
  'of',
  'von',
  'vom',
  'de',
  'del',
  'di',
  'du',
  'des',
  'do',
  'da',
  'dos',
  'das',
  'dei',
  'degli',
  'delle',
  'della',
  "dell'",
  "d'",
]);
