import { fold, wordsOf } from '../text.ts';

/** How far two parts of a prompt are apart, in characters; infinite where one does not stand in it. */
export function distance(prompt: string, one: string, other: string): number {
  const text = fold(prompt);
  const [left, right] = [text.indexOf(fold(one)), text.indexOf(fold(other))];
  if (left < 0 || right < 0) return Number.POSITIVE_INFINITY;
  return left < right ? right - left - fold(one).length : left - right;
}

/** The words of a prompt around a part of it. */
export function wordsAround(prompt: string, part: string, reach = 30): readonly string[] {
  const text = fold(prompt);
  const at = text.indexOf(fold(part));
  return at < 0 ? [] : wordsOf(text.slice(Math.max(0, at - reach), at + fold(part).length + reach));
}

/** The best of some, the first of those that are as good; undefined of none. */
export function nearest<T>(all: readonly T[], distanceOf: (one: T) => number): T | undefined {
  return all.toSorted((one, other) => compare(distanceOf(one), distanceOf(other)))[0];
}

const compare = (one: number, other: number) => (one === other ? 0 : one < other ? -1 : 1);
