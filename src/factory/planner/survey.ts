import type { Lang } from '../spec.ts';
import type { DraftField } from './item.ts';
import { capitalised, inLang, shortened } from './text.ts';
import { words } from './words.ts';

const survey = words(
  'surveys?|feedback|questionnaires?|evaluation|\\p{L}*umfrage|\\p{L}*fragebogen|befragung|encuesta|cuestionario|sondage|enquête|questions|fragen|preguntas',
);
/** What leads to the questions: a colon, or “with the questions”. */
const lead =
  /(?<!\p{L})(?:questions|fragen|preguntas)(?!\p{L})\s?(?::|like|such as|wie|como|comme)?\s+(?!about|on|over|über|zu|sobre|sur|per|pro|with|mit)(?=.*[,?])|(?<!\p{L})(?:asking|that asks|which asks|asks)\s|:\s+/iu;

const asks =
  /^¿|^(?:(?:how|what|which|who|when|where|why)(?!\p{L})(?! to )|(?:do|does|did|is|are|was|were|will|would|should|could|can|have|has|may) (?:you|we|it|they|there|the|our|your|everything|this)(?!\p{L})|(?:wie|was|welche[rsnm]?|wer|wann|wo|warum|wieso|wieviel|womit|worüber)(?!\p{L})|\p{L}{3,14} (?:sie|du|ihr|es|wir|dir|ihnen|dich|euch)(?!\p{L})|(?:qué|cómo|cuál(?:es)?|cuándo|cuánt[oa]s?|dónde|quién|por qué)(?!\p{L})|(?:que|quoi|comment|quel(?:le)?s?|quand|combien|où|qui|pourquoi|est-ce)(?!\p{L})|\p{L}{3,14}-(?:vous|tu|il|elle|on|ils))/iu;

/** What is answered with stars: how something is, and how much somebody likes it. */
const rated =
  /^¿?(?:how (?:is|are|was|were|good|happy|satisfied|likely|easy|useful|helpful|clean|friendly|do you (?:like|rate|find)|would you rate|did you (?:like|find))|wie (?:ist|sind|war|waren|gut|zufrieden|schmeckt|gefällt|fanden|finden|findest|fandest|hilfreich|einfach|wahrscheinlich)|qué tal|cómo (?:es|son|está|están|fue|estuvo|valor)|comment (?:est|sont|était|trouvez|trouves|avez-vous trouvé)|à quel point)(?!\p{L})/iu;
const counted = /^¿?(?:how (?:many|old)|wie ?viele|wie alt|cuánt[oa]s|combien de)(?!\p{L})/iu;
const brief =
  /^¿?(?:how (?:long|often|much)|wie (?:lange|oft|viel)|cuánto tiempo|con qué frecuencia|combien de temps)(?!\p{L})/iu;
const open = /^¿?(?:what|why|was|warum|wieso|qué|por qué|que|quoi|pourquoi|how|wie|cómo|comment)(?!\p{L})/iu;
const chosen =
  /^(?:¿?(?:which|who|when|where|welche|wer|wann|wo|cuál|cuándo|dónde|quién|quel|quand|où|qui)(?!\p{L})|¿)/iu;

/** The questions that a survey is to ask, in their own words; empty where the prompt does not ask two. */
export function surveyQuestions(prompt: string, lang: Lang): string[] {
  if (!survey.test(prompt)) return [];
  const found = lead.exec(prompt);
  if (!found) return [];
  const text = prompt.slice(found.index + found[0].length).replace(/^.{0,40}?:\s+(?=\S)/u, '');
  const marked = (text.match(/\?/gu) ?? []).length >= 2;
  const parts = text
    .split(marked ? /\?+/u : /[,;?.]\s*|\s(?:and|und|y|et)\s(?=\S+ \S+ \S)/u)
    .map((part) => part.replace(/^[\s,;.]*(?:(?:and|und|y|et|the questions?)\s+)?/iu, '').trim())
    .filter((part) => part !== '');
  const questions = parts.filter((part) => asks.test(part) && part.includes(' ') && part.length <= 100);
  if (questions.length < 2 || questions.length * 2 <= parts.length) return [];
  return [...new Set(questions.map((question) => written(question, lang)))].slice(0, 12);
}

/** With a capital and its marks. */
function written(question: string, lang: Lang): string {
  const plain = question.replace(/^¿\s*/u, '').replace(/[?.!\s]+$/u, '');
  const text = capitalised(shortened(plain, 56), lang);
  if (lang === 'es') return `¿${text}?`;
  return lang === 'fr' ? `${text} ?` : `${text}?`;
}

/** A question as a field: stars for how something is, yes or no, a number, or what somebody writes. */
export function questionField(label: string, lang: Lang): DraftField {
  const none = { label, concept: null, options: [] };
  if (brief.test(label)) return { ...none, type: 'text' };
  if (counted.test(label)) return { ...none, type: 'number' };
  if (rated.test(label)) return { ...none, type: 'rating' };
  if (open.test(label)) return { ...none, type: 'longtext' };
  if (chosen.test(label)) return { ...none, type: 'text' };
  return { ...none, type: 'select', options: inLang('Yes,No|Ja,Nein|Sí,No|Oui,Non', lang).split(',') };
}
