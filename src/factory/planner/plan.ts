import { cleanPrompt } from '../prompt.ts';
import { type AppSpec, type Kind, type Lang, maxSpecBytes } from '../spec.ts';
import { type Assumption, assume } from './assumptions.ts';
import { coloursOf } from './colour.ts';
import { townIn } from './contact.ts';
import { derivedName, taglineOf } from './content/taglines.ts';
import { type Content, contentOf } from './content-of.ts';
import { docsParts } from './docs.ts';
import { entityIn } from './entity-in.ts';
import { eventParts } from './event.ts';
import { dayOfSomebody } from './event-name.ts';
import { featuresOf } from './features.ts';
import { statedFields } from './fields.ts';
import { kindOf, mayBeTracker } from './kind.ts';
import { landingParts } from './landing.ts';
import { languageOf } from './language.ts';
import { appNameOf } from './lexicon/app-names.ts';
import { properName, statedName } from './name.ts';
import { ownName } from './own-name.ts';
import { ownerIn, portfolioParts } from './portfolio.ts';
import { businessIn, type SiteParts } from './site.ts';
import { quizName } from './subject.ts';
import { capitalised, hashOf, inLang, shortened } from './text.ts';
import { namedTrade } from './trade-name.ts';
import { corrected } from './typos.ts';
import { currencyOf, settingsOf, variantOf } from './variants.ts';

const accents: Record<Kind, string> = {
  tracker: '#2563eb',
  habits: '#1f8a5b',
  board: '#2563eb',
  dashboard: '#4f46e5',
  quiz: '#7c3aed',
  flashcards: '#d9631e',
  calculator: '#0f8a8a',
  converter: '#0f8a8a',
  timer: '#c8372d',
  landing: '#2f6f62',
  portfolio: '#34558b',
  docs: '#2563eb',
  game: '#1f8a5b',
  form: '#0f8a8a',
  notes: '#d9921e',
  event: '#d9631e',
};

export interface PlanOptions {
  /** Takes the kind as given instead of reading it from the prompt. */
  readonly kind?: Kind;
}

