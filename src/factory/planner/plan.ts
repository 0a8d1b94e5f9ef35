import { cleanPrompt } from '../prompt.ts';
import { type AppSpec, type Kind, maxSpecBytes } from '../spec.ts';
import { type Assumption, assume } from './assumptions.ts';
import { coloursOf } from './colour.ts';
import { derivedName, taglineOf } from './content/taglines.ts';
import { type Content, contentOf } from './content-of.ts';
import { entityIn } from './entity-in.ts';
import { eventParts } from './event.ts';
import { featuresOf } from './features.ts';
import { statedFields } from './fields.ts';
import { kindOf, mayBeTracker } from './kind.ts';
import { languageOf } from './language.ts';
import { appNameOf } from './lexicon/app-names.ts';
import { statedName } from './name.ts';
import { ownName } from './own-name.ts';
import { businessIn } from './site.ts';
import { siteOf } from './site-of.ts';
import { quizName } from './subject.ts';
import { hashOf, shortened } from './text.ts';
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
