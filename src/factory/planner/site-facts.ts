import type { Lang } from '../spec.ts';
import { capitalised, shortened } from './text.ts';
import { words } from './words.ts';

const day =
  '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?|(?:mo|di|mi|do|fr|sa|so)|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?|lunes|martes|lun|mar|mer|jeu|ven|sam|dim|mié|jue|vie|sáb|dom|l-v|miércoles|jueves|viernes|sábados?|domingos?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|weekdays|weekends?|daily|every day|täglich|werktags|todos los días|tous les jours|wochenende';
const clock = '\\d{1,2}(?:[:.h]\\d{2})?\\s?(?:am|pm|a\\.m\\.|p\\.m\\.|uhr|h)?';
const span = "\\s?(?:-|–|to|through|thru|bis|until|till|al|au|a|à|hasta|jusqu[’']à)\\s?";
const hours = new RegExp(
  `(?<![\\p{L}])((?:${day})(?:${span}(?:${day}))?(?:\\s?(?:,|&|and|und|y|et)\\s?(?:${day})){0,7})[:,]?\\s+(?:from |von |de |ab )?(${clock}${span}${clock}|closed|geschlossen|cerrado|fermé)(?![\\p{L}\\p{N}])`,
  'giu',
);
const onlyHours = new RegExp(
  `(?:open(?:ing hours)?|geöffnet|öffnungszeiten|abierto|horario|ouvert|horaires)[:\\s]+(?:from |von |de |daily |täglich )?(${clock}${span}${clock})`,
  'iu',
);
/** The days of the week, written in full. */
export const longDay =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?';
const closed = new RegExp(
  `(?<!\\p{L})(?:closed|geschlossen|cerrado|fermée?) (?:(?:on|am|los|el|le|every) )?(${longDay})(?!\\p{L})|(?<!\\p{L})(${longDay})(?: ist| sind)? (?:geschlossen|ruhetag|closed)(?!\\p{L})`,
  'giu',
);
const everyDay = { en: 'Every day', de: 'Täglich', es: 'Todos los días', fr: 'Tous les jours' };

/** “Closed on Mondays”, “montags geschlossen”. */
function closedIn(prompt: string, lang: Lang): { days: string; time: string }[] {
  const found = [...prompt.matchAll(closed)].map((match) => match[1] ?? match[2] ?? '');
  const time = { en: 'closed', de: 'geschlossen', es: 'cerrado', fr: 'fermé' }[lang];
  return found.map((days) => ({ days: capitalised(days, lang), time }));
}

/** Opening hours, such as “Tue–Sat 9–17”. */
export function hoursIn(prompt: string, lang: Lang): { days: string; time: string }[] {
  const stated = [...prompt.matchAll(hours)].map(([, days = '', time = '']) => ({
    days: capitalised(shortened(days.trim(), 40), lang),
    time: time.trim(),
  }));
  stated.push(...closedIn(prompt, lang).filter(({ days }) => !stated.some((one) => one.days === days)));
  if (stated.some(({ time }) => /\d/u.test(time))) return stated.slice(0, 7);
  const time = onlyHours.exec(prompt)?.[1];
  return time ? [{ days: everyDay[lang], time: time.trim() }, ...stated].slice(0, 7) : stated.slice(0, 7);
}

const monthNames = [
  'jan(?:uary|uar|vier)?|enero',
  'feb(?:ruary|ruar)?|febrero|février',
  'mar(?:ch|s|zo)?|märz',
  'apr(?:il)?|abril|avril',
  'may|mai|mayo',
  'june?|juni|junio|juin',
  'july?|juli|julio|juillet',
  'aug(?:ust)?|agosto|août',
  'sep(?:t(?:ember)?)?|septiembre|septembre',
  'oct(?:ober)?|oktober|octubre|octobre',
  'nov(?:ember)?|noviembre|novembre',
  'dec(?:ember)?|dezember|diciembre|décembre',
];

const feasts: readonly (readonly [string, string])[] = [
  ['12-24', 'christmas eve|heilig(?:er |e[nr] )?abend|nochebuena'],
  ['12-25', 'christmas|xmas|weihnacht\\p{L}*|navidad(?:es)?|noël'],
  ['12-31', "new year[’']?s eve|silvester|nochevieja|saint-sylvestre"],
  [
    '01-01',
    "(?:the )?new years?(?:[’']?s)?(?: day)?|neujahr\\p{L}*|neue[ns]? jahr\\p{L}*|jahreswechsel|año nuevo|fin de año|nouvel an|nouvelle année",
  ],
  ['10-31', 'halloween'],
  ['12-06', 'nikolaus(?:tag)?|saint-nicolas'],
  ['01-06', 'three kings|heilige drei könige|día de reyes|reyes magos|épiphanie'],
  ['02-14', "valentine(?:[’']?s)?(?: day)?|valentinstag|san valentín|saint-valentin"],
];

