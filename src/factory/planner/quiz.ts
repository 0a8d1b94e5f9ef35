import type { Lang, Question } from '../spec.ts';
import type { Assumption } from './assumptions.ts';
import { questionsFor, topicOf } from './content/questions.ts';
import { statedCards } from './stated-cards.ts';
import { hasSubject, subjectOf } from './subject.ts';

export interface QuizContent {
  readonly questions: readonly Question[];
  readonly accent: string;
  readonly said: readonly Assumption[];
}

const violet = '#7c3aed';

/** The questions of a quiz or the cards to learn: those of the prompt, or ready ones on its subject. */
export function quizContent(prompt: string, lang: Lang, cards: boolean): QuizContent {
  const own = statedCards(prompt);
  if (own.length > 0) return { questions: own, accent: violet, said: ['ownCards'] };
  const { questions, topic } = questionsFor(prompt, lang, cards);
  const wanted = wantedCount(prompt);
  const few = wanted !== null && wanted > questions.length;
  const fit = topic
    ? topic !== 'words' && isNear(prompt, lang)
      ? 'nearTopic'
      : 'seed'
    : hasSubject(prompt)
      ? 'topic'
      : 'seed';
  return {
    questions: wanted === null ? questions : questions.slice(0, Math.max(wanted, 3)),
    accent: topic === 'science' || topic === 'space' ? '#1c7fa6' : violet,
    said: [fit, ...(few ? ['fewQuestions' as const] : [])],
  };
}

/** “8 questions”, “mit 6 Fragen”. */
function wantedCount(prompt: string): number | null {
  const found =
    /(?<![\p{L}\d])(\d{1,2})\s+(?:\p{L}{3,20}[ -](?:choice )?)?(?:questions?|fragen|preguntas?|cards|karten|karteikarten|tarjetas|cartes|flashcards)(?!\p{L})/iu.exec(
      prompt,
    )?.[1];
  return found ? Number(found) : null;
}

/** Whether the questions are only on what the prompt mentions beside its subject: planets for the Kuiper belt. */
function isNear(prompt: string, lang: Lang): boolean {
  const subject = subjectOf(prompt, lang);
  return subject !== null && topicOf(subject) === null && topicOf(prompt) !== 'maths' && /\s/u.test(subject);
}
