import type { Compose, Draft } from '../../read/draft.ts';
import { named, wordPhrase } from '../../read/parts/naming.ts';
import { purposeOf } from '../../read/parts/purpose.ts';
import { othersOf, ownCards, type Table, tableFor, wantedCount } from '../../read/parts/questions.ts';
import { firstSaid, says } from '../../read/parts/words.ts';
import type { Question } from '../../spec.ts';
import { type SumWords, sumsOf } from './sums.ts';

interface Content {
  readonly name: string;
  readonly named: string;
  readonly tagline: string;
  /** What is counted in `20 questions`. */
  readonly countWords: readonly string[];
  readonly none: string;
  readonly fewer: string;
  readonly sums: SumWords;
  readonly topics: readonly { readonly words: readonly string[]; readonly questions: readonly Question[] }[];
  readonly tables: readonly Table[];
}

/** The questions that the prompt has; else ready ones on its subject; else none, which it says. */
export const compose: Compose<Content> = (draft, content) => {
  const wanted = wantedCount(draft, content.countWords);
  const own = ownCards(draft);
  const questions = (
    own.questions.length > 0 ? withWrong(own.questions) : ready(draft, content, wanted?.count ?? 12)
  ).slice(0, wanted?.count ?? 40);
  return {
    spec: {
      name: named(about(draft, content), content.named, content.name),
      tagline: purposeOf(draft) || content.tagline,
      questions,
      features: ['undo', 'dark'],
    },
    taken: [
      ...own.spans.slice(0, questions.length),
      ...(wanted?.count === questions.length ? [wanted.span] : []),
    ],
    assumptions: [
      ...(questions.length === 0 ? [content.none] : []),
      ...(wanted !== null && questions.length > 0 && questions.length < wanted.count ? [content.fewer] : []),
    ],
  };
};

/** A quiz with ten questions is about no questions: its topic is its subject. */
function about(draft: Draft, { topics, countWords }: Content): Draft {
  if (draft.subject && !countWords.includes(draft.subject.head)) return draft;
  const word = topics.flatMap(({ words }) => words).find((one) => says(draft.tokens, [one]));
  return { ...draft, subject: word === undefined ? null : wordPhrase(word) };
}

/** A quiz on nothing in particular asks what everybody may know. */
function ready(draft: Draft, { sums, topics, tables }: Content, count: number): readonly Question[] {
  const table = tableFor(draft, tables);
  if (table)
    return table.rows.slice(0, Math.max(count, 20)).map(({ asked, answer }, index) => ({
      prompt: table.ask.replace('{x}', () => asked),
      answer,
      wrong: othersOf(table.rows, index),
    }));
  const reckoned = sumsOf(draft, sums, count);
  if (reckoned) return reckoned;
  const topic = firstSaid(draft.tokens, topics) ?? (draft.subject ? null : topics.at(-1));
  return topic?.questions ?? [];
}

/** Wrong answers are those that the prompt gives, else the answers of the other questions. */
const withWrong = (questions: readonly Question[]): Question[] => {
  const rows = questions.map(({ prompt, answer }) => ({ asked: prompt, answer }));
  return questions.map((question, index) => ({
    ...question,
    wrong: question.wrong.length > 0 ? question.wrong : othersOf(rows, index),
  }));
};
