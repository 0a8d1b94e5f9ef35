import { isDeepStrictEqual } from 'node:util';
import { kindOfApp, offersOf, settingsFor, usualPalette } from '../catalogue.ts';
import { withIcon } from '../icons/icon-for.ts';
import { fill, wordsOf } from '../revise/words.ts';
import {
  type AppSpec,
  emptySpec,
  features,
  type Lang,
  langs,
  maxSpecBytes,
  type TemplateName,
  templateNames,
  variants,
} from '../spec.ts';
import type { ColoursFound } from './colours.ts';
import { shownIn } from './coverage.ts';
import type { Composition, Draft, Span } from './draft.ts';
import type { Kinds } from './kinds.ts';
import { capitalised } from './labels.ts';
import type { LanguageAsked } from './language.ts';
import { languageData, languageName, readLangs } from './language-data.ts';
import type { Lexicon } from './lexicon.ts';
import { fold } from './phrases.ts';

interface Frame {
  readonly kinds: Kinds;
  readonly colours: ColoursFound;
  readonly lexicon: Lexicon;
  readonly foreign: boolean;
  /** The words that ask for it; empty where the prompt has none that can be shown. */
  readonly asked: string;
  /** The language that the app shall be in; null where the prompt names none. */
  readonly wish: LanguageAsked | null;
}

/** The spec of a draft: what its kind composes, and what every app has. */
export function wholeSpec(
  draft: Draft,
  frame: Frame,
): { readonly spec: AppSpec; readonly taken: readonly Span[] } {
  const { kinds, colours, lexicon } = frame;
  const compose = kinds.compose(draft.kind);
  const composition: Composition = compose?.(draft, kinds.content(draft.kind, draft.lang)) ?? {
    spec: {},
    assumptions: [],
  };
  const wished = langs.find((lang) => lang === frame.wish?.code && lang !== draft.lang);
  const spoken = wished && compose?.(draft, kinds.content(draft.kind, wished));
  const part = { ...emptySpec, ...composition.spec };
  const said = Object.fromEntries(
    Object.entries(spoken?.spec.copy ?? {}).filter(([member]) => member === 'action' || member === 'thanks'),
  );
  const variant = allowed(draft.kind, part.variant || draft.variant);
  const asked = featuresAsked(draft, lexicon, [...part.features]);
  const spec: AppSpec = {
    ...part,
    kind: draft.kind,
    variant,
    name: nameFor(draft, part.name, lexicon),
    // What the prompt does not say is in the language of the app.
    tagline: (spoken?.spec.tagline ?? part.tagline).slice(0, 160),
    copy: { ...part.copy, ...said },
    settings: settingsFor(kindOfApp(draft.kind, variant), part.settings),
    lang: draft.lang,
    palette: {
      ...emptySpec.palette,
      ...usualPalette(draft.kind),
      ...(colours.accent !== null && { accent: colours.accent }),
      mode: colours.mode,
    },
    currency: draft.currency,
    features: asked.features,
    assumptions: assumptionsOf(draft, frame, composition),
  };
  // The picture follows the words, which are in the language of the prompt.
  const whole = withIcon(trimmed(withAsked(spec, frame.asked, lexicon)));
  return {
    spec: { ...whole, lang: langs.find((lang) => lang === frame.wish?.code) ?? draft.lang },
    taken: [...(composition.taken ?? []), ...asked.spans],
  };
}

/** What was asked for stands below the name too, where no text says it: a kitchen timer by that name. */
function withAsked(spec: AppSpec, asked: string, lexicon: Lexicon): AppSpec {
  const words = wordsIn(asked);
  const shown = new Set(shownIn(spec).texts.flatMap(wordsIn));
  if (words.every((word) => shown.has(word))) return spec;
  return { ...spec, tagline: capitalised(asked, lexicon).slice(0, 160) };
}

const wordsIn = (text: string): string[] => fold(text).match(/[\p{L}\d]+/gu) ?? [];

/** A variant that the kind has. */
function allowed(kind: TemplateName, variant: string): string {
  const known = variants[kind];
  return known === undefined || known.includes(variant) ? variant : (known[0] ?? '');
}

const maxName = 60;

function nameFor(draft: Draft, composed: string, lexicon: Lexicon): string {
  const name = (draft.name ?? composed).replace(/\s+/g, ' ').trim();
  const subject = draft.subject ? capitalised(draft.subject.plural, lexicon) : '';
  const firstWords = draft.tokens
    .filter(({ pos }) => pos === 'noun' || pos === 'name')
    .slice(0, 3)
    .map(({ text }) => text)
    .join(' ');
  return cut(name || subject || capitalised(firstWords, lexicon) || 'App', maxName);
}

const segmenter = new Intl.Segmenter();

/** At most so many UTF-16 units, never cut within a character. */
const cut = (text: string, most: number) => (text.length > most ? begun(text, most) : text).trim() || 'App';

