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

const minBare = 2;

/** The choices with strokes between them that end a label: `condition new/used`. Without a label they may be anything. */
export function alternativesIn(
  tokens: readonly Token[],
  { measures }: Lexicon,
): { readonly head: readonly Token[]; readonly options: readonly string[] } {
  const none = { head: tokens, options: [] };
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
