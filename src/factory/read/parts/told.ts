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

const behind = /^\s?["”“»«’']?\s*(?:[-–—]\s*|\()(\p{Lu}[\p{L}.'’ ]{1,40}?)\s*(?=[;,.)]|$)/u;
/** What people say, with who says it behind it: `“Best bread in town” – Anna`. */
export function quotesIn({ prompt, quoted }: Draft): Told[] {
  return quoted.flatMap(({ text, start, end }) => {
    const [whole, name] = behind.exec(prompt.slice(end)) ?? [];
    return whole && name ? [{ title: name.trim(), text, start, end: end + whole.length }] : [];
  });
}

const maxStep = 120;

/** Numbered steps of a text: `1. Fill in water. 2. Press the button.` */
export function stepsIn({ prompt, lang }: Draft): Told[] {
  const marks = [...prompt.matchAll(/(?<=^|[\s:])(\d{1,2})[.)]\s+(?=\p{L})/gu)];
  const first = marks.findIndex(([, number]) => number === '1');
  const steps = marks.slice(Math.max(0, first)).filter(([, number], at) => Number(number) === at + 1);
  if (first < 0 || steps.length < 2) return [];
  return steps.map((mark, at) => {
    const start = mark.index + mark[0].length;
    const end = steps[at + 1]?.index ?? endOfSentence(prompt, start);
    const text = prompt
      .slice(start, end)
      .trim()
      .replace(/[.,;]+$/, '');
    return { title: capitalised(text, lang).slice(0, maxStep), text: '', start: mark.index, end };
  });
}

function endOfSentence(prompt: string, from: number): number {
  const found = /[.!?](?:\s|$)/.exec(prompt.slice(from));
  return found ? from + found.index + 1 : prompt.length;
}
