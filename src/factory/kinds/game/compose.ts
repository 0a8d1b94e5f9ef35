import type { Compose, Draft, Span } from '../../read/draft.ts';
import { allLists, wholeItem } from '../../read/parts/lists.ts';
import { countOf } from '../../read/parts/words.ts';

interface Content {
  readonly names: Readonly<Record<string, string>>;
  readonly tagline: string;
  readonly pairs: readonly string[];
  /** Of these a game of memory has two for each pair. */
  readonly cards: readonly string[];
}

/** The numbers of pairs that fill a rectangle. */
const boards = [6, 8, 10, 12, 18] as const;

/** The game that is named; how many pairs where it is memory, and which words are typed. */
export const compose: Compose<Content> = (draft, { names, tagline, pairs, cards }) => {
  const variant = draft.variant || 'snake';
  const wanted = variant === 'memory' ? pairsIn(draft, pairs, cards) : null;
  const size = boards.find((one) => one >= (wanted?.pairs ?? 0)) ?? 18;
  return {
    spec: {
      variant,
      name: [names[variant] ?? '', wanted?.board ?? ''].filter(Boolean).join(' '),
      tagline,
      settings: {
        ...(wanted === null ? {} : { pairs: size }),
        ...(variant === 'typing' ? secondsIn(draft) : {}),
      },
      ...(variant === 'typing' ? { choices: wordsIn(draft) } : {}),
    },
    assumptions: [],
    taken: wanted && size === wanted.pairs ? [wanted.span] : [],
  };
};

/** `8 pairs`, `24 cards` and `6x4`. */
function pairsIn(
  draft: Draft,
  pairs: readonly string[],
  cards: readonly string[],
): { readonly pairs: number; readonly span: Span; readonly board?: string } | null {
  const stated = countOf(draft, pairs);
  if (stated) return { pairs: stated.value, span: stated.span };
  const board = /(?<!\d)(\d{1,2})\s?[x×]\s?(\d{1,2})(?!\d)/i.exec(draft.prompt);
  if (board) {
    const span = { start: board.index, end: board.index + board[0].length, text: board[0] };
    return { pairs: Math.ceil((Number(board[1]) * Number(board[2])) / 2), span, board: board[0] };
  }
  const all = countOf(draft, cards);
  return all && { pairs: Math.ceil(all.value / 2), span: all.span };
}

/** How long a round of typing is, in seconds. */
function secondsIn({ quantities }: Draft): { seconds?: number } {
  const time = quantities.find(({ unit }) => unit === 'second' || unit === 'minute');
  return time ? { seconds: Math.min(300, Math.max(15, time.value * (time.unit === 'minute' ? 60 : 1))) } : {};
}

/** The words or sentences that the prompt gives to be typed. */
function wordsIn(draft: Draft): string[] {
  const listed = allLists(draft).flatMap(({ items }) => items.map((item) => wholeItem(draft, item)));
  const words = listed.length > 1 ? listed : draft.quoted.map(({ text }) => text);
  return [...new Set(words.map((text) => text.slice(0, 80)))].slice(0, 100);
}