/** Reads a prompt into the description of an app, by rules only: the same prompt always gives the same spec. */
export function planApp(rawPrompt: string, options: PlanOptions = {}): AppSpec {
  const written = cleanPrompt(rawPrompt);
  const stated = statedName(written);
  const { text: prompt, changes } = corrected(written, stated, languageOf(written));
  const lang = languageOf(prompt);
  // A name says nothing about the kind: “Snake Pit”, a bar.
  const request = prompt.replace(persona, '');
  const unnamed = stated ? request.replaceAll(stated, ' ').trim() || request : request;
  const found = entityIn(unnamed);
  const trade = businessIn(unnamed);
  // In “coffee shop”, coffee is not what is kept track of.
  const named = namedTrade(unnamed);
  const inTrade =
    found !== null &&
    (within(found.text, named?.name) ||
      (trade !== null && trade.text.length > found.text.length && within(found.text, trade.text)));
  const read = kindOf(
    unnamed,
    inTrade ? null : (found?.at ?? null),
    trade?.at ?? named?.at ?? null,
    found?.measured ?? false,
  );
  const listed = mayBeTracker(read, unnamed) && statedFields(unnamed, lang).fields.length >= 3;
  const kind = options.kind ?? (listed ? 'tracker' : read.kind);
  // A variant that was read belongs to the kind that was read.
  const readVariant = kind === read.kind ? read.variant : '';
  const firstVariant = variantOf(kind, readVariant, unnamed, 'table');
  // Who leaves everything open gets tasks to do.
  const open = read.guessed && !listed && !options.kind;
  const thing = open && kind === 'tracker' ? entityIn('task') : found;
  const content = contentOf(kind, firstVariant.variant, unnamed, lang, thing);
  const { variant, told } = variantOf(kind, readVariant, unnamed, content.layout || 'table');
  const currency = currencyOf(unnamed, lang);
  const site = siteOf(kind, prompt, lang, stated, currency.code);
  // A calculator without a ready formula is none for what the prompt says.
  const own = told && !read.guessed ? ownName(kind, unnamed, lang) : null;
  const called = kind === 'tracker' ? appNameOf(thing?.entry.id, lang) : null;
  const usual = own ?? called ?? derivedName(kind, variant, lang, content.entity);
  const asks = kind === 'quiz' || kind === 'flashcards';
  // A quiz whose questions are on something else must not be called by its subject.
  const subject =
    asks && !content.said.includes('topic') ? quizName(unnamed, lang, kind === 'flashcards') : null;
  const name = shortened(stated ?? site?.name ?? subject ?? usual, 60);
  const business = kind === 'landing' ? businessIn(prompt)?.business : undefined;
  const event = kind === 'event' ? eventParts(prompt, lang) : undefined;
  const colours = coloursOf(
    prompt,
    stated ?? site?.name ?? null,
    business?.accent ?? event?.accent ?? content.accent ?? accents[kind],
  );
  const look =
    business?.look ??
    event?.look ??
    (kind === 'portfolio' && hashOf(prompt, 'look') % 2 ? 'editorial' : colours.palette.look);
  const showsPrices =
    site?.parts.sections.some(({ items }) => items.some(({ price }) => /\d/u.test(price ?? ''))) ?? false;
  const said: readonly Assumption[] = [
    ...(open ? ['vague' as const] : []),
    ...(changes.length > 0 ? ['typos' as const] : []),
    ...(stated || site?.proper || subject ? [] : ['name' as const]),
    ...(told ? [] : [kind === 'game' ? ('game' as const) : ('formula' as const)]),
    ...content.said,
    ...(kind === 'timer' && turns.test(unnamed) ? ['turns' as const] : []),
    ...(site?.parts.examples ?? []),
    ...(colours.stated ? [] : ['colour' as const]),
    ...((showsPrices || needsCurrency(content, kind, variant)) && !currency.told
      ? ['currency' as const]
      : []),
    ...(/(?<!\p{L})(weather|wetter|clima|météo|stocks?|crypto|bitcoin|news|live (?:data|scores?|prices?)|flights?|maps?|chatbot|ai|gpt)(?!\p{L})/iu.test(
      unnamed,
    )
      ? ['live' as const]
      : []),
    ...(/(?<!\p{L})(login|sign in|users can|multi-?user|team|share|online|real-?time|chat|anmelden|accounts?|synchroni\p{L}*|usuarios|utilisateurs)(?!\p{L})/iu.test(
      unnamed,
    )
      ? ['device' as const]
      : []),
  ];
  const values: Partial<Record<Assumption, { name?: string; fields?: string }>> = {
    name: { name },
    game: { name: usual },
    currency: { name: currency.code },
    split: {
      name:
        content.entity?.fields
          .slice(1)
          .map((field) => field.label)
          .join(', ') ?? '',
    },
    unknownThing: { name: content.entity?.plural ?? '' },
    typos: { fields: changes.slice(0, 5).join(', ') },
    fields: { fields: content.entity?.fields.map((field) => field.label).join(', ') ?? '' },
  };
  return trimmed({
    v: 1,
    kind,
    variant,
    name,
    tagline: shortened(site?.parts.tagline || taglineOf(kind, lang, content.entity?.plural ?? ''), 160),
    lang,
    palette: { ...colours.palette, look },
    currency: currency.code,
    entity: content.entity,
    features: featuresOf(kind, variant, unnamed, content.entity),
    seed: content.seed,
    sections: site?.parts.sections ?? content.sections,
    questions: content.questions,
    hours: site?.parts.hours ?? [],
    contact: site?.parts.contact ?? {},
    settings: settingsOf(kind, variant, unnamed),
    copy: site?.parts.copy ?? content.copy,
    assumptions: said.map((what) => shortened(assume(what, lang, values[what]), 240)),
  });
}

