import type { Compose, Draft } from '../../read/draft.ts';
import { named, wordPhrase } from '../../read/parts/naming.ts';
import { ownCards, type Table, tableFor, wantedCount } from '../../read/parts/questions.ts';
import { firstSaid, says } from '../../read/parts/words.ts';
import type { Question } from '../../spec.ts';

/** Everyday words of a language that is learnt, and what they mean in the language of the app. */
interface Vocabulary {
  readonly words: readonly string[];
  readonly pairs: readonly { readonly front: string; readonly back: string }[];
}

interface Content {
  readonly name: string;
  readonly named: string;
  readonly tagline: string;
  readonly countWords: readonly string[];
  readonly none: string;
  /** Said of cards of which nobody gave the back. */
  readonly open: string;
  readonly vocabulary: readonly Vocabulary[];
  readonly tables: readonly Table[];
}

const unknown = '?';

/** The cards that the prompt lists, translated where that is known; else ready ones on its subject; else none. */
export const compose: Compose<Content> = (draft, content) => {
  const learnt = firstSaid(draft.tokens, content.vocabulary);
  const own = ownCards(draft, (front) => translated(front, learnt) ?? unknown);
  const cards = own.length > 0 ? own : ready(draft, content, learnt);
  const wanted = wantedCount(draft, content.countWords);
  return {
    spec: {
      name: named(
        draft.subject || !learnt ? draft : { ...draft, subject: wordPhrase(wordOf(draft, learnt)) },
        content.named,
        content.name,
      ),
      tagline: content.tagline,
      questions: cards.slice(0, wanted ?? 40),
      features: ['csv', 'undo', 'print', 'dark'],
    },
    assumptions: [
      ...(cards.length === 0 ? [content.none] : []),
      ...(own.some(({ answer }) => answer === unknown) ? [content.open] : []),
    ],
  };
};

/** The language that is learnt, in the word of the prompt. */
const wordOf = ({ tokens }: Draft, { words }: Vocabulary): string =>
  words.find((word) => says(tokens, [word])) ?? '';

/** What a word means on the other side of the vocabulary, in either direction. */
function translated(word: string, learnt: Vocabulary | null): string | null {
  const plain = word.toLowerCase();
  for (const { front, back } of learnt?.pairs ?? []) {
    if (front.toLowerCase() === plain) return back;
    if (back.toLowerCase() === plain) return front;
  }
  return null;
}

function ready(draft: Draft, { tables }: Content, learnt: Vocabulary | null): readonly Question[] {
  const table = tableFor(draft, tables);
  const rows = table?.rows ?? learnt?.pairs.map(({ front, back }) => ({ asked: front, answer: back })) ?? [];
  return rows.map(({ asked, answer }) => ({ prompt: asked, answer, wrong: [] }));
}
