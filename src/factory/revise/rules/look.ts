import { kindOfApp } from '../../catalogue.ts';
import { languageName, languageNamed } from '../../read/language-data.ts';
import { toHex, toLch } from '../../render/palette.ts';
import { type AppSpec, langs, type TemplateName, templateNames, variants } from '../../spec.ts';
import { asKind } from '../as-kind.ts';
import { folded } from '../pattern.ts';
import {
  accents,
  bare,
  done,
  isOne,
  meaning,
  type Outcome,
  type Rule,
  refuse,
  type Table,
  type Words,
  wordFor,
} from '../words.ts';

/** A number that the app begins with: “25 minute focus”, “set the rounds to 6”. */
export const setting: Rule = (spec, { setting = '', number = '' }, words) =>
  withSetting(spec, setting, number, words);

const change = (spec: AppSpec, key: string, value: number, text: string, words: Words): Outcome =>
  done(words, { ...spec, settings: { ...spec.settings, [key]: value } }, 'set', {
    what: text,
    value: String(value),
  });

/** “Make it green”, “dark please”, “in Portuguese”, “as cards”, “as a board”: what it is called says what it means. */
export const make: Rule = (spec, { what = '' }, words) => {
  const text = bare(words, what.replace(/[\s.!]+$/u, ''));
  return (
    coloured(spec, text, words) ??
    lit(spec, text, words) ??
    spoken(spec, text, words) ??
    paid(spec, text, words) ??
    shaped(spec, text, words) ??
    both(spec, text, words)
  );
};

/** A colour by its name, perhaps lighter or darker, or by its number. */
export function coloured(spec: AppSpec, text: string, words: Words): Outcome {
  const accent = accentIn(text, words);
  const change = accent && { ...spec, palette: { ...spec.palette, accent } };
  return change ? done(words, change, 'colour', { value: text }) : null;
}

function accentIn(text: string, words: Words): string | null {
  const hex = /^#([0-9a-f]{6}|[0-9a-f]{3})$/iu.exec(text)?.[1]?.toLowerCase();
  if (hex) return `#${hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex}`;
  const { colours, shades } = words.file;
  const plain = meaning(colours, text);
  if (plain) return accents()[plain] ?? null;
  const said = text.split(/[\s-]+/u);
  const parts = said.length === 1 ? compound(shades, text) : said;
  if (parts?.length !== 2) return null;
  for (const [tone, colour] of [parts, [...parts].reverse()]) {
    const shade = meaning(shades, tone ?? '');
    const base = accents()[meaning(colours, colour ?? '') ?? ''];
    if (shade && base) return shaded(base, shade === 'dark' ? -0.14 : 0.14);
  }
  return null;
}

/** “Dunkelgrün” as its shade and its colour; null where it begins with no shade. */
function compound(shades: Table, text: string): [shade: string, colour: string] | null {
  const forms = Object.values(shades).flatMap((words) => words?.map((word) => word.replace(/\*$/, '')) ?? []);
  const shade = forms.find((form) => folded(text).startsWith(folded(form)));
  return shade === undefined ? null : [shade, text.slice(shade.length)];
}

function shaded(accent: string, by: number): string {
  const { l, c, h } = toLch(accent);
  return toHex({ l: Math.min(0.92, Math.max(0.2, l + by)), c, h });
}

/** Light, dark, or as the device has it. */
export function lit(spec: AppSpec, text: string, words: Words): Outcome {
  const mode = meaning(words.file.modes, text) as 'dark' | 'light' | 'auto' | null;
  if (!mode) return null;
  const change = { ...spec, palette: { ...spec.palette, mode } };
  return done(words, change, 'mode', { value: wordFor(words.file.modes, mode) });
}

/** The language of the app's own texts. Names and what people wrote stay as they are. */
export function spoken(spec: AppSpec, text: string, words: Words): Outcome {
  const code = languageNamed(text, words.lang);
  if (!code) return null;
  const lang = langs.find((known) => known === code);
  if (!lang) return refuse(words, 'language');
  return done(words, { ...spec, lang }, 'lang', { value: languageName(lang, words.lang) });
}

