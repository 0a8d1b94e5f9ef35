import type { Draft, Span } from '../draft.ts';
import { capitalised } from './naming.ts';
import { pairsIn } from './pairs.ts';

/** A part of a text with a heading, and where the prompt has it. */
export interface Told extends Pick<Span, 'start' | 'end'> {
  readonly title: string;
  readonly text: string;
}

/** Questions that the prompt asks and answers: `Is there parking? Yes, behind the house.` */
export const answeredIn = (draft: Draft): Told[] =>
  pairsIn(draft)
    .filter(({ front }) => front.endsWith('?'))
    .map(({ front, answer, start, end }) => ({
      title: `${draft.lang === 'es' ? '¿' : ''}${capitalised(front, draft.lang)}`,
      text: answer,
      start,
      end,
    }));
