import type { Lang } from '../spec.ts';
import { capitalised } from './text.ts';

const amount =
  "(\\d[\\d.,]*(?: ?(?:%|€|\\$|£|k))?(?: (?!(?:with|and|mit|und|con|y|avec|et|in|that|which|der|die|que|qui)(?!\\p{L}))[\\p{L}/’'-]+){0,4})";
const leads = [
  '(?:with |and )?(?:an? |my |the )?(?:(?:daily|weekly|monthly|yearly|annual) )?(?:goal|target|aim) (?:of|is|:) ?',
  '(?:mit |und )?(?:(?:einem|meinem|dem|ein) )?(?:(?:täglichen|wöchentlichen|monatlichen) )?(?:tages|wochen|monats|jahres|spar|lese)?-?ziel(?: von| ist|:)? ',
  '(?:con |y )?(?:un |una |mi )?(?:objetivo|meta) (?:(?:diari[oa]|semanal|mensual|anual) )?(?:de |: ?)',
  '(?:avec |et )?(?:un |mon )?(?:objectif|but) (?:(?:quotidien|hebdomadaire|mensuel|annuel) )?(?:de |: ?)',
];
const goal = new RegExp(`,? ?(?<!\\p{L})(?:${leads.join('|')})${amount}`, 'iu');

/** How often a goal is to be reached. */
const spans: readonly (readonly [RegExp, Readonly<Record<Lang, string>>])[] = [
  [/daily|tages|täglich|diari|quotidien/iu, { en: 'a day', de: 'am Tag', es: 'al día', fr: 'par jour' }],
  [
    /weekly|wochen|wöchentlich|semanal|hebdo/iu,
    { en: 'a week', de: 'pro Woche', es: 'a la semana', fr: 'par semaine' },
  ],
  [/monthly|monat|mensu/iu, { en: 'a month', de: 'im Monat', es: 'al mes', fr: 'par mois' }],
  [/yearly|annual|jahres|anual|annuel/iu, { en: 'a year', de: 'im Jahr', es: 'al año', fr: 'par an' }],
];

export interface Goal {
  readonly text: string;
  /** The prompt without it. */
  readonly rest: string;
}

/** The number that somebody wants to reach: “a daily goal of 2 litres”. Null where none is stated. */
export function goalIn(prompt: string, lang: Lang): Goal | null {
  const found = goal.exec(prompt);
  if (!found?.[1]) return null;
  const lead = found[0].slice(0, -found[1].length);
  const span = spans.find(([pattern]) => pattern.test(lead))?.[1][lang];
  // Entries are measured in the unit of the goal.
  const unit =
    /(?<!\p{L})(?:lit(?:re|er|ro)s?|miles?|pounds|lbs?|glasses|gläser|vasos|verres|cups|tassen|tazas|tasses)(?!\p{L})/iu.exec(
      found[1],
    )?.[0];
  const said = /(?<!\p{L})(?:per|a|pro|am|al|por|par|this|dieses)\s\p{L}+$/iu.test(found[1]);
  return {
    text: capitalised(`${found[1].trim()}${span && !said ? ` ${span}` : ''}`, lang),
    rest: `${prompt.slice(0, found.index)}${unit ? ` in ${unit}` : ''}${prompt.slice(found.index + found[0].length)}`.trim(),
  };
}
