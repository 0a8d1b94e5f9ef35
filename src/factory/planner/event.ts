import type { Lang, Section, SectionItem } from '../spec.ts';
import { contactIn } from './contact.ts';
import { evening, events, pageTexts } from './content/texts.ts';
import { meeting } from './evenings.ts';
import { items, type SiteParts } from './site.ts';
import { dayIn, timeIn, timesIn } from './site-facts.ts';
import { splitItems, statedList } from './stated.ts';
import { isStyle } from './style.ts';
import { capitalised, inLang, shortened } from './text.ts';
import { words } from './words.ts';

const counting = words(
  '\\p{L}*-?countdown\\p{L}*|count(?:ing)? down|days (?:until|till|to)|cuenta atrás|cuenta regresiva|compte à rebours|tage bis',
);
const gathering = words(
  'party|partie|guests?|rsvp|invitation|invite\\p{L}*|programme?|schedule|feier|\\p{L}{3,}feier|gäste|einladung\\p{L}*|fiesta|invitad\\p{L}*|invitación|fête|invités|conference|konferenz|meetup|festival|concert|konzert|concierto|reunion|celebration',
);

const capital = "\\p{Lu}[\\p{L}’'-]*";
const venue: Record<Lang, RegExp> = {
  en: new RegExp(
    `(?<!\\p{L})(?:in|at|@)\\s+(?:the\\s+)?(${capital}(?:\\s+(?:of|the|house|place|garden|home|${capital})){0,4})`,
    'gu',
  ),
  de: new RegExp(
    `(?<!\\p{L})(?:in|im|am|auf|bei|beim)\\s+(?:der\\s+|dem\\s+|den\\s+)?(${capital}(?:\\s+(?:am|an|der|im|${capital})){0,4})`,
    'gu',
  ),
  es: new RegExp(
    `(?<!\\p{L})en\\s+(?:el\\s+|la\\s+|los\\s+|las\\s+)?(${capital}(?:\\s+(?:de|del|la|el|${capital})){0,4})`,
    'gu',
  ),
  fr: new RegExp(
    `(?<!\\p{L})(?:à|au|dans|chez)\\s+(?:la\\s+|le\\s+|l[’'])?(${capital}(?:\\s+(?:de|du|la|des|${capital})){0,4})`,
    'gu',
  ),
};
/** A place that is a common noun: “at the climbing hall”, “en el parque”. */
const plainVenue: Record<Lang, RegExp | null> = {
  en: /(?<!\p{L})(?:at|in)\s+(?:the|our|my)\s+((?:\p{Ll}[\p{L}’'-]+\s){0,2}(?:hall|park|garden|house|place|church|beach|bar|restaurant|caf[eé]|club|centre|center|school|office|gym|pool|barn|farm|hotel|museum|library|theat(?:re|er)|lake|backyard|zoo|rink|alley|playground))(?!\p{L})/iu,
  de: null,
  es: /(?<!\p{L})en\s+((?:el|la|nuestr[oa]|mi)\s+(?:parque|casa|jardín|playa|iglesia|finca|salón|bar|restaurante|club|colegio|oficina|piscina|bolera|centro)(?:\s+\p{Ll}+){0,2}?)(?=[,.;]|\s(?:con|a|y|el)\s|$)/iu,
  fr: /(?<!\p{L})(?:à|au|dans)\s+((?:la |le |l[’']|notre |mon )?(?:parc|maison|jardin|plage|église|salle|bar|restaurant|club|école|bureau|piscine|bowling|ferme)(?:\s+\p{Ll}+){0,2}?)(?=[,.;]|\s(?:avec|à|et|le)\s|$)/iu,
};
const notPlace =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch|\p{L}*(?:blau|grün|rot)|(?:Blue|Green|Red|Black|Pink|Gold)(?=$|\s(?:and|mode|theme|style))|CSV|Sommer|Winter|Frühling|Herbst|Summer|Spring|Stil|Style|Dark|Alter|Programm|Programme|Dresscode|Ende|Abend|Uhr|I|RSVP)(?!\p{L})/u;
const dateLike =
  /\d{1,2}[./:]\d|(?<!\p{L})(?:\d{1,2}(?:st|nd|rd|th|\.)?\s+\p{L}+|\p{L}+\s+\d{1,2})(?:,?\s+20\d\d)?$|^20\d\d$|\d\s?(?:uhr|pm|am|h)(?!\p{L})/iu;
const connectors = /^(?:of|the|de|del|la|las|los|el|du|des|le|les|am|an|der|im|zum|zur|di|da|&|and)$/u;
const shortPlace = /^(?:\p{Lu}|\d)/u;

/** “Villa Rossa, Florence”: names between commas which are nothing else. */
function listedPlace(prompt: string): string[] {
  return prompt
    .split(/[,;\n]|\.\s/u)
    .slice(1)
    .map((part) => part.trim().replace(/[.!]$/u, ''))
    .filter(
      (part) =>
        shortPlace.test(part) &&
        !dateLike.test(part) &&
        !notPlace.test(part) &&
        !isStyle(part) &&
        !/^\p{Lu}{2,4}$/u.test(part) &&
        part.split(/\s+/u).length <= 5 &&
        part.split(/\s+/u).every((word) => /^[\p{Lu}\d]/u.test(word) || connectors.test(word)),
    )
    .slice(0, 3);
}

/** Where something takes place, if the prompt says it. */
export function placeIn(prompt: string, lang: Lang, address: string | undefined): string | null {
  const named = [...prompt.matchAll(venue[lang])]
    .map(([, found = '']) => found.trim())
    .filter((found) => !notPlace.test(found) && found.length > 2);
  const plain = plainVenue[lang]?.exec(prompt)?.[1];
  const parts = [
    ...named,
    ...(plain ? [plain] : []),
    ...listedPlace(prompt),
    ...(address ? [address] : []),
  ].map((part) =>
    capitalised(
      part
        .replace(/^(?:el|la|los|las|le|les|l[’'])\s*(?=\p{Ll})/u, '')
        .replace(/\s+(?:of|the|de|del|la|du|am|an|der|im)$/u, ''),
      lang,
    ),
  );
  const once = parts.filter(
    (part, index) =>
      parts.findIndex((other) => other.includes(part)) === index &&
      !parts.some((other, at) => at !== index && other !== part && other.includes(part)),
  );
  return once.length > 0 ? shortened(once.slice(0, 3).join(', '), 120) : null;
}

const dress =
  /(?<!\p{L})(?:dress ?-?code|kleiderordnung|kleidung|código de (?:vestimenta|vestir)|vestimenta|tenue(?: (?:exigée|correcte|souhaitée))?)\s*(?::|is|ist|es|=|-|–)?\s*([^.,;\n]{2,60})/iu;

/** “14:00 ceremony, 18:00 dinner” and “ceremony at 14:00”: what happens, and when. */
function programmeIn(prompt: string, lang: Lang): SectionItem[] {
  const timed = prompt
    .split(/[,;\n]|\.\s|\s(?:and|und|y|et|then|dann|luego|puis)\s/iu)
    .flatMap((part): SectionItem[] => {
      const time = timesIn(part)[0];
      if (!time) return [];
      const title = `${part.slice(0, time.at)} ${part.slice(time.end)}`
        .replace(/^.*(?:programme?|schedule|ablauf|programm|programa|déroulement)\s*:/iu, ' ')
        .replace(/(?:^|\s)(?:at|um|ab|a las|à|from|with|mit|con|avec|-|–|:|is|ist)(?=\s|$)/giu, ' ')
        .replace(/^[^:]{2,120}:\s/u, ' ')
        .replace(/[:–-]\s*$/u, '')
        .replace(/\s+/gu, ' ')
        .trim();
      return /\p{L}{3}/u.test(title) && title.split(' ').length <= 6
        ? [{ title: capitalised(title, lang), meta: time.time }]
        : [];
    });
  if (timed.length >= 2) return timed.slice(0, 12);
  return statedList(prompt, 'programme').map((title): SectionItem => {
    const time = timesIn(title)[0];
    return time
      ? {
          title: capitalised(
            (title.slice(0, time.at) + title.slice(time.end)).replace(
              /^[\s:–-]+|[\s:–-]+$|\s(?:at|um|a las|à)\s*$/giu,
              '',
            ) || title,
            lang,
          ),
          meta: time.time,
        }
      : { title: capitalised(title, lang) };
  });
}

/** The examples begin when the event does. */
function movedTo(start: string, programme: readonly SectionItem[]): SectionItem[] {
  const minutes = (time: string) => Number(time.split(':')[0]) * 60 + Number(time.split(':')[1]);
  const shift = minutes(start) - minutes(programme[0]?.meta ?? start);
  return programme.map((item) => {
    const at = (minutes(item.meta ?? start) + shift + 1440) % 1440;
    return {
      ...item,
      meta: `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`,
    };
  });
}

const turning =
  /(?:(?<![\p{L}-])(\p{Lu}[\p{L}-]+))?,?\s*(?:is turning|turns|wird|cumple|fête ses|va avoir|aura)\s+(\d{1,3})(?!\d)/u;
const turns = '{name} turns {age}|{name} wird {age}|{name} cumple {age}|{name} fête ses {age} ans';

/** “Max, wird 8” as a line below the name. */
function ageLine(prompt: string, lang: Lang): string | null {
  const found = turning.exec(prompt);
  const name = found?.[1] ?? /(?:für|for|para|pour|von|of|de)\s+(\p{Lu}[\p{L}-]+)/u.exec(prompt)?.[1];
  return found && name
    ? inLang(turns, lang)
        .replace('{name}', name)
        .replace('{age}', found[2] ?? '')
    : null;
}

const waiting =
  'Day by day, second by second.|Tag für Tag, Sekunde für Sekunde.|Día a día, segundo a segundo.|Jour après jour, seconde après seconde.';

export function eventParts(
  prompt: string,
  lang: Lang,
): SiteParts & { readonly accent: string; readonly look: 'soft' | 'crisp' | 'editorial' } {
  const meets = meeting.test(prompt) && !gathering.test(prompt);
  const event = (meets && evening) || (events.find((entry) => words(entry.words).test(prompt)) ?? events[2]);
  const waits = counting.test(prompt) && !gathering.test(prompt);
  const day = dayIn(prompt);
  const time = timeIn(prompt);
  const contact = contactIn(prompt, lang);
  const place = placeIn(prompt, lang, contact.address);
  // “19:00 at Betahaus” says where and when it begins, not what happens.
  const stated = programmeIn(prompt, lang).filter(({ title }) => !place?.includes(title));
  const start =
    time ??
    (waits
      ? '00:00'
      : (stated[0]?.meta ?? (items(event.items, lang, 'meta')[0]?.meta ?? '17:00').padStart(5, '0')));
  const programme =
    stated.length > 0 ? stated : waits ? [] : movedTo(start, items(event.items, lang, 'meta'));
  const code = dress.exec(prompt)?.[1]?.trim();
  const sections: Section[] = [
    ...(programme.length > 0
      ? [{ type: 'schedule' as const, title: inLang(pageTexts.programme, lang), items: programme }]
      : []),
    ...(code
      ? [
          {
            type: 'text' as const,
            title: inLang('Dress code|Kleidung|Vestimenta|Tenue', lang),
            text: capitalised(code, lang),
            items: [],
          },
        ]
      : []),
    ...wishes(prompt, lang),
  ];
  return {
    sections,
    hours: [],
    contact,
    copy: {
      day: day ?? '@+60',
      time: start,
      ...(place ? { place } : {}),
      ...(waits ? { rsvp: 'no' } : {}),
    },
    tagline: ageLine(prompt, lang) ?? inLang(waits ? waiting : event.tagline, lang),
    examples: [
      ...(day === null ? ['date' as const] : day.startsWith('@') ? ['nextDay' as const] : []),
      ...(stated.length === 0 && !waits ? ['programme' as const] : []),
      ...(waits ? [] : ['texts' as const]),
    ],
    accent: event.accent,
    look: event.look,
  };
}

const bring =
  /(?<!\p{L})(?:please bring|bring(?: your)?|mitbringen:?|bitte (?:\p{L}+ )?mitbringen:?|bringt|traed|traer|trae|apportez|à apporter :?)\s+([^.;\n]{3,120})/iu;

/** What guests are asked to bring. */
function wishes(prompt: string, lang: Lang): Section[] {
  const told = bring.exec(prompt)?.[1];
  return told
    ? [
        {
          type: 'text',
          title: inLang('Please bring|Bitte mitbringen|Para traer|À apporter', lang),
          text: splitItems(told)
            .map((item) => capitalised(item, lang))
            .join(', '),
          items: [],
        },
      ]
    : [];
}
