import { kindOfApp } from '../catalogue.ts';
import { type AppSpec, maxSpecBytes, type Palette, type TemplateName } from '../spec.ts';
import { type Assumption, assume } from './assumptions.ts';
import { coloursOf } from './colour.ts';
import { derivedName, taglineOf } from './content/taglines.ts';
import { type Content, contentOf } from './content-of.ts';
import { eventParts } from './event.ts';
import { featuresOf } from './features.ts';
import { appNameOf } from './lexicon/app-names.ts';
import { frontTitle, ownName } from './own-name.ts';
import { type AppRequest, requestIn } from './request.ts';
import { businessIn } from './site.ts';
import { type Site, siteOf } from './site-of.ts';
import { quizName } from './subject.ts';
import { hashOf, inLang, shortened } from './text.ts';
import { currencyOf, settingsOf, variantOf } from './variants.ts';

export interface SpecOptions {
  /** Takes the template as given instead of reading it from the prompt. */
  readonly kind?: TemplateName;
}

/** Reads a prompt into the description of an app, by rules only: the same prompt always gives the same spec. */
export function makeSpec(rawPrompt: string, options: SpecOptions = {}): AppSpec {
  const request = requestIn(rawPrompt, options.kind);
  const { prompt, wish, lang, template } = request;
  const first = variantOf(template, request.variant, wish, 'table');
  const content = contentOf(template, first.variant, wish, lang, request.thing, request.entries);
  const { variant, told } = variantOf(template, request.variant, wish, content.layout || 'table');
  const currency = currencyOf(wish, lang);
  const site = siteOf(template, prompt, lang, request.name, currency.code);
  const draft = { request, content, variant, told, currency, site };
  const name = nameOf(draft);
  const colours = appearanceOf(draft);
  return trimmed({
    v: 1,
    kind: template,
    variant,
    name: name.text,
    tagline: shortened(
      site?.parts.tagline || goalLine(request) || taglineOf(template, lang, content.entity?.plural ?? ''),
      160,
    ),
    lang,
    palette: colours.palette,
    currency: currency.code,
    entity: content.entity,
    features: featuresOf(template, variant, wish, content.entity),
    seed: content.seed,
    sections: site?.parts.sections ?? content.sections,
    questions: content.questions,
    hours: site?.parts.hours ?? [],
    contact: site?.parts.contact ?? {},
    settings: settingsOf(template, variant, wish),
    copy: site?.parts.copy ?? content.copy,
    icon: '',
    formula: null,
    grid: null,
    choices: [],
    assumptions: assumptionsOf(draft, name, colours.stated),
  });
}

/** A goal that the prompt sets stands where everybody sees it. */
const goalLine = ({ goal, lang }: AppRequest): string =>
  goal === null
    ? ''
    : inLang('Goal: {goal}|Ziel: {goal}|Objetivo: {goal}|Objectif : {goal}', lang).replace(
        '{goal}',
        () => goal,
      );

/** A spec on its way. */
interface SpecDraft {
  readonly request: AppRequest;
  readonly content: Content;
  readonly variant: string;
  /** The variant is what the prompt says, not the nearest that there is. */
  readonly told: boolean;
  readonly currency: { readonly code: string; readonly told: boolean };
  readonly site: Site | null;
}

interface Name {
  readonly text: string;
  /** The prompt gave it, or the subject that it is made of. */
  readonly stated: boolean;
  /** What an app of this template is called anyway. */
  readonly defaultName: string;
}

function nameOf({ request, content, variant, told, site }: SpecDraft): Name {
  const { wish, lang, template } = request;
  // A calculator without a ready formula is none for what the prompt says.
  const own = told && !request.open ? ownName(template, wish, lang) : null;
  const called = template === 'tracker' ? appNameOf(request.thing?.entry?.id, lang) : null;
  // A list of things without a name is called by what stands in front of it.
  const title = template === 'tracker' && !request.thing ? frontTitle(wish, lang) : null;
  const defaultName = own ?? called ?? title ?? derivedName(template, variant, lang, content.entity);
  // A quiz whose questions are on something else must not be called by its subject.
  const other = content.said.some((what) => what === 'topic' || what === 'nearTopic');
  const asks = (template === 'quiz' || template === 'flashcards') && !other;
  const subject = asks ? quizName(wish, lang, template === 'flashcards') : null;
  return {
    text: shortened(request.name ?? site?.name ?? subject ?? defaultName, 60) || template,
    stated: Boolean(request.name || site?.proper || subject),
    defaultName,
  };
}

