import type { Lang } from '../spec.ts';
import { withoutAudience } from './audience.ts';
import { capitalised, shortened } from './text.ts';

const noun =
  "(?!(?:with|and|that|where|which|asking|in|on|at|by|mit|und|in|con|y|que|en|avec|et|qui|dans)(?!\\p{L}))[\\p{L}\\p{N}’'-]+";
const phrase = `(${noun}(?: ${noun}){0,2})`;

/** What a survey is about, as it is said in each language. */
const about: Readonly<Record<Lang, RegExp>> = {
  en: new RegExp(
    `(?<!\\p{L})(survey|questionnaire|feedback form|feedback)(?: form)? (?:about|on|for|of) (?:(?:the|our|my|your|a|an) )?${phrase}`,
    'iu',
  ),
  de: new RegExp(
    `(?<!\\p{L})((?:umfrage|fragebogen|befragung|feedback) (?:zu[rm]?|über) (?:(?:unser|mein)(?:e[nrm]?)? |die |das |den |der )?)${phrase}`,
    'iu',
  ),
  es: new RegExp(
    `(?<!\\p{L})((?:encuesta|cuestionario) (?:sobre|acerca de) (?:(?:nuestr[oa]s?|mis?|el|la|los|las) )?)${phrase}`,
    'iu',
  ),
  fr: new RegExp(
    `(?<!\\p{L})((?:sondage|enquête|questionnaire) (?:sur|à propos de) (?:(?:notre|nos|mon|ma|le|la|les) |l[’'])?)${phrase}`,
    'iu',
  ),
};

/** “Survey about our canteen” is the “Canteen Survey”; null where it is about nothing in particular. */
export function surveyName(prompt: string, lang: Lang): string | null {
  const [, lead = '', subject = ''] = about[lang].exec(withoutAudience(prompt)) ?? [];
  if (subject === '') return null;
  if (lang !== 'en') return shortened(capitalised(`${lead}${subject}`, lang), 50);
  return shortened(
    `${subject} ${lead}`.replace(/(?<![\p{L}\p{N}’'])\p{L}/gu, (letter) => letter.toUpperCase()),
    50,
  );
}
