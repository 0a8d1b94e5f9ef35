import type { Draft, Price, Token } from '../../read/draft.ts';
import { capitalised } from '../../read/parts/naming.ts';
import type { SectionItem } from '../../spec.ts';
import { phraseAt, type Segment } from './segments.ts';

export interface LineWords {
  /** Words beside a price that say that it is the price of one. */
  readonly each: readonly string[];
}

/** A line of an invoice: what it is with its price. Its title is empty where the price stands alone; null where the segment has no price. */
export function lineOf({ tokens }: Segment, draft: Draft, { each }: LineWords): SectionItem | null {
  const price = priceIn(tokens, draft);
  if (!price) return null;
  const before = tokens.filter(({ end }) => end <= price.start);
  const after = tokens.filter(({ start }) => start >= price.end);
  const perOne =
    before.some((_, at) => isEach(before, at, each)) || after.some((_, at) => phraseAt(after, at, each));
  const said = trimmedEnd(before.length > 0 ? before : after);
  const [first, ...rest] = said;
  const count = perOne && first && /^\d{1,6}$/.test(first.text) && rest.length > 0 ? first.text : null;
  const title = textOf(count === null ? said : rest, draft);
  return {
    title: capitalised(title, draft.lang).slice(0, 120),
    price: price.shown.slice(0, 40),
    ...(count === null ? {} : { meta: count }),
  };
}

/** Only the words that stand right before the price: the `a` of `6 sillas a 75 €`. */
const isEach = (tokens: readonly Token[], at: number, each: readonly string[]): boolean => {
  const length = phraseAt(tokens, at, each);
  return length !== null && at + length === tokens.length;
};

const priceIn = (tokens: readonly Token[], { facts, lists }: Draft): Price | undefined =>
  [...facts.prices, ...lists.flatMap(({ items }) => items.flatMap(({ price }) => price ?? []))].find(
    ({ start, end }) => tokens.some((token) => token.start >= start && token.end <= end),
  );

/** Without prepositions and marks at the end, and articles at the beginning. */
function trimmedEnd(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.findLastIndex(
    ({ pos }) => pos !== 'preposition' && pos !== 'mark' && pos !== 'determiner',
  );
  const first = tokens.findIndex(
    ({ pos }) => pos !== 'determiner' && pos !== 'preposition' && pos !== 'mark',
  );
  return first < 0 ? [] : tokens.slice(first, last + 1);
}

const textOf = (tokens: readonly Token[], { prompt }: Draft): string =>
  prompt.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0).trim();
