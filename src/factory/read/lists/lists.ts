import type { List, ListItem, Span, Token } from '../draft.ts';
import { anyOf } from '../facts/patterns.ts';
import type { Lexicon } from '../lexicon.ts';
import { closing, depthsOf, type ListContext, opening, range, type Zone } from './zone.ts';
import { zonesOf } from './zones.ts';

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

function itemOf(from: number, to: number, context: ListContext): ListItem | null {
  const { prompt, tokens, lexicon, facts } = context;
  let first = from;
  while (
    first < to &&
    ((tokens[first]?.pos === 'mark' && !opens(tokens[first])) ||
      lexicon.joiners.has(tokens[first]?.lower ?? ''))
  )
    first += 1;
  let last = to;
  while (last > first && tokens[last - 1]?.pos === 'mark' && !closes(tokens[last - 1])) last -= 1;
  const start = tokens[first]?.start;
  const end = tokens[last - 1]?.end;
  if (first >= last || last - first > maxItemTokens * 2 || start === undefined || end === undefined)
    return null;
  const within = <Found extends Span>(found: readonly Found[]) =>
    found.find((span) => span.start >= start && span.end <= end) ?? null;
  const price = within(facts.prices);
  const time = within(facts.times);
  const open = tokens.slice(first, last).find(opens);
  const bodyEnd = open && open.start > start ? open.start : end;
  let text = prompt.slice(start, bodyEnd);
  // “Status: open, done”: choices behind the colon of an item.
  const [label = '', told = ''] = open ? [] : text.split(/\s?: (.+)/s);
  if (label !== '' && told !== '') text = label;
  const inside = open && open.start > start ? prompt.slice(open.end, end) : label === '' ? '' : told;
  const options = inside === '' ? [] : optionsIn(inside, lexicon);
  for (const fact of [price, time]) {
    if (fact && fact.end <= bodyEnd) text = text.replace(fact.text, ' ');
  }
  text = trimmedEdges(text);
  if (text === '' || text.split(' ').length > maxItemTokens) return null;
  return { text, start, end, options, price, time };
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

/** The items of a zone as stretches of tokens: between commas, and at “and” or “or” in the last of them. */
function partsOf(
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

/** Prepositions that tie a noun to the one before it. */
const genitives = new Set("of von vom de del di du des do da dos das d'".split(' '));

/** Without the phrase that belongs to the whole behind the last item: `Done for my dissertation`. */
function withoutAdjunct(parts: [number, number][], { tokens, lexicon }: ListContext): [number, number][] {
  const [from, to] = parts.at(-1) ?? [0, 0];
  const links = range(from + 1, to).filter(
    (index) => tokens[index]?.pos === 'preposition' && !genitives.has(tokens[index]?.lower ?? ''),
  );
  const isAdjunct = links.some((at) => lexicon.closed.get(tokens[at + 1]?.lower ?? '') === 'determiner');
  return isAdjunct && parts.length > 1 ? [...parts.slice(0, -1), [from, links[0] ?? to]] : parts;
}
