import { type Answer, answerIn, trimmed } from './answers.ts';
import type { PairWords } from './pair-words.ts';

/** What the prompt says belongs together: a question and its answer, a word and its translation. */
export interface Pair extends Answer {
  readonly front: string;
  /** Where both stand, with the labels and marks that tell them apart. */
  readonly start: number;
  readonly end: number;
}

const maxFront = 200;
const maxAnswer = 120;

/** A pair of these two sides; none where one of them is missing, too long or not told for certain. */
export const pairOf = (front: string, back: string, start: number, end: number, words: PairWords): Pair[] => {
  const asked = trimmed(front);
  const found = answerIn(back, words);
  return asked === '' || !found || found.answer === '' || asked.length > maxFront
    ? []
    : found.answer.length > maxAnswer || found.wrong.some((text) => text.length > maxAnswer)
      ? []
      : [{ front: asked, ...found, start, end }];
};
