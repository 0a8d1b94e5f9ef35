import type { Contact, Lang, SectionItem } from '../spec.ts';
import { capitalised, shortened, words } from './text.ts';

const street =
  /\d{1,4}[a-z]?,?\s+(?:rue|avenue|boulevard|place|quai|allée)\s+(?:\p{L}|[-’'. ]){1,60}?(?=[,.;]|\s(?:with|avec|and|et|open|ouvert)|$)|(?:calle|avenida|plaza|paseo|c\/)\s+(?:\p{L}|[-. ]){1,60}?,?\s*\d{1,4}|\d{1,4}[a-z]?\s+(?:\p{Lu}[\p{L}’'.-]*\s+){1,3}(?:Street|St\.?|Road|Rd\.?|Avenue|Ave\.?|Lane|Square|Boulevard|Drive|Way|Court|Place)(?:,\s+\p{Lu}\p{L}+)?|(?<![\p{L}-])\p{Lu}[\p{L}-]{0,40}(?:straße|strasse|str\.|gasse|weg|platz|allee|ring|ufer)\s+\d{1,4}[a-z]?(?:,?\s+\d{5})?(?:,?\s+(?:in\s+)?\p{Lu}\p{L}+)?|(?:Am|An der|Im)\s+\p{Lu}\p{L}+\s+\d{1,4}/u;
const mail = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u;
const phone = /(?:\+|\b0)\d[\d ()/.-]{6,18}\d|\(\d{3}\)\s?\d{3}[- ]\d{4}|\b\d{3}[- ]\d{3}[- ]\d{4}\b/u;

/** Address, phone and email, as far as the prompt gives them. */
export function contactIn(prompt: string): Contact {
  const found = (pattern: RegExp) => pattern.exec(prompt)?.[0].trim();
  const address = found(street);
  const number = found(phone);
  const email = found(mail);
  return {
    ...(email ? { email } : {}),
    ...(number ? { phone: number } : {}),
    ...(address ? { address: shortened(address, 120) } : {}),
  };
}

const money =
  /(?:[€$£]\s?\d{1,5}(?:[.,]\d{1,2})?|\d{1,5}(?:[.,]\d{1,2})?\s?(?:€|\$|£|eur\b|euros?\b|usd\b|dollars?\b|gbp\b|chf\b))/iu;

/** Things with a price, such as “espresso 2.50 €” or “€12 for a haircut”. */
export function pricesIn(prompt: string, lang: Lang): SectionItem[] {
  return prompt
    .split(/[;\n:]|,(?!\d)|\s(?:and|und|y|et)\s|[.!?](?=\s)/iu)
    .flatMap((part) => {
      const price = money.exec(part)?.[0];
      if (!price) return [];
      const title = part
        .replace(price, ' ')
        .replace(/[()]/g, ' ')
        .replace(
          /(?:^|\s)(?:for|at|à|für|zu|por|a|costs?|kostet|cuesta|coûte|from|ab|desde|with|mit|con|avec|menu|prices?|preise|the|de|pour|=|-|–)(?=\s|$)/giu,
          ' ',
        )
        .replace(/\s+/g, ' ')
        .trim();
      return /\p{L}{2}/u.test(title)
        ? [{ title: capitalised(shortened(title, 50), lang), price: price.trim() }]
        : [];
    })
    .slice(0, 16);
}

const day =
  '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?|(?:mo|di|mi|do|fr|sa|so)|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|weekdays|weekends?|daily|every day|täglich|werktags|todos los días|tous les jours|wochenende';
const clock = '\\d{1,2}(?:[:.h]\\d{2})?\\s?(?:am|pm|a\\.m\\.|p\\.m\\.|uhr|h)?';
const span = "\\s?(?:-|–|to|bis|until|till|a|à|hasta|jusqu[’']à)\\s?";
const hours = new RegExp(
  `(?<![\\p{L}])((?:${day})(?:${span}(?:${day}))?(?:\\s?(?:,|&|and|und|y|et)\\s?(?:${day}))*)[:,]?\\s+(?:from |von |de |ab )?(${clock}${span}${clock}|closed|geschlossen|cerrado|fermé)(?![\\p{L}\\p{N}])`,
  'giu',
);
const onlyHours = new RegExp(
  `(?:open(?:ing hours)?|geöffnet|öffnungszeiten|abierto|horario|ouvert|horaires)[:\\s]+(?:from |von |de |daily |täglich )?(${clock}${span}${clock})`,
  'iu',
);
const everyDay = { en: 'Every day', de: 'Täglich', es: 'Todos los días', fr: 'Tous les jours' };

/** Opening hours, such as “Tue–Sat 9–17”. */
export function hoursIn(prompt: string, lang: Lang): { days: string; time: string }[] {
  const stated = [...prompt.matchAll(hours)].map(([, days = '', time = '']) => ({
    days: capitalised(shortened(days.trim(), 40), lang),
    time: time.trim(),
  }));
  if (stated.length > 0) return stated.slice(0, 7);
  const time = onlyHours.exec(prompt)?.[1];
  return time ? [{ days: everyDay[lang], time: time.trim() }] : [];
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
  ['12-24', 'christmas eve|heilig(?:er )?abend|nochebuena'],
  ['12-25', 'christmas|weihnachten|navidad|noël'],
  ['12-31', "new year[’']?s eve|silvester|nochevieja|saint-sylvestre"],
  ['01-01', "new years?(?:[’']?s)?(?: day)?|neujahr|año nuevo|nouvel an"],
  ['10-31', 'halloween'],
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

/** A time of day as `HH:MM`. */
export function timeIn(prompt: string): string | null {
  const found =
    /(?<!\d)(\d{1,2})(?:[:.h](\d{2}))?\s?(am|pm|uhr|h)(?!\p{L})|(?:at|um|a las|à)\s(\d{1,2}):(\d{2})/iu.exec(
      prompt,
    );
  if (!found) return null;
  const raw = Number(found[1] ?? found[4]);
  const hour = found[3]?.toLowerCase() === 'pm' && raw < 12 ? raw + 12 : raw;
  return hour < 24 ? `${String(hour).padStart(2, '0')}:${found[2] ?? found[5] ?? '00'}` : null;
}
