import type { Lang, Question } from '../spec.ts';
import { isStyle } from './style.ts';
import { capitalised, shortened } from './text.ts';

/** Between the two sides of a card: “ciao = hello”, “Hund → dog”. */
const signs = /\s*(?:=|→|⇒|->|=>)\s*/u;
/** Between the sides of a card where all of them have it: “apple - Apfel, house - Haus”. */
const weakSigns: readonly RegExp[] = [/\s+[-–—]\s+|\t/u, /\s*:\s+/u];
/** What leads to the first card: “flashcards for my class: ”, “cards with the words ”. */
const lead =
  /^(?:.*:\s*|.*(?<!\p{L})(?:flash ?-?cards?|cards|quiz|karteikarten|lernkarten|karten|tarjetas|cartes(?: mémoire| mémo| de révision)?|words?|wörter[n]?|wörter|vokabeln?|palabras?|mots?|pairs?|paaren?|pares|paires)(?:\s(?:with|mit|con|avec|for|für|para|pour|of|de))?(?:\s(?:the|den|die|las|los|les))?(?:\s(?:words?|wörter[n]?|vokabeln?|palabras?|mots?|pairs?|paaren?))?\s*:?\s+)/isu;

type Pair = readonly [string, string];

/** The two sides of each part; where a weak sign divides them, of all parts or of none. */
function pairsIn(prompt: string, cards: boolean): Pair[] {
  const sure = pairsOf(prompt.split(/[,;\n]/u), signs);
  if (sure.length >= 2 || !cards) return sure;
  const text = prompt.replace(/^[^:\n]{0,120}:\s(?=[^,;\n]*(?::|\s[-–—]\s)[^,;\n]*[,;\n])/u, '');
  const parts = text.split(/[,;\n]/u).filter((part) => part.trim() !== '');
  for (const sign of weakSigns) {
    const pairs = pairsOf(parts, sign);
    if (pairs.length === parts.length && pairs.length >= 2 && pairs.every(isShort)) return pairs;
  }
  // Rows of a table: “apple,Apfel; house,Haus”.
  const rows = prompt.replace(/^[^:]{0,200}:\s/u, '').split(/;\s*/u);
  const table = pairsOf(rows, /\s*,\s*/u);
  return table.length === rows.length && table.every(isShort) ? table : [];
}

const isShort = (pair: Pair) =>
  pair.every(
    (text) => text.split(/\s+/u).length <= 6 && text.length <= 60 && !isStyle(text) && !/\d\s/u.test(text),
  );

function pairsOf(parts: readonly string[], sign: RegExp): Pair[] {
  return parts
    .map((part) => part.split(sign))
    .filter((sides) => sides.length === 2)
    .map(([front = '', back = '']) => [side(front.replace(lead, '')), side(back)] as const)
    .filter(([front, back]) => front !== '' && back !== '')
    .slice(0, 30);
}

/** The cards that a prompt writes out; empty where it has fewer than two. */
export function statedCards(prompt: string, cards: boolean): Question[] {
  const pairs = pairsIn(prompt, cards);
  if (pairs.length < 2) return [];
  const answers = [...new Set(pairs.map(([, back]) => back))];
  return pairs.map(([front, back], index) => ({
    prompt: front,
    answer: back,
    wrong: [1, 2, 3]
      .map((step) => answers[(index + step) % answers.length] ?? '')
      .filter((other, at, all) => other !== back && all.indexOf(other) === at),
  }));
}

const side = (text: string) =>
  shortened(
    text
      .trim()
      .replace(/^(?:and|und|y|et)\s+/iu, '')
      .replace(/[.!]+$/u, ''),
    100,
  );

/** A question of a page, with what the prompt answers to it. */
export interface Answered {
  readonly question: string;
  /** Empty where the prompt only asks. */
  readonly answer: string;
}

const asks =
  /^(?:¿|(?:can|could|may|do|does|did|is|are|was|will|would|should|must|have|has|what|when|where|which|who|why|how|kann|können|darf|dürfen|muss|müssen|ist|sind|gibt|habt|haben|was|wann|wo|wie|wer|welche[rsn]?|warum|wieviel|brauche|soll|se|hay|puedo|podemos|es|cuánd?t?o|cuándo|cuánto|dónde|cómo|qué|quién|peut-on|puis-je|est-ce|faut-il|y a-t-il|quand|où|comment|combien|quel(?:le)?s?|qui|que|avez-vous|dois-je)(?!\p{L}))/iu;

/** The questions that a prompt writes out with or without answers; empty where there are fewer than two. */
export function statedQuestions(prompt: string, lang: Lang): Answered[] {
  const parts = prompt.split('?').map((part) => part.trim());
  if (parts.length < 3) return [];
  const found: Answered[] = [];
  let question = (parts[0] ?? '').replace(/^.*[:.!\n]\s*/su, '');
  for (const part of parts.slice(1)) {
    const { answer, next } = divided(part);
    if (asks.test(question) && question.length <= 120)
      found.push({
        question: `${capitalised(question, lang)}${lang === 'fr' ? ' ?' : '?'}`,
        answer: shortened(capitalised(answer, lang), 300),
      });
    question = next;
  }
  return found.length >= 2 ? found.slice(0, 20) : [];
}

/** What stands between two question marks: an answer and the next question. */
function divided(text: string): { answer: string; next: string } {
  if (asks.test(text) && !/[.!]\s/u.test(text)) return { answer: '', next: text };
  const ends = [...text.matchAll(/[.!,;]\s+(?=\S)/gu)].toReversed();
  const at = ends.find((end) => asks.test(text.slice(end.index + end[0].length)));
  return at
    ? {
        answer: text.slice(0, at.index + 1).replace(/[,;]$/u, '.'),
        next: text.slice(at.index + at[0].length),
      }
    : { answer: text, next: '' };
}
