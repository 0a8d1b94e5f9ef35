import type { List, ListItem, Stretch, Token } from '../draft.ts';
import type { Lexicon } from '../lexicon.ts';
import { anyOf, isWithin, spanFrom } from '../spans.ts';
import { closing, depthsOf, type ListContext, opening, type Zone, zonesOf } from './zones.ts';

const maxItemTokens = 14;

const opens = (token: Token | undefined) =>
  opening.has(token?.text ?? '') || /^["“„«'‘¿¡#@+]$/.test(token?.text ?? '');

const closes = (token: Token | undefined) =>
  closing.has(token?.text ?? '') || /^["”“»'’%€$£?!+]$/.test(token?.text ?? '');

const maxItems = 100;

/** The coordinations of a prompt: what stands behind a colon, or behind a word such as “with” or “columns”. */
export function listsOf(context: ListContext): List[] {
  const depths = depthsOf(context);
  return zonesOf(context, depths).flatMap((zone) => listIn(zone, context, depths) ?? []);
}

function listIn(zone: Zone, context: ListContext, depths: readonly number[]): List | null {
  const parts = withoutAdjunct(partsOf(zone, context, depths), context);
  const items = parts.slice(0, maxItems).flatMap(([from, to]) => itemOf(from, to, context) ?? []);
  // “Recipes with difficulty (easy, hard)”: one that has choices is listed.
  const { data, fields } = context.lexicon;
  const isChoice = data.with.includes(zone.intro) && items.some(({ options }) => options.length > 1);
  const least = isChoice || fields.has(zone.intro) ? 1 : 2;
  return items.length < least ? null : { intro: zone.intro, items, ...spanFrom(context, zone.from, zone.to) };
}

function itemOf(from: number, to: number, context: ListContext): ListItem | null {
  const { prompt, tokens, lexicon, facts } = context;
  const isEdge = (token: Token | undefined, belongs: typeof opens) =>
    token?.pos === 'mark' && !belongs(token);
  let first = from;
  while (first < to && (isEdge(tokens[first], opens) || lexicon.joiners.has(tokens[first]?.lower ?? '')))
    first += 1;
  let last = to;
  while (last > first && isEdge(tokens[last - 1], closes)) last -= 1;
  if (first >= last || last - first > maxItemTokens * 2) return null;
  const { start, end } = spanFrom(context, first, last);
  const within = <Found extends Stretch>(found: readonly Found[]) =>
    found.find((span) => isWithin(span, [{ start, end }])) ?? null;
  const price = within(facts.prices);
  const time = within(facts.times);
  const open = tokens.slice(first, last).find(opens);
  const bodyEnd = open && open.start > start ? open.start : end;
  let text = prompt.slice(start, bodyEnd);
  // “Status: open, done”: choices behind the colon of an item.
  const [label = '', choices = ''] = open ? [] : text.split(/\s?: (.+)/s);
  if (label !== '' && choices !== '') text = label;
  const inside = open && open.start > start ? prompt.slice(open.end, end) : label === '' ? '' : choices;
  const options = inside === '' ? [] : optionsIn(inside, lexicon);
  for (const fact of [price, time]) {
    if (fact && fact.end <= bodyEnd) text = text.replace(fact.text, ' ');
  }
  text = trimmedEdges(text);
  if (text === '' || text.split(' ').length > maxItemTokens) return null;
  return { text, start, end, options, price, time, asked: tokens[last]?.text === '?' };
}

/** Without quotation marks, and without the marks at its ends. */
const trimmedEdges = (text: string): string =>
  text
    .replace(/["“”„«»]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[\s,;:–-]+|[\s,;:=–-]+$/g, '');

/** Choices: between marks, and at the “or” of the last two. */
function optionsIn(inside: string, { joiners }: Lexicon): string[] {
  const or = `(?:${anyOf([...joiners])})\\s`;
  return inside
    .replace(/[)\]}].*$/s, '')
    .split(new RegExp(`\\s*[,;/|]\\s*(?:${or})?|\\s${or}(?!.*[,;/|])`, 'iu'))
    .map((part) => part.replace(/["“”„«»]/g, '').trim())
    .filter((part) => part !== '')
    .slice(0, 24);
}

type Part = readonly [from: number, to: number];

/** The items of a zone as stretches of tokens: between commas, and at “and” or “or” in the last of them. */
function partsOf({ from, to }: Zone, { tokens, lexicon }: ListContext, depths: readonly number[]): Part[] {
  const { yesNo, joiners } = lexicon;
  const at = (isCut: (word: string) => boolean, start = from) =>
    tokens.slice(start, to).flatMap(({ lower }, offset) => {
      const index = start + offset;
      const isApart = depths[index] === 0 && !yesNo.at(tokens, index) && !yesNo.at(tokens, index - 1);
      return isApart && isCut(lower) ? [index] : [];
    });
  const semicolons = at((word) => word === ';');
  // Between semicolons a comma stands within an item.
  const strong = semicolons.length > 1 ? semicolons : at((word) => /^[,;]$/.test(word));
  const commas = strong.length > 0 ? strong : at((word) => /^(?:[/|•·]|=>)$/.test(word));
  const joined = at((word) => joiners.has(word), (commas.at(-1) ?? from - 1) + 1);
  const cuts = [...commas, ...joined].toSorted((a, b) => a - b);
  return [...cuts, to].map((cut, index): Part => [index === 0 ? from : (cuts[index - 1] ?? 0) + 1, cut]);
}

/** Prepositions that tie a noun to the one before it. */
const genitives = new Set("of von vom de del di du des do da dos das d'".split(' '));

/** Without the phrase that belongs to the whole behind the last item: `Done for my dissertation`. */
function withoutAdjunct(parts: Part[], { tokens, lexicon }: ListContext): Part[] {
  const [from, to] = parts.at(-1) ?? [0, 0];
  const isLink = ({ pos, lower }: Token, index: number) =>
    index > from && index < to && pos === 'preposition' && !genitives.has(lower);
  const links = tokens.flatMap((token, index) => (isLink(token, index) ? [index] : []));
  const isAdjunct = links.some((at) => lexicon.closed.get(tokens[at + 1]?.lower ?? '') === 'determiner');
  return isAdjunct && parts.length > 1 ? [...parts.slice(0, -1), [from, links[0] ?? to]] : parts;
}
