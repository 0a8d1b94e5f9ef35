import type { Lang, Question } from '../spec.ts';
import type { Assumption } from './assumptions.ts';
import { lacksPart, onSubject } from './content/on-subject.ts';
import { questionsFor, topicOf } from './content/questions.ts';
import { quizTopics } from './content/quiz-topics.ts';
import { statedCards } from './stated-cards.ts';
import { statedWords } from './stated-words.ts';
import { hasSubject, subjectOf } from './subject.ts';

export interface QuizContent {
  readonly questions: readonly Question[];
  readonly accent: string;
  readonly said: readonly Assumption[];
}

const violet = '#7c3aed';

/** The questions of a quiz or the cards to learn: those of the prompt, or ready ones on its subject. */
export function quizContent(prompt: string, lang: Lang, cards: boolean): QuizContent {
  const own = statedCards(prompt, cards);
  if (own.length > 0) return { questions: own, accent: violet, said: ['ownCards'] };
  const learnt = cards ? statedWords(prompt, lang) : null;
  if (learnt)
    return {
      questions: learnt.questions,
      accent: violet,
      said: ['ownCards', ...(learnt.open ? ['openCards' as const] : [])],
    };
  const ready = questionsFor(prompt, lang, cards);
  const { topic } = ready;
  const wanted = wantedCount(prompt);
  const subject = subjectOf(prompt, lang);
  const wide = topic !== null && topic in quizTopics;
  const questions = wide ? onSubject(ready.questions, subject, Math.max(wanted ?? 5, 5)) : ready.questions;
  const few = wanted !== null && wanted > questions.length;
  const fit = topic
    ? topic !== 'words' && (isNear(prompt, lang) || (wide && lacksPart(questions, subject)))
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
