import type { List, ListItem, Token } from './draft.ts';
import { joinedWords } from './labels.ts';
import type { Lexicon } from './lexicon.ts';

/** Fewer items are a choice as a whole, and none of them is a field. */
const minFields = 3;

/**
 * The items of a list of fields, of which two with “or” between them are one: fields are joined by “and”, so that
 * `name, date, private or business` ends with a choice.
 */
export function joinedByOr({ items, text, start }: List, { data }: Lexicon): readonly ListItem[] {
  if (items.length < minFields) return items;
  const [one, two] = items.slice(-2);
  if (!one || !two || one.options.length > 0 || two.options.length > 0) return items;
  const between = text
    .slice(one.end - start, two.start - start)
    .trim()
    .toLowerCase();
  if (!data.or.includes(between)) return items;
  const words = one.text.split(' ');
  const head = words.length > 1 && !two.text.includes(' ') ? words.slice(0, -1).join(' ') : '';
  const first = head === '' ? one.text : (words.at(-1) ?? one.text);
  const both: ListItem = {
    ...one,
    text: head === '' ? text.slice(one.start - start, two.end - start) : head,
    end: two.end,
    options: [first, two.text],
  };
  return [...items.slice(0, -2), both];
}

/** “Priority low medium high”, “looking or offering”: choices that no mark parts. */
function choicesNamed(
  tokens: readonly Token[],
  { or, types }: Lexicon['data'],
): { readonly head: readonly Token[]; readonly options: readonly string[] } | null {
  const [first, ...rest] = tokens;
  const plain = (token: Token) => isNominal(token.pos);
  if (first && types.select?.includes(first.lower) && rest.length > 1 && rest.every(plain))
    return { head: [first], options: rest.map(({ text }) => text) };
  const at = tokens.findIndex(({ lower }) => or.includes(lower));
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  if (at < 1 || at !== tokens.length - 2 || !before || !after || at > 2) return null;
  return { head: at > 1 ? tokens.slice(0, at - 1) : tokens, options: [before.text, after.text] };
}

const minBare = 2;

/** The choices with strokes between them that end a label: `condition new/used`. Without a label they may be anything. */
export function alternativesIn(
  tokens: readonly Token[],
  { measures, data }: Lexicon,
): { readonly head: readonly Token[]; readonly options: readonly string[] } {
  const none = { head: tokens, options: [] };
  const named = choicesNamed(tokens, data);
  if (named) return named;
  const first = tokens.findIndex(({ text }) => text === '/') - 1;
  const all = first === 0 ? tokens.filter(({ text }) => text === '/').length : 0;
  // `edible / poisonous / unsure` are choices, `date / time` may be two fields.
  if (
    first < 0 ||
    (first === 0 && all < minBare) ||
    tokens.slice(first).some(({ text }, index) => (text === '/') !== (index % 2 === 1))
  )
    return none;
  if ((measures.at(tokens, first)?.length ?? 0) > 1) return none;
  return {
    head: first === 0 ? tokens : tokens.slice(0, first),
    options: joinedWords(tokens.slice(first))
      .split('/')
      .map((option) => option.trim()),
  };
}

/** What a “whether” leaves open: `cash` and `card` of “whether it was cash or card”. */
export function openChoice(tokens: readonly Token[], { data }: Lexicon): readonly string[] {
  const at = tokens.findIndex(({ lower }) => data.or.includes(lower));
  const before = tokens.slice(Math.max(0, at - maxChoice), at);
  const begin = before.findLastIndex(({ pos }) => !isNominal(pos)) + 1;
  const rest = tokens.slice(at + 1).filter(({ pos }, index) => index > 0 || pos !== 'determiner');
  const after = rest.slice(0, maxChoice);
  if (
    at < 1 ||
    begin === before.length ||
    after.length === 0 ||
    !after.every(({ pos }) => isNominal(pos) || pos === 'verb')
  )
    return [];
  return [joinedWords(before.slice(begin)), joinedWords(after)];
}

const maxChoice = 3;
const isNominal = (pos: Token['pos']) =>
  pos === 'noun' || pos === 'adjective' || pos === 'name' || pos === 'number';
