import type { Lang } from '../spec.ts';
import { derivedName } from './content/taglines.ts';
import { meetingName } from './evenings.ts';
import { titleOf } from './site-name.ts';
import { capitalised, inLang } from './text.ts';

/** Days that belong to somebody, and what their page is called; `{who}` is whose day it is. */
const days: readonly (readonly [RegExp, string])[] = [
  [
    /(?<!\p{L})(?:birthday|geburtstag|b-?day|cumple(?:años)?|anniversaire)/iu,
    '{who}’s Birthday|Geburtstag von {who}|Cumpleaños de {who}|Anniversaire de {who}',
  ],
  [
    /(?<!\p{L})(?:baptism|christening|taufe|tauf|bautizo|baptême)/iu,
    '{who}’s Christening|Taufe von {who}|Bautizo de {who}|Baptême de {who}',
  ],
  [
    /(?<!\p{L})(?:graduation|abschluss|abi|graduación|remise de diplôme)/iu,
    '{who}’s Graduation|Abschluss von {who}|Graduación de {who}|Remise de diplôme de {who}',
  ],
  [
    /(?<!\p{L})(?:kommunion|communion|comunión)/iu,
    '{who}’s Communion|Kommunion von {who}|Comunión de {who}|Communion de {who}',
  ],
  [
    /(?<!\p{L})(?:retirement|verabschiedung|jubilación|départ à la retraite)/iu,
    '{who}’s Retirement|Verabschiedung von {who}|Jubilación de {who}|Départ à la retraite de {who}',
  ],
  [
    /(?<!\p{L})baby ?shower/iu,
    '{who}’s Baby Shower|Babyparty von {who}|Baby shower de {who}|Baby shower de {who}',
  ],
];

const who =
  /(?<!\p{L})(?:for|of|für|von|zu|zum|de|del|d[’']|para|pour)\s*(?:(?:my|our|mein\p{L}*|unser\p{L}*|mis?|nuestr[oa]|mon|ma|notre)\s+)?(?:(?:son|daughter|sohn|sohnes|tochter|hij[oa]|fils|fille|friend|freund|freundin|amig[oa]|amie?)\s+)?(\p{Lu}\p{Ll}+)(?!\p{L})(?!\s+(?:\d|straße|street))/u;
const month =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Geburtstag|Kinder|Freunde|Party|Feier|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)$/;

/** German calls the day by one word: “Einweihungsparty”. */
const joined = /(?<!\p{L})\p{Lu}\p{Ll}{2,}(?:party|feier|fest|taufe|ball)(?!\p{L})/u;

/** “Geburtstagseinladung für Max” gives “Geburtstag von Max”; null when nobody or no such day is named. */
function dayOfSomebody(prompt: string, lang: Lang): string | null {
  const text = days.find(([pattern]) => pattern.test(prompt))?.[1];
  const name = text ? who.exec(prompt)?.[1] : undefined;
  if (text && name && !month.test(name)) return inLang(text, lang).replace('{who}', name);
  return joined.exec(prompt)?.[0] ?? null;
}

/**
 * “Wedding of Lena and Tom” gives “Lena & Tom”, “Mia’s 30th birthday” itself, “our summer party” “Summer Party”.
 */
export function eventName(prompt: string, lang: Lang): string {
  const pair = /(\p{Lu}\p{Ll}+)\s+(?:and|und|y|et|&)\s+(\p{Lu}\p{Ll}+)/u.exec(prompt);
  if (pair && /wedding|hochzeit|boda|mariage/iu.test(prompt)) return `${pair[1]} & ${pair[2]}`;
  const owned =
    /\p{Lu}\p{Ll}+[’']s\s+(?:\d+(?:st|nd|rd|th)\s+)?(?:birthday(?: party)?|party|wedding|concert|graduation)/u.exec(
      prompt,
    )?.[0];
  if (owned) return owned.replace(/(?<![\p{L}\p{N}’'])\p{L}/gu, (letter) => letter.toUpperCase());
  const invited =
    /Geburtstags(?:einladung|feier|party|fest|seite)\s+(?:für|von)\s+(\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+)?)/u.exec(
      prompt,
    )?.[1];
  if (invited && !/feier\s+von/u.test(prompt)) return `Geburtstag von ${invited}`;
  const birthday =
    /(?<!\p{L})(?:\d{1,3}\.\s+)?(?:(?i:Geburtstag (?:von|meine[rs]|unsere[rs])|cumpleaños de(?: mi| nuestr[oa])|anniversaire de (?:mon|ma|notre))\s+\p{Ll}+|(?i:Geburtstag (?:von|meine[rs]|unsere[rs])|cumpleaños de|anniversaire de)(?:\s+\p{Lu}[\p{L}’'-]*){1,3})/u.exec(
      prompt,
    )?.[0];
  const awaited =
    /(?<!\p{L})(?:countdown|cuenta atrás|compte à rebours)\s+(?:to|until|till|for|bis|zu[rm]?|für|para|hasta|jusqu[’']à|pour)\s+(?:(?:the|my|our|el|la|mis?|le|ma|mon|nuestr[oa]s?|notre|das|den|die|mein\p{L}*|unser\p{L}*)\s+)?((?:[\p{L}’'-]+\s?){1,3})/iu
      .exec(prompt)?.[1]
      ?.replace(/\s+(?:on|in|at|with|am|im|mit|el|en|con|le|avec)(?:\s.*)?$/iu, '')
      .trim();
  if (awaited)
    return lang === 'en'
      ? awaited.replace(/(?<![\p{L}’'])\p{L}/gu, (letter) => letter.toUpperCase())
      : capitalised(awaited, lang);
  if (birthday) return capitalised(birthday, lang);
  const held =
    /(?i:(?<!\p{L})(?:(?:birthday|farewell|graduation|anniversary|geburtstags)?(?:party|feier|concert|graduation|retirement|baptism|exhibition|konzert|abschied|taufe|ausstellung|jubiläum|fiesta|concierto|despedida|bautizo|exposición|graduación|fête|concert|baptême|exposition|vernissage))\s+(?:of|by|for|von|für|de|para|pour))(?:\s\p{Ll}+\s(?:de|von|für))?(?:\s+\p{Lu}[\p{L}’'-]*){1,3}/u.exec(
      prompt,
    )?.[0];
  if (held) return capitalised(held, lang);
  const day = dayOfSomebody(prompt, lang);
  if (day) return day;
  const title = titleOf('event', prompt, lang).replace(/^zu[rm]?\s/iu, '');
  if (title !== derivedName('event', '', lang, null)) return title;
  const counted = /(?<![\p{L}-])\p{L}[\p{L}-]{2,30}countdown(?!\p{L})/iu.exec(prompt)?.[0];
  if (counted) return capitalised(counted, lang);
  const phrase =
    /(?<![\p{L}’'-])((?:(?!a |an |the |zum |zur |for |our |my |event |page )[\p{L}-]+ )?(?:conference|wedding|birthday party|meetup|festival|party|hackathon|workshop|concert|konferenz|hochzeit|sommerfest|geburtstagsfeier|konzert|boda|congreso|fiesta|concierto|mariage|fête|conférence))(?!\p{L})/iu.exec(
      prompt,
    )?.[1];
  return phrase
    ? phrase.trim().replace(/(?<![\p{L}’'])\p{L}/gu, (letter) => letter.toLocaleUpperCase(lang))
    : (meetingName(prompt, lang) ?? title);
}
