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
  variants,
} from '../spec.ts';
import type { ColoursFound } from './colours.ts';
import { shownIn } from './coverage.ts';
import type { Composition, Draft, Span } from './draft.ts';
import type { Kinds } from './kinds.ts';
import type { LanguageAsked } from './language.ts';
import { languageName } from './language-data.ts';
import type { Lexicon } from './lexicon.ts';
import { capitalised, shortened } from './parts/naming.ts';
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
  const { kinds, colours, lexicon, wish } = frame;
  const composed = (lang: Lang): Composition =>
    kinds.compose(draft.kind)?.(draft, kinds.content(draft.kind, lang)) ?? { spec: {}, assumptions: [] };
  const composition = composed(draft.lang);
  // What the prompt does not say is in the language of the app.
  const lang = langs.find((known) => known === wish?.code) ?? draft.lang;
  const { tagline = '', copy = {} } = lang === draft.lang ? composition.spec : composed(lang).spec;
  const said = Object.entries(copy).filter(([member]) => member === 'action' || member === 'thanks');
  const part = { ...emptySpec, ...composition.spec };
  const asks = (feature: AppSpec['features'][number]) =>
    part.features.includes(feature) ||
    draft.tokens.some((_, at) => lexicon.features.get(feature)?.at(draft.tokens, at));
  const variant = allowed(draft.kind, part.variant || draft.variant);
  const spec: AppSpec = {
    ...part,
    kind: draft.kind,
    variant,
    name: shortened((draft.name ?? part.name).replace(/\s+/g, ' ').trim(), 60).toWellFormed() || 'App',
    tagline: tagline.slice(0, 160),
    copy: { ...part.copy, ...Object.fromEntries(said) },
    settings: settingsFor(kindOfApp(draft.kind, variant), part.settings),
    lang: draft.lang,
    palette: {
      ...emptySpec.palette,
      ...usualPalette(draft.kind),
      ...(colours.accent !== null && { accent: colours.accent }),
      mode: colours.mode,
    },
    currency: draft.currency,
    features: features.filter(
      (feature) => offersOf(draft.kind).includes(feature) && (feature === 'dark' || asks(feature)),
    ),
    assumptions: assumptionsOf(draft, frame, composition),
  };
  // The picture follows the words, which are in the language of the prompt.
  return {
    spec: { ...withIcon(trimmed(withAsked(spec, frame.asked, lexicon))), lang },
    taken: [...(composition.taken ?? []), ...featuresAsked(draft, spec, lexicon)],
  };
}

/** What was asked for stands below the name too, where no text says it: a kitchen timer by that name. */
function withAsked(spec: AppSpec, asked: string, lexicon: Lexicon): AppSpec {
  const words = wordsIn(asked);
  const shown = new Set(shownIn(spec).texts.flatMap(wordsIn));
  if (words.every((word) => shown.has(word))) return spec;
  return { ...spec, tagline: capitalised(asked, lexicon.lang).slice(0, 160) };
}

const wordsIn = (text: string): string[] => fold(text).match(/[\p{L}\d]+/gu) ?? [];

/** A variant that the kind has. */
function allowed(kind: TemplateName, variant: string): string {
  const known = variants[kind];
  return known === undefined || known.includes(variant) ? variant : (known[0] ?? '');
}

/** Where the prompt asks for what the app can do. */
const featuresAsked = ({ tokens }: Draft, { features }: AppSpec, lexicon: Lexicon): readonly Span[] =>
  tokens.filter((_, index) => features.some((feature) => lexicon.features.get(feature)?.at(tokens, index)));

const maxAssumption = 240;

function assumptionsOf(
  draft: Draft,
  { lexicon, colours, foreign, wish }: Frame,
  composition: Composition,
): string[] {
  const { messages } = lexicon.data;
  const money = composition.spec.entity?.fields.some(({ type }) => type === 'currency') === true;
  const said = [
    foreign ? (messages.foreign ?? '') : '',
    wish && wish.code !== draft.lang ? ofLanguage(wish, draft.lang) : '',
    ...composition.assumptions,
    colours.accent === null ? messages.colour : '',
    money && [...draft.facts.currencies, ...draft.facts.prices].length === 0
      ? messages.currency.replace('{value}', draft.currency)
      : '',
  ];
  return said.filter((text) => text !== '').map((text) => text.slice(0, maxAssumption));
}

/** What is said of a language that was asked for: that the app is in it, or that none can be. */
export function ofLanguage({ code, text }: Pick<LanguageAsked, 'code' | 'text'>, lang: Lang): string {
  const { done, refused } = wordsOf(lang).file;
  const isServed = langs.some((known) => known === code);
  return isServed ? fill(done.lang, { value: languageName(code, lang) }) : `${text}: ${refused.language}.`;
}

/** Long lists of long texts may pass the limit of a spec: entries are left out from the end, and so not taken up. */
function trimmed(spec: AppSpec): AppSpec {
  let small = spec;
  for (const list of ['seed', 'questions', 'choices', 'sections'] as const)
    while (Buffer.byteLength(JSON.stringify(small)) > maxSpecBytes && small[list].length > 0)
      small = { ...small, [list]: small[list].slice(0, -1) };
  return small;
}
