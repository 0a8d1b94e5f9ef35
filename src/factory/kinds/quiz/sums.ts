import type { Draft } from '../../read/draft.ts';
import { says } from '../../read/parts/words.ts';
import type { Question } from '../../spec.ts';

/** Words of the operations, of reckoning in general, and of those who only begin with it. */
export type SumWords = Readonly<Record<Operation | 'any' | 'young', readonly string[]>>;

type Operation = 'times' | 'plus' | 'minus' | 'divided';

const operations: readonly Operation[] = ['times', 'plus', 'minus', 'divided'];

/** Sums of the operations that the prompt names, always the same ones; null where it speaks of none. */
export function sumsOf({ tokens }: Draft, words: SumWords, count: number): Question[] | null {
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