/** What amounts are in. */
export function paid(spec: AppSpec, text: string, words: Words): Outcome {
  const code = /^[A-Z]{3}$/.test(text) && isCurrency(text) ? text : meaning(words.file.currencies, text);
  return code ? done(words, { ...spec, currency: code }, 'currency', { value: code }) : null;
}

const isCurrency = (code: string) => Intl.supportedValuesOf('currency').includes(code);

/** “Prices in euros.” */
export const currency: Rule = (spec, { currency: text = '' }, words) =>
  paid(spec, bare(words, text.replace(/[\s.!]+$/u, '')), words);

/** “Make it a radar”: where no kind is called so, nothing else that looks like a command is done instead. */
export const otherKind: Rule = (_spec, { kind = '' }, words) => {
  const called = bare(words, kind.replace(/[\s.!]+$/u, ''));
  // What reaches over a stop or goes on for long is more than the name of a kind.
  return /[.,;:!?]/u.test(called) || called.split(/\s+/u).length > maxKindWords
    ? null
    : refuse(words, 'noKind', called);
};

const maxKindWords = 6;

/** Another kind, or another one of its kind. */
export function shaped(spec: AppSpec, text: string, words: Words): Outcome {
  const named = shapeIn(text, words);
  if (!named) return null;
  const known = templateNames.find((name) => name === named.kind);
  const next = known && asKind(spec, known, named.variant, words);
  return next ? done(words, next, 'kind', { value: text }) : refuse(words, 'kind');
}

interface Shape {
  readonly kind: string;
  readonly variant: string | undefined;
}

/** A word for a kind and one of its variants means the variant, which says more. */
function shapeIn(text: string, words: Words): Shape | null {
  const named = meaning(words.file.variants, text) ?? meaning(words.file.kinds, text);
  const [kind, variant] = named?.split('.') ?? [];
  return kind === undefined ? null : { kind, variant };
}

/** Two at once: “a dark green board”. */
function both(spec: AppSpec, text: string, words: Words): Outcome {
  const parts = text.split(/\s+/u);
  if (parts.length > 4) return null;
  for (let at = 1; at < parts.length; at++) {
    const [one, other] = [parts.slice(0, at).join(' '), parts.slice(at).join(' ')];
    const [shape, second] = [shapeIn(one, words), shapeIn(other, words)];
    if (shape && second) {
      // “A snake game” is one thing, said by its variant and its kind; two kinds at once are none.
      if (shape.kind !== second.kind) continue;
      return shaped(spec, second.variant === undefined ? one : other, words);
    }
    const first = make(spec, { what: one }, words);
    if (!first || !('spec' in first)) continue;
    const then = make(first.spec, { what: other }, words);
    if (then && 'spec' in then)
      return {
        spec: then.spec,
        done: `${first.done} ${then.done}`,
        sets: [...(first.sets ?? []), ...(then.sets ?? [])],
      };
  }
  return null;
}

/** A number of this app, or of another one of its kind: a countdown that gets breaks becomes a pomodoro. */
export function withSetting(spec: AppSpec, called: string, given: string, words: Words): Outcome {
  const value = Number(given.replace(',', '.'));
  if (!Number.isFinite(value)) return null;
  const text = bare(words, called);
  const own = keyIn(spec.kind, spec.variant, value, text, words);
  if (own) return change(spec, own, value, text, words);
  for (const variant of variants[spec.kind] ?? []) {
    const key = keyIn(spec.kind, variant, value, text, words);
    const other = key && asKind(spec, spec.kind, variant, words);
    if (other) return change(other, key, value, text, words);
  }
  return null;
}

/** The setting that is called so, if the value is in its bounds. */
function keyIn(
  kind: TemplateName,
  variant: string,
  value: number,
  text: string,
  words: Words,
): string | undefined {
  const settings = Object.entries(kindOfApp(kind, variant).settings);
  const found = settings.find(
    ([key, { min, max }]) =>
      value >= min &&
      value <= max &&
      (isOne(words.file.settings[key], text) || key.toLowerCase() === text.toLowerCase()),
  );
  return found?.[0];
}
