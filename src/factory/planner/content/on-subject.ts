import type { Question } from '../../spec.ts';
import { words } from '../words.ts';

/** Parts of a subject of which there may be no question, though there are some on the whole. */
const parts = words(
  'rivers?|mountains?|volcanoes|birds?|dogs?|cats?|moons?|galaxies|astronauts?|cells?|genetics|flüsse|berge|vulkane|vögel|hunde|katzen|monde|galaxien|zellen|ríos|montañas|volcanes|aves|perros|gatos|lunas|galaxias|células|rivières|fleuves|montagnes|volcans|oiseaux|chiens|chats|lunes|cellules',
);

/** The beginnings of the words of a subject; endings differ: “planets”, “planet”. */
const stemsOf = (subject: string): string[] =>
  (subject.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map((word) =>
    word.slice(0, Math.max(4, word.length - 2)),
  );

const mentions = (text: string, stems: readonly string[]) => {
  const lower = text.toLowerCase();
  return stems.some((stem) => lower.includes(stem));
};

/** Whether a subject names a part of which no question asks: rivers among questions on geography. */
export function lacksPart(questions: readonly Question[], subject: string | null): boolean {
  const part = subject ? parts.exec(subject)?.[0] : undefined;
  return part !== undefined && !questions.some(({ prompt }) => mentions(prompt, stemsOf(part)));
}

/** Ready questions on a wide subject, those that speak of the words of the prompt first, and alone where they are enough. */
export function onSubject(
  questions: readonly Question[],
  subject: string | null,
  wanted: number,
): Question[] {
  const stems = stemsOf(subject ?? '');
  const fits = questions.filter(({ prompt, answer, wrong }) =>
    mentions([prompt, answer, ...wrong].join(' '), stems),
  );
  return fits.length >= wanted
    ? fits
    : [...fits, ...questions.filter((question) => !fits.includes(question))];
}