/** The palette, and whether the prompt named its colour. */
function appearanceOf({ request, content, site }: SpecDraft): { palette: Palette; stated: boolean } {
  const { prompt, lang, template } = request;
  const business = template === 'landing' ? businessIn(prompt)?.business : undefined;
  const event = template === 'event' ? eventParts(prompt, lang) : undefined;
  const defaultAccent = business?.accent ?? event?.accent ?? content.accent ?? kindOfApp(template).accent;
  const { palette, stated } = coloursOf(prompt, request.name ?? site?.name ?? null, defaultAccent);
  const editorial = template === 'portfolio' && hashOf(prompt, 'look') % 2 ? 'editorial' : palette.look;
  return { palette: { ...palette, look: business?.look ?? event?.look ?? editorial }, stated };
}

/** A clock of a game stops for the one and runs for the other. */
const turns =
  /(?:chess|game) ?(?:clock|timer)|schach-?uhr|(?:reloj|temporizador) de ajedrez|(?:pendule|horloge) d[’']échecs/iu;
/** What only another service knows. */
const live =
  /(?<!\p{L})(weather|wetter|clima|météo|stock (?:prices?|market|portfolio|quotes?)|(?:börsen|aktien)kurse?|crypto|bitcoin|news|live (?:data|scores?|prices?)|flights?|maps?|chatbot|ai|gpt)(?!\p{L})/iu;
/** What would be made of entries: an invoice to send, a file. */
const documents =
  /(?<!\p{L})(?:(?:invoice|quote|receipt|estimate|bill|contract|certificate|letter)s? (?:generator|maker|creator|builder|generation)|(?:generat(?:e|es|ing)|print(?:s|ing)?|export(?:s|ing)?) (?:\p{L}+ ){0,2}(?:invoices|quotes|receipts|pdfs?|documents)|pdfs?|(?:rechnungs|angebots|quittungs|beleg)-?(?:generator|ersteller|erstellung|vorlage)|(?:rechnungen|angebote|quittungen) (?:erstellen|erzeugen|schreiben|drucken)|(?:generador|creador|generar|crear|emitir) (?:de )?(?:facturas|presupuestos|recibos)|(?:générateur|créateur|générer|créer|éditer) (?:de |des )?(?:factures|devis|reçus))(?!\p{L})/iu;
/** What takes several people or devices. */
const shared =
  /(?<!\p{L})(login|sign in|users can|multi-?user|team|share|online|real-?time|chat|anmelden|accounts?|synchroni\p{L}*|usuarios|utilisateurs)(?!\p{L})/iu;

/** What there is to say about the choices, in the language of the prompt. */
function assumptionsOf(draft: SpecDraft, name: Name, colourStated: boolean): string[] {
  const { request, content, site, told, currency } = draft;
  const { wish, lang, template, corrections } = request;
  const fields = content.entity?.fields.map(({ label }) => label) ?? [];
  const said: readonly (Assumption | false)[] = [
    request.open && 'vague',
    corrections.length > 0 && 'typos',
    !name.stated && 'name',
    !told && (template === 'game' ? 'game' : 'formula'),
    ...content.said,
    template === 'timer' && turns.test(wish) && 'turns',
    ...(site?.parts.examples ?? []),
    !colourStated && 'colour',
    showsMoney(draft) && !currency.told && 'currency',
    request.goal !== null && 'goal',
    template === 'tracker' && documents.test(wish) && 'documents',
    live.test(wish) && 'live',
    shared.test(wish) && 'device',
  ];
  const values: Partial<Record<Assumption, string>> = {
    name: name.text,
    game: name.defaultName,
    currency: currency.code,
    split: fields.slice(1).join(', '),
    unknownThing: content.entity?.plural ?? '',
    typos: corrections.slice(0, 5).join(', '),
    fields: fields.join(', '),
    goal: request.goal ?? '',
  };
  return said
    .filter((what) => what !== false)
    .map((what) => shortened(assume(what, lang, values[what] ?? ''), 240));
}

const withoutMoney = new Set(['basic', 'bmi', 'age', 'calories', 'percentage']);

function showsMoney({ request: { template }, content, variant, site }: SpecDraft): boolean {
  if (template === 'calculator') return !withoutMoney.has(variant);
  const fields = content.entity?.fields ?? [];
  const items = site?.parts.sections.flatMap((section) => section.items) ?? [];
  return fields.some(({ type }) => type === 'currency') || items.some(({ price }) => /\d/u.test(price ?? ''));
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
