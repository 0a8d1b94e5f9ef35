import { yamlFile } from '../../../../lib/yaml-file.ts';
import type { Token } from '../../../read/draft.ts';
import { fold } from '../../../read/phrases.ts';
import type { Lang } from '../../../spec.ts';

/** Powers of base quantities, and of things that are counted: `{ $: 1, M: -1 }` is a price per kilogram. */
export type Dimension = Readonly<Record<string, number>>;

/** What a number is counted in. */
export interface Measure {
  readonly of: Dimension;
  /** How many of the base units one of it is. */
  readonly factor: number;
  /** As it is shown: `m²`; `money` stands for the currency. */
  readonly unit: string;
}

interface UnitData {
  readonly of: Dimension;
  readonly factor: number;
  readonly words: readonly string[];
}

interface ConceptData {
  readonly unit?: string;
  readonly words: Readonly<Record<Lang, readonly string[]>>;
}

/** What results are reckoned from, where their concepts say it. */
export interface Relation {
  readonly result: string;
  readonly expression: string;
}

const data = yamlFile(new URL('quantities.yaml', import.meta.url)) as {
  readonly units: Readonly<Record<string, UnitData>>;
  readonly concepts: Readonly<Record<string, ConceptData>>;
  readonly relations: readonly Relation[];
};
export const { relations } = data;
const units = new Map(Object.entries(data.units));
const concepts = Object.entries(data.concepts).map(([name, { unit = '', words }]) => ({
  name,
  unit,
  phrases: new Map(
    Object.entries(words).map(([lang, phrases]) => [lang, phrases.map((phrase) => fold(phrase).split(' '))]),
  ),
}));

const unitWords = new Map<string, string>(
  [...units].flatMap(([name, { words }]) => [name, ...words].map((word) => [fold(word), name] as const)),
);

const minCommon = 3;

/** What a word has in common with all of its forms. */
function stemOf(folded: string): string {
  return folded.slice(0, minCommon);
}

const minInflected = 4;

/** Those that may have another ending, by the letters that all forms of a word have in common. */
const inflectedWords = Map.groupBy(
  [...unitWords].filter(([word]) => word.length >= minInflected),
  ([word]) => stemOf(word),
);

/** The longest name of a unit or concept, in words. */
const maxWords = 4;

/** The measure of `kg`, `km/h` or `l/100km`; null where a part of it is no unit. */
export function measureOf(unit: string): Measure | null {
  const known = units.get(unit);
  if (known) return { of: known.of, factor: known.factor, unit };
  const parts = unit.split('/').map((part) => /^(\d*)(.+)$/.exec(part.trim()));
  const [first, ...others] = parts.map((part) => {
    const found = units.get(part?.[2] ?? '');
    return found ? { of: found.of, factor: found.factor * Number(part?.[1] || 1) } : null;
  });
  if (!first || others.length === 0 || others.includes(null)) return null;
  return others.reduce<Measure>((whole, part) => (part ? { ...divided(whole, part), unit } : whole), {
    ...first,
    unit,
  });
}

export const divided = (
  { of, factor }: Pick<Measure, 'of' | 'factor'>,
  by: Pick<Measure, 'of' | 'factor'>,
): Pick<Measure, 'of' | 'factor'> => ({ of: summed(of, by.of, -1), factor: factor / by.factor });

/** The powers of a product, or of a quotient with `-1`; none of them is 0. */
export function summed(one: Dimension, other: Dimension, times: number): Dimension {
  const sum: Record<string, number> = { ...one };
  for (const [base, power] of Object.entries(other)) sum[base] = (sum[base] ?? 0) + power * times;
  return Object.fromEntries(Object.entries(sum).filter(([, power]) => power !== 0));
}

export const isSame = (one: Dimension, other: Dimension): boolean =>
  Object.keys(summed(one, other, -1)).length === 0;

/** A unit that is written out stays as it is written: `grams`. */
const saidUnit = ({ unit }: Measure, tokens: readonly Token[]): string => {
  const said = tokens.map(({ text }) => text).join(' ');
  return unit === '%' || unit === 'money' || said.length <= maxSymbol || said.length > maxUnit ? unit : said;
};

const maxSymbol = 3;
/** So long a unit may be in a formula. */
const maxUnit = 16;

/** The unit that stands at a token, with how many tokens it takes. */
export function unitAt(
  tokens: readonly Token[],
  at: number,
): { readonly measure: Measure; readonly length: number; readonly said: string } | null {
  for (let length = maxWords; length > 0; length -= 1) {
    const part = tokens.slice(at, at + length);
    if (part.length < length) continue;
    for (const text of [part.map(({ lower }) => lower), part.map(({ lemma }) => lemma)]) {
      const joined = length > 1 && part.some(({ pos }) => pos === 'mark') ? text.join('') : text.join(' ');
      const name =
        unitWords.get(fold(joined)) ?? inflected(fold(joined)) ?? (joined.includes('/') ? joined : undefined);
      const measure = name === undefined ? null : measureOf(name);
      if (measure) return { measure, length, said: saidUnit(measure, part) };
    }
  }
  return null;
}

/** A longer unit with another ending, such as `Litern`. */
const inflected = (word: string): string | undefined =>
  word.length < minInflected || word.includes(' ')
    ? undefined
    : inflectedWords.get(stemOf(word))?.find(([known]) => alike(known, word))?.[1];

/**
 * The concept that a label is of, by its longest known name. Its measure is that of another name in it where it has
 * none of its own: a total cost is money.
 */
export function conceptOf(
  tokens: readonly Token[],
  lang: Lang,
): { readonly name: string; readonly measure: Measure | null } | null {
  const found = concepts
    .flatMap(({ name, unit, phrases }) => {
      const said = (phrases.get(lang) ?? []).filter((parts) => isIn(tokens, parts, lang));
      return said.length > 0 ? [{ name, unit, words: Math.max(...said.map(({ length }) => length)) }] : [];
    })
    .toSorted((a, b) => b.words - a.words);
  const [best] = found;
  const unit = found.find((one) => one.unit !== '' && one.unit !== '%')?.unit;
  return best
    ? { name: best.name, measure: best.unit !== '' || unit ? measureOf(best.unit || (unit ?? '')) : null }
    : null;
}

const minEnding = 4;

const isIn = (tokens: readonly Token[], words: readonly string[], lang: Lang): boolean =>
  tokens.some((_, at) =>
    words.every((word, step) => {
      const token = tokens[at + step];
      const compound = words.length === 1;
      return (
        token !== undefined &&
        (isForm(fold(token.lower), word, compound, lang) || isForm(fold(token.lemma), word, compound, lang))
      );
    }),
  );

/** @param compound whether it may also end with the word */
const isForm = (form: string, word: string, compound: boolean, lang: Lang): boolean =>
  form === word ||
  (lang === 'de' &&
    word.length >= minEnding &&
    ((compound && form.endsWith(word)) || isInflected(form, word)));

const isInflected = (form: string, word: string) =>
  form.startsWith(word) && /^(?:e|n|en|s|es|er)$/.test(form.slice(word.length));

/** Whether two words are forms of one: `jar` and `jars`, `gallina` and `galline`, `Glas` and `Gläser`. */
export function alike(one: string, other: string): boolean {
  const [a, b] = [fold(one), fold(other)];
  if (a === b) return true;
  let common = 0;
  while (common < Math.min(a.length, b.length) && a[common] === b[common]) common += 1;
  if (common < minCommon || common < Math.min(a.length, b.length) - 1) return false;
  return [a, b].every((word) => /^(?:[aeiou]?s?|e?[nrx]|ns|es|en)$/.test(word.slice(common)));
}
