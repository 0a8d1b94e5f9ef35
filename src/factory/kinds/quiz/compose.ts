import type { Compose, Draft } from '../../read/draft.ts';
import { named, wordPhrase } from '../../read/parts/naming.ts';
import { maxCards, othersOf, ownCards, type Table, tableFor } from '../../read/parts/questions.ts';
import { countOf, firstSaid, says } from '../../read/parts/words.ts';
import type { Question } from '../../spec.ts';

const operations: readonly Operation[] = ['times', 'plus', 'minus', 'divided'];

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
  const wanted = countOf(draft, content.countWords, 1, maxCards);
  const own = ownCards(draft);
  const questions = (
    own.questions.length > 0 ? withWrong(own.questions) : ready(draft, content, wanted?.value ?? 12)
  ).slice(0, wanted?.value ?? 40);
  return {
    spec: {
      name: named(about(draft, content), content.named, content.name),
      tagline: content.tagline,
      questions,
      features: ['undo', 'dark'],
    },
    taken: [
      ...own.spans.slice(0, questions.length),
      ...(wanted?.value === questions.length ? [wanted.span] : []),
    ],
    assumptions: [
      ...(questions.length === 0 ? [content.none] : []),
      ...(wanted !== null && questions.length > 0 && questions.length < wanted.value ? [content.fewer] : []),
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
    wrong: othersOf(rows, index),
  }));
};

/** Words of the operations, of reckoning in general, and of those who only begin with it. */
type SumWords = Readonly<Record<Operation | 'any' | 'young', readonly string[]>>;

type Operation = 'times' | 'plus' | 'minus' | 'divided';

/** Sums of the operations that the prompt names, always the same ones; null where it speaks of none. */
function sumsOf({ tokens }: Draft, words: SumWords, count: number): Question[] | null {
  const named = operations.filter((operation) => says(tokens, words[operation]));
  if (named.length === 0 && !says(tokens, words.any)) return null;
  const chosen = named.length > 0 ? named : operations.slice(0, 3);
  const most = says(tokens, words.young) ? 10 : 50;
  const questions = new Map<string, Question>();
  for (let index = 0; questions.size < count && index < count * 8; index++) {
    const question = sumOf(chosen[index % chosen.length] ?? 'plus', index, most);
    questions.set(question.prompt, question);
  }
  return [...questions.values()];
}

/** A number from `low` to `high` that looks like chance and is none. */
function pick(index: number, salt: number, low: number, high: number): number {
  const mixed = Math.imul((index + 1) * 2_654_435_761 + salt * 40_503, 2_246_822_519);
  return low + ((((mixed >>> 15) ^ mixed) >>> 0) % (high - low + 1));
}

function sumOf(operation: Operation, index: number, most: number): Question {
  const [a, b] = [pick(index, 1, 2, 10), pick(index, 2, 2, 10)];
  const [more, less] = [pick(index, 3, 2, most), pick(index, 4, 1, most)];
  switch (operation) {
    case 'times':
      return asked(`${a} × ${b}`, a * b, [a * b + a, a * b - b, a * b + 10, a * b + 1]);
    case 'divided':
      return asked(`${a * b} ÷ ${b}`, a, [a + 1, a - 1, a + 2, a + 3]);
    case 'plus':
      return asked(`${more} + ${less}`, more + less, [
        more + less + 1,
        more + less - 1,
        more + less + 10,
        more + less + 2,
      ]);
    case 'minus': {
      const [high, low] = more > less ? [more, less] : [less + 1, more];
      return asked(`${high} − ${low}`, high - low, [
        high - low + 1,
        high - low + 2,
        high - low + 10,
        high - low - 1,
      ]);
    }
  }
}

function asked(sum: string, right: number, wrong: readonly number[]): Question {
  const others = [...new Set(wrong)].filter((other) => other !== right && other >= 0).slice(0, 3);
  return { prompt: `${sum} = ?`, answer: String(right), wrong: others.map(String) };
}