/** A day of any year as `@MM-DD`: the page takes the next such day from the one on which it is opened. */
function yearlyDay(prompt: string): string | null {
  const later = '(?!\\s?(?:am|pm|uhr|h|:|\\d))(?![\\p{L}\\d])';
  for (const [index, month] of monthNames.entries()) {
    const found =
      new RegExp(
        `(?<![\\d.])(\\d{1,2})(?:st|nd|rd|th|er|\\.)?\\s+(?:of |de )?(?:${month})(?!\\p{L})`,
        'iu',
      ).exec(prompt) ??
      new RegExp(`(?<!\\p{L})(?:${month})\\.?\\s+(?:the )?(\\d{1,2})(?:st|nd|rd|th)?${later}`, 'iu').exec(
        prompt,
      );
    // A leap year, so that the 29th of February is one.
    const day = found ? valid(2028, index + 1, Number(found[1])) : null;
    if (day) return `@${day.slice(5)}`;
  }
  const feast = feasts.find(([, source]) => words(source).test(prompt));
  return feast ? `@${feast[0]}` : null;
}

/** A day named in the prompt as `YYYY-MM-DD`, or as `@MM-DD` where it names no year. */
export function dayIn(prompt: string): string | null {
  const iso = /\b(20\d{2})-(\d{2})-(\d{2})\b/.exec(prompt);
  if (iso) return valid(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const dotted = /\b(\d{1,2})[./](\d{1,2})[./](20\d{2})\b/.exec(prompt);
  if (dotted) return valid(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]));
  for (const [index, month] of monthNames.entries()) {
    const after = new RegExp(
      `(?<!\\d)(\\d{1,2})(?:st|nd|rd|th|er|\\.)?\\s+(?:of |de )?(?:${month})\\.?,?\\s+(?:de |del )?(20\\d{2})`,
      'iu',
    ).exec(prompt);
    if (after) return valid(Number(after[2]), index + 1, Number(after[1]));
    const front = new RegExp(
      `(?<!\\p{L})(?:${month})\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(20\\d{2})`,
      'iu',
    ).exec(prompt);
    if (front) return valid(Number(front[2]), index + 1, Number(front[1]));
  }
  return yearlyDay(prompt);
}

function valid(year: number, month: number, dayOfMonth: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, dayOfMonth));
  const same = date.getUTCMonth() === month - 1 && date.getUTCDate() === dayOfMonth;
  return same ? date.toISOString().slice(0, 10) : null;
}

const timeOfDay =
  /(?<![\d.:])(\d{1,2})(?:[:.h](\d{2}))?\s?(a\.?m\.?|p\.?m\.?|uhr|h(?:rs|oras|eures)?)(?![\p{L}\d])|(?<![\p{L}\d])(?:at|um|ab|from|a las|à|dès|desde las|starts?(?: at)?|doors)\s(\d{1,2})[:.](\d{2})(?![\d.])|(?<![\d.:])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])/giu;
const midday = /(?<!\p{L})(?:at|um|à|a)\s(?:noon|mittag|midi|mediodía)(?!\p{L})/iu;
const evening = /^\s?(?:de la (?:tarde|noche)|du soir|abends|in the (?:evening|afternoon)|nachmittags)/iu;

/** Every time of day that a prompt names, as `HH:MM`, and where it stands. */
export function timesIn(
  prompt: string,
): { readonly time: string; readonly at: number; readonly end: number }[] {
  return [...prompt.matchAll(timeOfDay)].flatMap((match) => {
    const raw = Number(match[1] ?? match[4] ?? match[6]);
    const end = match.index + match[0].length;
    const later = /^p/iu.test(match[3] ?? '') || evening.test(prompt.slice(end));
    const hour = later && raw < 12 ? raw + 12 : /^a/iu.test(match[3] ?? '') && raw === 12 ? 0 : raw;
    const minutes = match[2] ?? match[5] ?? match[7] ?? '00';
    return hour < 24 && Number(minutes) < 60
      ? [{ time: `${String(hour).padStart(2, '0')}:${minutes}`, at: match.index, end }]
      : [];
  });
}

/** A time of day as `HH:MM`. */
export const timeIn = (prompt: string): string | null =>
  timesIn(prompt)[0]?.time ?? (midday.test(prompt) ? '12:00' : null);
