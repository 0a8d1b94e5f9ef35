import type { Compose, Draft } from '../../read/draft.ts';
import { named, wordPhrase } from '../../read/parts/naming.ts';
import { maxCards, ownCards, type Table, tableFor } from '../../read/parts/questions.ts';
import { countOf, firstSaid, says } from '../../read/parts/words.ts';
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
  readonly fewer: string;
  readonly vocabulary: readonly Vocabulary[];
  readonly tables: readonly Table[];
}

/** The pairs that the prompt lists; else ready cards on its subject; else none. */
export const compose: Compose<Content> = (draft, content) => {
  const learnt = firstSaid(draft.tokens, content.vocabulary);
  const own = ownCards(draft);
  const cards = own.questions.length > 0 ? own.questions : ready(draft, content, learnt);
  const wanted = countOf(draft, content.countWords, 1, maxCards);
  const shown = cards.slice(0, wanted?.value ?? 40);
  return {
    spec: {
      name: named(
        draft.subject || !learnt ? draft : { ...draft, subject: wordPhrase(wordOf(draft, learnt)) },
        content.named,
        content.name,
      ),
      tagline: content.tagline,
      questions: shown,
      features: ['csv', 'undo', 'print', 'dark'],
    },
    taken: [...own.spans.slice(0, shown.length), ...(wanted?.value === shown.length ? [wanted.span] : [])],
    assumptions: [
      ...(cards.length === 0 ? [content.none] : []),
      ...(wanted !== null && shown.length > 0 && shown.length < wanted.value ? [content.fewer] : []),
    ],
  };
};

/** The language that is learnt, in the word of the prompt. */
const wordOf = ({ tokens }: Draft, { words }: Vocabulary): string =>
  words.find((word) => says(tokens, [word])) ?? '';

function ready(draft: Draft, { tables }: Content, learnt: Vocabulary | null): readonly Question[] {
  const table = tableFor(draft, tables);
  const rows = table?.rows ?? learnt?.pairs.map(({ front, back }) => ({ asked: front, answer: back })) ?? [];
  return rows.map(({ asked, answer }) => ({ prompt: asked, answer, wrong: [] }));
}