/** “I am a project manager and …” says who asks, not what for. */
const persona =
  /^(?:(?:hi|hello|hey|hallo|hola|bonjour)[,!. ]+)?(?:i[’']?m|i am|ich bin|soy|je suis) (?:an? |eine? |una? |une? )?[\p{L} -]{3,40}?(?:,| and| und| y| et)\s(?=.{8})/iu;

/** A clock of a game stops for the one and runs for the other. */
const turns =
  /(?:chess|game) ?(?:clock|timer)|schach-?uhr|(?:reloj|temporizador) de ajedrez|(?:pendule|horloge) d[’']échecs/iu;

const within = (text: string, whole: string | undefined) =>
  whole?.toLowerCase().includes(text.toLowerCase()) ?? false;

interface Site {
  readonly parts: SiteParts;
  readonly name: string;
  /** The prompt gave the name of whom the site is for. */
  readonly proper: boolean;
}

function siteOf(
  kind: Kind,
  prompt: string,
  lang: Lang,
  stated: string | null,
  currency: string,
): Site | null {
  if (!['landing', 'portfolio', 'docs', 'event'].includes(kind)) return null;
  const trade = kind === 'landing' ? (namedTrade(prompt)?.name ?? null) : null;
  const proper =
    kind === 'event'
      ? null
      : (trade ?? properName(prompt, lang, kind) ?? (kind === 'portfolio' ? ownerIn(prompt) : null));
  const own = kind === 'event' ? eventName(prompt, lang) : titleOf(kind, prompt, lang);
  const name = capitalised(
    stated ?? (kind === 'docs' && proper ? helpName(proper, prompt, lang) : proper) ?? own,
    lang,
  );
  const makers = {
    landing: () => landingParts(prompt, name, lang, currency),
    portfolio: () => portfolioParts(prompt, lang),
    docs: () => docsParts(prompt, name, lang),
    event: () => eventParts(prompt, lang),
  };
  return { parts: makers[kind as keyof typeof makers](), name, proper: stated !== null || proper !== null };
}

/** A name for a site made of what it is for: “our summer party” gives “Summer Party”. */
function titleOf(kind: Kind, prompt: string, lang: Lang): string {
  const what = {
    en: '(?:(?:for|of|to)\\s+(?:my|our|the|a|an)|about(?: my| our| the| an?)?)',
    de: '(?:für|zu[rm]?|bis)\\s+(?:meine[rnms]?|unsere[rnms]?|die|das|den|eine?[nm]?)?',
    es: '(?:para|de)\\s+(?:mi|nuestr[oa]|el|la|una?)',
    fr: '(?:pour|de|du)\\s+(?:mon|ma|notre|le|la|une?)',
  }[lang];
  const found = new RegExp(`${what}\\s+((?:[\\p{L}’'-]+\\s?){1,3})`, 'iu').exec(prompt)?.[1];
  const phrase = found
    ?.replace(
      /\s+(?:with|in|on|at|and|that|mit|und|am|im|con|en|y|el|avec|et|à|le|called|from|where|which|open|to|for|für|para|pour|zu|über|covering|about|sobre|sur)(?:\s.*)?$/iu,
      '',
    )
    .trim();
  if (!phrase || /^(?:me|us|it|you|website|app|page|site)$/iu.test(phrase)) {
    const trade = kind === 'landing' ? businessIn(prompt)?.text : undefined;
    return trade ? titled(trade, kind, prompt, lang) : derivedName(kind, '', lang, null);
  }
  if (kind === 'docs')
    return helpName(
      lang === 'en' ? phrase.replace(/(?<![\p{L}’'])\p{L}/gu, (letter) => letter.toUpperCase()) : phrase,
      prompt,
      lang,
    );
  return titled(phrase, kind, prompt, lang);
}

function titled(phrase: string, kind: Kind, prompt: string, lang: Lang): string {
  const title =
    lang === 'en' ? phrase.replace(/(?<![\p{L}’'])\p{L}/gu, (letter) => letter.toUpperCase()) : phrase;
  const town = kind === 'landing' ? townIn(prompt, lang)?.replace(/^\d+\s/u, '') : null;
  if (town && !title.includes(town)) return `${title} ${inLang('in|in|en|à', lang)} ${town}`;
  if (kind === 'portfolio') return lang === 'en' ? `${title} Portfolio` : derivedName(kind, '', lang, null);
  return title;
}

/** “FAQ for our library” gives “Library FAQ”. */
function helpName(what: string, prompt: string, lang: Lang): string {
  const faq = /(?<!\p{L})faqs?(?!\p{L})/iu.test(prompt);
  return inLang(
    faq
      ? `${what} FAQ|FAQ: ${what}|FAQ: ${what}|FAQ : ${what}`
      : `${what} Help|${what}: Hilfe|Ayuda: ${what}|Aide : ${what}`,
    lang,
  );
}

/** “Wedding of Lena and Tom” gives “Lena & Tom”, “Mia’s 30th birthday” itself, “our summer party” “Summer Party”. */
function eventName(prompt: string, lang: Lang): string {
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
    : title;
}

function needsCurrency(content: Content, kind: Kind, variant: string): boolean {
  const money = content.entity?.fields.some((field) => field.type === 'currency') ?? false;
  return (
    money || (kind === 'calculator' && !['basic', 'bmi', 'age', 'calories', 'percentage'].includes(variant))
  );
}

/** A long list of long texts may pass the limit of a spec; examples are what can be left out first. */
function trimmed(spec: AppSpec): AppSpec {
  let small = spec;
  while (Buffer.byteLength(JSON.stringify(small)) > maxSpecBytes - 64) {
    if (small.seed.length > 0) small = { ...small, seed: small.seed.slice(0, -1) };
    else if (small.questions.length > 4) small = { ...small, questions: small.questions.slice(0, -1) };
    else if (small.sections.length > 1) small = { ...small, sections: small.sections.slice(0, -1) };
    else return small;
  }
  return small;
}
