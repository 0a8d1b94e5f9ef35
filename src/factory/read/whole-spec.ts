import { kindOfApp, offersOf, settingsFor, usualPalette } from '../catalogue.ts';
import { withIcon } from '../icons/icon-for.ts';
import {
  type AppSpec,
  emptySpec,
  features,
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
import type { Lexicon } from './lexicon.ts';
import { fold } from './phrases.ts';

interface Frame {
  readonly kinds: Kinds;
  readonly colours: ColoursFound;
  readonly lexicon: Lexicon;
  readonly foreign: boolean;
  /** The words that ask for it; empty where the prompt has none that can be shown. */
  readonly asked: string;
}

/** The spec of a draft: what its kind composes, and what every app has. */
export function wholeSpec(
  draft: Draft,
  frame: Frame,
): { readonly spec: AppSpec; readonly taken: readonly Span[] } {
  const { kinds, colours, lexicon } = frame;
  const composition: Composition = kinds.compose(draft.kind)?.(
    draft,
    kinds.content(draft.kind, draft.lang),
  ) ?? { spec: {}, assumptions: [] };
  const part = { ...emptySpec, ...composition.spec };
  const variant = allowed(draft.kind, part.variant || draft.variant);
  const asked = featuresAsked(draft, lexicon, [...part.features]);
  const spec: AppSpec = {
    ...part,
    kind: draft.kind,
    variant,
    name: nameFor(draft, part.name, lexicon),
    tagline: part.tagline.slice(0, 160),
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
  return {
    spec: withIcon(trimmed(withAsked(spec, frame.asked, lexicon))),
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
  { lexicon, colours, foreign }: Frame,
  composition: Composition,
): string[] {
  const { messages } = lexicon.data;
  const money =
    draft.facts.prices.some(({ currency }) => currency === '') ||
    composition.spec.entity?.fields.some(({ type }) => type === 'currency') === true;
  const said = [
    foreign ? (messages.foreign ?? '') : '',
    ...composition.assumptions,
    colours.accent === null ? messages.colour : '',
    money && !draft.facts.prices.some(({ currency }) => currency !== '')
      ? messages.currency.replace('{value}', draft.currency)
      : '',
  ];
  return said
    .filter((text) => text !== '')
    .map((text) => text.slice(0, maxAssumption))
    .slice(0, maxAssumptions);
}

/** Long lists of long texts may pass the limit of a spec: entries are left out from the end, and so not taken up. */
function trimmed(spec: AppSpec): AppSpec {
  let small = spec;
  for (const list of ['seed', 'questions', 'choices', 'sections'] as const)
    while (Buffer.byteLength(JSON.stringify(small)) > maxSpecBytes && small[list].length > 0)
      small = { ...small, [list]: small[list].slice(0, -1) };
  return small;
}
