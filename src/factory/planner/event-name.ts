import type { Lang } from '../spec.ts';
import { inLang } from './text.ts';

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
export function dayOfSomebody(prompt: string, lang: Lang): string | null {
  const text = days.find(([pattern]) => pattern.test(prompt))?.[1];
  const name = text ? who.exec(prompt)?.[1] : undefined;
  if (text && name && !month.test(name)) return inLang(text, lang).replace('{who}', name);
  return joined.exec(prompt)?.[0] ?? null;
}
