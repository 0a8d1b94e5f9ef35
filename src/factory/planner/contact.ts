import type { Contact, Lang } from '../spec.ts';
import { inLang, shortened } from './text.ts';
import { words } from './words.ts';

const capital = "\\p{Lu}[\\p{L}’'-]*";
/** Streets as four languages write them, with the number before or behind. */
const streets: readonly RegExp[] = [
  /\d{1,4}\s?(?:[a-z]|bis|ter)?,?\s+(?:rue|avenue|av\.|boulevard|bd|place|quai|allée|chemin|impasse|cours)\s+(?:\p{L}|[-’'. ]){1,60}?(?=[,.;:\n]|\s(?:with|avec|and|et|à|open|ouvert|tel|tél|\d)|$)/iu,
  /(?<!\p{L})(?:calle|c\/|avenida|avda\.?|av\.|plaza|paseo|camino|ronda|carrer)\s+(?=\S)[\p{L}. -]{1,60}?,?\s*(?:n[ºo.]\s?)?(?:\d{1,4}|s\/n)/iu,
  new RegExp(
    `\\d{1,4}[a-zA-Z]?\\s+(?:${capital}\\.?\\s+){1,3}(?i:street|st\\.?|road|rd\\.?|avenue|ave\\.?|lane|ln\\.?|square|boulevard|blvd\\.?|drive|dr\\.?|way|court|place|terrace|row)(?![\\p{L}])`,
    'u',
  ),
  /(?<!\d)\d{1,4}[a-z]?\s+(?!(?:min|minutes?|years?|days?|euros?|dollars?)\s)\p{Ll}{3,20}\s+(?:street|road|avenue|lane)(?!\p{L})/u,
  /(?<![\p{L}-])[\p{L}-]{2,40}(?:straße|strasse|str\.|gasse|weg|platz|allee|ring|ufer|damm|markt)\s+\d{1,4}[a-z]?(?![\p{L}\d])/iu,
  /\p{Lu}[\p{L}.-]*\s+(?:Straße|Strasse|Str\.|Weg|Platz|Allee|Gasse|Ring)\s+\d{1,4}[a-z]?(?![\p{L}\d])/u,
  /(?:Am|An der|Im|Auf dem|Zum|Zur)\s+\p{Lu}\p{L}+\s+\d{1,4}(?![\p{L}\d:.])/u,
];
const mail = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u;
const phoneNamed =
  /(?<!\p{L})(?:phone|tel(?:e(?:fon|phone|fono))?|tél(?:éphone)?|teléfono|call(?: us)?(?: at| on)?|ruf(?:t)?(?: uns)?(?: an)?|llama(?:r|nos)?(?: al)?|appelez(?:[- ]nous)?(?: au)?|mobile?|handy|whats ?app|móvil|fon)(?: number| nr)?\.?\s*(?:is|:|at|unter|au|al)?\s*(\+?\(?\d[\d ()/.-]{4,20}\d)/iu;
const phonePlain =
  /(?<![\d€$£.,])(?:\+\d[\d ()/.-]{6,18}\d|0\d[\d ()/.-]{6,18}\d|\(\d{3}\)\s?\d{3}[- ]\d{4}|\d{3}[- .]\d{3}[- .]\d{4}|\d{3}-\d{4})(?![\d.-])/u;

/** Capitalised words behind “in” that are no town. */
const noTown =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Blue|Green|Red|Pink|Black|Teal|Navy|Purple|Orange|Yellow|Blau|Grün|Rot|Gelb|Schwarz|Weiß|Lila|Rosa|Türkis|\p{L}*(?:blau|grün|rot|gelb|grau)|CSV|PDF|JSON|HTML|CSS|Excel|English|German|French|Spanish|Italian|Englisch|Deutsch|Spanisch|Französisch|Español|Inglés|Français|Anglais|Sommer|Winter|Frühling|Herbst|Summer|Spring|Autumn|Calle|Avenida|Plaza|Dark|Light|Form|Ordnung|Zukunft|Farbe|Richtung|Zeiten|Tagen|Minuten|Stunden|Euro|EUR|USD|Ruhe|React|Our|My|The|A|An|\p{L}+(?:modus|design|stil|ung|heit|keit|schaft))(?!\p{L})/u;
const townWord = `${capital}(?:\\s+(?:(?:am|an der|ob der|de|de la|del|upon|on|sur|im)\\s+)?${capital}){0,2}`;
const townAfter: Record<Lang, RegExp> = {
  en: new RegExp(
    `(?<!\\p{L})(?:in|near|from|based in)\\s+(?:the (?:city|town|heart) of\\s+)?(${townWord})`,
    'gu',
  ),
  de: new RegExp(`(?<!\\p{L})(?:in|aus|bei|nahe)\\s+(${townWord})`, 'gu'),
  es: new RegExp(`(?<!\\p{L})(?:en|de|desde|cerca de)\\s+(${townWord})`, 'gu'),
  fr: new RegExp(`(?<!\\p{L})(?:à|au|en|de|près de)\\s+(${townWord})`, 'gu'),
};
/** Only these say where something is; “de” may also say whose it is. */
const placed: Record<Lang, RegExp> = {
  en: /^(?:in|near|from|based in)\s/u,
  de: /^(?:in|aus|bei|nahe)\s/u,
  es: /^(?:en|desde|cerca de)\s/u,
  fr: /^(?:à|au|en|près de)\s/u,
};
const postal = new RegExp(`(?<![\\d€$£-])\\d{5}\\s+(${townWord})`, 'u');
/** Towns that people write without a capital. */
const smallTown = words(
  '(?:in|à|en|near|from) (berlin|munich|münchen|hamburg|köln|cologne|frankfurt|kassel|leipzig|dresden|bremen|stuttgart|hannover|vienna|wien|graz|zürich|zurich|basel|bern|geneva|paris|lyon|marseille|nantes|bordeaux|lille|toulouse|rennes|strasbourg|montpellier|grenoble|madrid|barcelona|sevilla|seville|valencia|bilbao|málaga|malaga|granada|zaragoza|london|manchester|bristol|leeds|dublin|edinburgh|glasgow|new york|chicago|boston|los angeles|san francisco|seattle|austin|denver|portland|brooklyn|toronto|vancouver|montreal|sydney|melbourne|rome|milan|florence|naples|venice|lisbon|porto|amsterdam|brussels|copenhagen|stockholm|oslo|helsinki|prague|budapest|warsaw|athens|buenos aires|lima|bogotá|santiago|quito|ciudad de méxico|tokyo)',
);

/** The town that a prompt names: “in Kassel”, “à Nantes”, “34117 Kassel”. */
export function townIn(prompt: string, lang: Lang): string | null {
  const coded = postal.exec(prompt)?.[0];
  if (coded) return shortened(coded, 60);
  for (const match of prompt.matchAll(townAfter[lang])) {
    const town = (match[1] ?? '').replace(/[’'-]+$/u, '');
    if (placed[lang].test(match[0]) && town.length > 2 && !noTown.test(town)) return shortened(town, 60);
  }
  const small = smallTown.exec(prompt)?.[1];
  return small ? small.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()) : null;
}

/** Address with its town, phone and email, as far as the prompt gives them. */
export function contactIn(prompt: string, lang: Lang): Contact {
  const street = streets
    .map((pattern) => pattern.exec(prompt)?.[0].trim())
    .find((found) => found !== undefined);
  const email = mail.exec(prompt)?.[0];
  const plain = email ? prompt.replace(email, ' ') : prompt;
  const number = (phoneNamed.exec(plain)?.[1] ?? phonePlain.exec(plain)?.[0])?.trim();
  const behind = street ? new RegExp(`^,\\s+(${townWord})(?=[,.;]|$)`, 'u') : null;
  const after = behind?.exec(prompt.slice(prompt.indexOf(street ?? '') + (street ?? '').length))?.[1];
  const town = townIn(prompt, lang) ?? (after && !noTown.test(after) ? after : null);
  const address = [street, town && !street?.includes(town) ? town : null].filter(Boolean).join(', ');
  return {
    ...(email ? { email: shortened(email, 120) } : {}),
    ...(number ? { phone: number.slice(0, 40) } : {}),
    ...(address ? { address: shortened(address, 120) } : {}),
  };
}

const networks =
  'instagram|insta|facebook|tiktok|youtube|twitter|bluesky|mastodon|linkedin|github|threads|behance|dribbble|spotify|soundcloud|bandcamp|telegram';
const handle = /(?<![\p{L}\p{N}._%+-])@[A-Za-z0-9_](?:[A-Za-z0-9_.]{0,28}[A-Za-z0-9_])?(?![\p{L}\p{N}@])/gu;
const page =
  /(?<![\p{L}\p{N}@.])(?:https?:\/\/|www\.)?(?:[a-z0-9-]{2,40}\.)+(?:com|org|net|de|es|fr|io|dev|app|eu|at|ch|co|me|uk|mx|tv)(?:\/[\w./-]{0,60})?(?![\p{L}\p{N}@])/giu;
const networkBefore = new RegExp(`(?<!\\p{L})(${networks})\\s*(?:is|:|at|unter)?\\s*$`, 'iu');

/** Handles and addresses of pages: “Instagram @velvetfoxes”. */
export function onlineIn(prompt: string): string[] {
  const plain = prompt.replace(new RegExp(mail.source, 'gu'), ' ');
  const handles = [...plain.matchAll(handle)].map((match) => {
    const network = networkBefore.exec(plain.slice(Math.max(0, match.index - 24), match.index))?.[1];
    const name = network ? network.charAt(0).toUpperCase() + network.slice(1) : '';
    return `${name === 'Insta' ? 'Instagram' : name} ${match[0]}`.trim();
  });
  return [...new Set([...handles, ...[...plain.matchAll(page)].map(([found]) => found)])].slice(0, 4);
}

const since =
  /(?<!\p{L})(?:since|established(?: in)?|est\.|founded(?: in)?|seit|gegründet|desde|fundad[ao](?: en)?|depuis|fondée?(?: en)?)\s+((?:1[5-9]|20)\d{2})(?!\d)/iu;

/** “Since 1987”, in the language of the page. */
export function sinceIn(prompt: string, lang: Lang): string | null {
  const year = since.exec(prompt)?.[1];
  return year ? `${inLang('since|seit|desde|depuis', lang)} ${year}` : null;
}