function begun(text: string, most: number): string {
  let short = '';
  for (const { segment } of segmenter.segment(text)) {
    if (short.length + segment.length > most) break;
    short += segment;
  }
  return short;
}

/** What the prompt asks the app to do, of what its kind offers, with the words that ask. */
function featuresAsked(draft: Draft, lexicon: Lexicon, composed: readonly AppSpec['features'][number][]) {
  const spans: Span[] = [];
  const asked = features.filter((feature) => {
    if (!templateNames.includes(draft.kind) || !offersOf(draft.kind).includes(feature)) return false;
    const words = lexicon.features.get(feature);
    const at = draft.tokens.filter(
      (token, index) =>
        words?.at(draft.tokens, index) &&
        !draft.fields.some(({ start, end }) => token.start >= start && token.end <= end),
    );
    spans.push(...at);
    return feature === 'dark' || at.length > 0 || composed.includes(feature);
  });
  return { features: asked, spans };
}

const maxAssumption = 240;
const maxAssumptions = 12;

function assumptionsOf(
  draft: Draft,
  { lexicon, colours, foreign, wish }: Frame,
  composition: Composition,
): string[] {
  const { messages } = lexicon.data;
  const money =
    draft.facts.prices.some(({ currency }) => currency === '') ||
    composition.spec.entity?.fields.some(({ type }) => type === 'currency') === true;
  const said = [
    foreign ? (messages.foreign ?? '') : '',
    ...(wish && wish.code !== draft.lang ? [ofLanguage(wish, draft.lang)] : []),
    ...composition.assumptions,
    colours.accent === null ? messages.colour : '',
    money &&
    draft.facts.currencies.length === 0 &&
    !draft.facts.prices.some(({ currency }) => currency !== '')
      ? messages.currency.replace('{value}', draft.currency)
      : '',
  ];
  return said
    .filter((text) => text !== '')
    .map((text) => text.slice(0, maxAssumption))
    .slice(0, maxAssumptions);
}

/** What the assumption is about that a kind makes where nobody named its parts. */
const partsOf: Readonly<Record<string, (spec: AppSpec) => unknown>> = {
  tracker: ({ entity }) => entity?.fields,
  form: ({ entity }) => entity?.fields,
  board: ({ entity }) => entity?.fields.find(({ type }) => type === 'select')?.options,
  docs: ({ sections }) => sections,
  landing: ({ sections }) => sections,
  portfolio: ({ sections }) => sections,
  picker: ({ choices }) => choices,
  calendar: ({ grid }) => grid,
};
const ofParts = ['usual', 'general', 'supposed', 'supposedRows', 'supposedMarks'];

/** The spec that a change led to, without the assumptions about what the change gives: the colour, the fields. */
export function withoutGiven(before: AppSpec, next: AppSpec, { content }: Kinds): AppSpec {
  const differs = (of: (spec: AppSpec) => unknown) => !isDeepStrictEqual(of(before), of(next));
  const parts = partsOf[before.kind];
  const isGiven = (text: string) =>
    readLangs.some((lang) => {
      const { colour, currency } = languageData(lang).messages;
      const supposed = (content(before.kind, lang) ?? {}) as Readonly<Record<string, unknown>>;
      return (
        (text === colour && differs(({ palette }) => palette.accent)) ||
        (text === currency.replace('{value}', before.currency) && differs((spec) => spec.currency)) ||
        (text === ofLanguage({ code: before.lang, text: '' }, lang) && differs((spec) => spec.lang)) ||
        (parts !== undefined && ofParts.some((name) => supposed[name] === text) && differs(parts))
      );
    });
  const assumptions = next.assumptions.filter((text) => !isGiven(text));
  return assumptions.length < next.assumptions.length ? { ...next, assumptions } : next;
}

/** What is said of a language that was asked for: that the app is in it, or that none can be. */
function ofLanguage({ code, text }: Pick<LanguageAsked, 'code' | 'text'>, lang: Lang): string {
  const { done, refused } = wordsOf(lang).file;
  const isServed = langs.some((known) => known === code);
  return isServed ? fill(done.lang, { value: languageName(code, lang) }) : `${text}: ${refused.language}.`;
}

/** Long lists of long texts may pass the limit of a spec: entries are left out from the end, and so not taken up. */
function trimmed(spec: AppSpec): AppSpec {
  let small = spec;
  while (Buffer.byteLength(JSON.stringify(small)) > maxSpecBytes) {
    const { seed, questions, sections, choices } = small;
    if (seed.length > 0) small = { ...small, seed: seed.slice(0, -1) };
    else if (questions.length > 0) small = { ...small, questions: questions.slice(0, -1) };
    else if (choices.length > 0) small = { ...small, choices: choices.slice(0, -1) };
    else if (sections.length > 0) small = { ...small, sections: sections.slice(0, -1) };
    else return small;
  }
  return small;
}
