import type { Facts, List, ListItem, Quantity, Span, Token } from './draft.ts';
import type { Lexicon } from './lexicon.ts';

/** A stretch of tokens, from one to before the other, in which items may stand side by side. */
interface Zone {
  readonly intro: string;
  readonly from: number;
  to: number;
}

const maxItemTokens = 14;
const maxItems = 100;

/** What the items of a list are read with. */
export interface ListContext {
  readonly prompt: string;
  readonly tokens: readonly Token[];
  readonly lexicon: Lexicon;
  /** Tokens within quotation marks, where a comma separates nothing. */
  readonly quoted: ReadonlySet<number>;
  readonly facts: Facts;
  readonly quantities: readonly Quantity[];
}

/** The coordinations of a prompt: what stands behind a colon, or behind a word such as “with” or “columns”. */
export function listsOf(context: ListContext): List[] {
  const depths = depthsOf(context);
  return zonesOf(context, depths).flatMap((zone) => listIn(zone, context, depths) ?? []);
}

const opening = new Set(['(', '[', '{']);
const closing = new Set([')', ']', '}']);

/** How deep in parentheses each token stands; quoted text counts as such. */
function depthsOf({ tokens, quoted }: ListContext): number[] {
  let depth = 0;
  return tokens.map(({ text }, index) => {
    if (opening.has(text)) depth += 1;
    const here = depth + (quoted.has(index) ? 1 : 0);
    if (closing.has(text)) depth = Math.max(0, depth - 1);
    return here;
  });
}

/** Whether a full stop ends a sentence: not behind an abbreviation or before a small letter or digit. */
export function endsSentence(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (!token) return true;
  if (/^[!?…]$/.test(token.text)) return tokens[index + 1]?.text !== ',';
  if (token.text !== '.') return false;
  const next = tokens[index + 1];
  const before = tokens[index - 1];
  const glued = next !== undefined && next.start === token.end;
  if (glued) return false;
  return !(
    next &&
    before &&
    /^\d/.test(next.text) &&
    before.text.length <= 9 &&
    /^\p{L}/u.test(before.text) &&
    next.start - token.end < 2 &&
    /str$|^(?:av|nr|no|tel|st|rd|ca)$/i.test(before.text)
  );
}

function zonesOf(context: ListContext, depths: readonly number[]): Zone[] {
  const { tokens, lexicon } = context;
  const zones: Zone[] = [];
  let zone: Zone = { intro: '', from: 0, to: 0 };
  let commas = 0;
  let leading = true;
  const begin = (intro: string, from: number) => {
    if (zone.to > zone.from && (!leading || isBare(zone, context, depths))) zones.push(zone);
    zone = { intro, from, to: from };
    commas = 0;
    leading = false;
  };
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token) break;
    if ((depths[index] ?? 0) > 0) {
      zone.to = index + 1;
      continue;
    }
    if (endsSentence(tokens, index)) {
      const asked = token.text === '?';
      begin('', index + 1);
      leading = !asked;
      continue;
    }
    const intro = introAt(context, index, commas);
    if (intro) {
      begin(intro.lemma, index + intro.length);
      index += intro.length - 1;
      continue;
    }
    if (token.text === ',' || token.text === ';') commas += 1;
    zone.to = index + 1;
  }
  begin('', tokens.length);
  return zones.map((found) => stopped(found, context, depths, lexicon));
}

const maxBareTokens = 4;

/** A later sentence that is nothing but short things side by side. */
function isBare(zone: Zone, context: ListContext, depths: readonly number[]): boolean {
  if (zone.from === 0) return false;
  const parts = partsOf(zone, context, depths);
  const plain = (index: number) => !['pronoun', 'verb'].includes(context.tokens[index]?.pos ?? '');
  return (
    parts.length > 2 &&
    parts.every(([from, to]) => to - from <= maxBareTokens && range(from, to).every(plain))
  );
}

/** A colon, a dash with spaces, or a word that introduces a list. */
function introAt(
  { prompt, tokens, lexicon }: ListContext,
  index: number,
  commas: number,
): { readonly lemma: string; readonly length: number } | null {
  const token = tokens[index];
  if (!token) return null;
  const next = tokens[index + 1];
  const dash = /^[-–—=]$/.test(token.text) && prompt[token.start - 1] === ' ' && prompt[token.end] === ' ';
  if ((token.text === ':' && next?.start !== token.end) || (dash && commas === 0 && token.text !== '=')) {
    const before = tokens
      .slice(Math.max(0, index - 3), index)
      .findLast(({ pos }) => pos === 'noun' || pos === 'name');
    return { lemma: before?.lemma ?? '', length: 1 };
  }
  if (token.text === ':' && next && !/^\d/.test(next.text))
    return { lemma: tokens[index - 1]?.lemma ?? '', length: 1 };
  const by = lexicon.with.at(tokens, index);
  if (commas > 0 && !(by && tokens[index - 1]?.text === ',')) return null;
  if (by) {
    const skip = tokens[index + by.length]?.pos === 'determiner' ? 1 : 0;
    const noun = tokens[index + by.length + skip];
    const fields = lexicon.fields.at(tokens, index + by.length + skip);
    const follows = tokens[index + by.length + skip + 1];
    if (fields && noun && follows && (follows.text === ':' || follows.pos !== 'mark'))
      return { lemma: noun.lemma, length: by.length + skip + 1 + (follows.text === ':' ? 1 : 0) };
    return { lemma: token.lower, length: by.length };
  }
  const named = lexicon.fields.at(tokens, index) ?? lexicon.entries.at(tokens, index);
  if (!named || !next || next.pos === 'mark' || next.pos === 'preposition' || next.pos === 'verb')
    return null;
  if (next.pos === 'conjunction' || next.pos === 'pronoun') return null;
  return /s$|[ei]n?$|i$/.test(token.lower) ? { lemma: token.lemma, length: 1 } : null;
}

/** A zone without the clause that follows its items: “… and notes so the treasurer can see”. */
function stopped(
  zone: Zone,
  { tokens }: ListContext,
  depths: readonly number[],
  { stops, joiners }: Lexicon,
): Zone {
  for (let index = zone.from + 1; index < zone.to; index += 1) {
    if ((depths[index] ?? 0) > 0 || !stops.at(tokens, index)) continue;
    const before = tokens[index - 1];
    const fresh = before?.text === ',' || before?.text === ';' || joiners.has(before?.lower ?? '');
    // “the species that we see, the place, …” goes on.
    const goesOn = tokens
      .slice(index, zone.to)
      .some(({ text }, offset) => text === ',' && depths[index + offset] === 0);
    const clause = tokens[index]?.pos === 'conjunction' && !goesOn;
    if (fresh || clause) return { ...zone, to: fresh ? index - 1 : index };
  }
  return zone;
}

function listIn(zone: Zone, context: ListContext, depths: readonly number[]): List | null {
  const { tokens, lexicon, prompt } = context;
  const parts = withoutAdjunct(partsOf(zone, context, depths), context);
  const items = parts.slice(0, maxItems).flatMap(([from, to]) => itemOf(from, to, context) ?? []);
  const least = lexicon.fields.has(zone.intro) ? 1 : 2;
  const start = tokens[zone.from]?.start;
  const end = tokens[zone.to - 1]?.end;
  if (items.length < least || start === undefined || end === undefined) return null;
  return { intro: zone.intro, items, start, end, text: prompt.slice(start, end) };
}

/**
 * Without the phrase that belongs to the whole behind the last item: `Done for my dissertation`. Its preposition has an
 * article or a possessive behind it, and no item before has one.
 */
function withoutAdjunct(parts: [number, number][], { tokens, lexicon }: ListContext): [number, number][] {
  const last = parts.at(-1);
  const isLink = (index: number) =>
    tokens[index]?.pos === 'preposition' && !genitives.has(tokens[index]?.lower ?? '');
  const linked = ([from, to]: [number, number]) => range(from + 1, to).filter(isLink);
  if (!last || parts.length < 2 || parts.slice(0, -1).some((part) => linked(part).length > 0)) return parts;
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
  const strong = at(new Set(marks.slice(0, 2)), zone.from, zone.to);
  const commas = strong.length > 0 ? strong : at(new Set(marks), zone.from, zone.to);
  const last = (commas.at(-1) ?? zone.from - 1) + 1;
  const joined = at(lexicon.joiners, last, zone.to);
  const cuts = [...commas, ...joined, zone.to];
  let from = zone.from;
  return cuts.map((cut) => {
    const part: [number, number] = [from, cut];
    from = cut + 1;
    return part;
  });
}

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);

function itemOf(from: number, to: number, context: ListContext): ListItem | null {
  const { prompt, tokens, lexicon, facts, quantities } = context;
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
  const options = open && open.start > start ? optionsIn(prompt.slice(open.end, end), lexicon) : [];
  for (const fact of [price, time]) {
    if (fact && fact.end <= bodyEnd) text = text.replace(fact.text, ' ');
  }
  text = trimmedEdges(text, lexicon);
  if (text === '' || text.split(' ').length > maxItemTokens) return null;
  return { text, start, end, options, price, time, quantity: within(quantities) };
}

const opens = (token: Token | undefined) =>
  opening.has(token?.text ?? '') || /^["“„«'‘¿¡#@+]$/.test(token?.text ?? '');
const closes = (token: Token | undefined) =>
  closing.has(token?.text ?? '') || /^["”“»'’%€$£?!+]$/.test(token?.text ?? '');

/** Without quotation marks, and without the prepositions and marks that stood beside a price or time. */
function trimmedEdges(text: string, { data }: Lexicon): string {
  const clean = text
    .replace(/["“”„«»]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[\s,;:–-]+/, '')
    .replace(/[\s,;:=–-]+$/, '');
  const words = clean.split(' ');
  while (
    words.length > 1 &&
    [...data.clock, ...data.range, ...data.and].includes((words.at(-1) ?? '').toLowerCase()) &&
    words.at(-1) !== 'h'
  ) {
    if (clean === text.trim()) break;
    words.pop();
  }
  return words.join(' ');
}

function optionsIn(inside: string, { joiners }: Lexicon): string[] {
  const parts = inside
    .replace(/[)\]}].*$/s, '')
    .split(/\s*[,;/|]\s*/)
    .flatMap((part, index, all) => (index === all.length - 1 ? splitAtJoiner(part, joiners) : [part]))
    .map((part) => part.replace(/["“”„«»]/g, '').trim())
    .filter((part) => part !== '');
  return parts.slice(0, 24);
}

function splitAtJoiner(part: string, joiners: ReadonlySet<string>): string[] {
  const words = part.split(' ');
  const at = words.findIndex((word, index) => index > 0 && joiners.has(word.toLowerCase()));
  if (at > 0) return [words.slice(0, at).join(' '), words.slice(at + 1).join(' ')];
  const [first = '', ...rest] = words;
  return joiners.has(first.toLowerCase()) ? [rest.join(' ')] : [part];
}
