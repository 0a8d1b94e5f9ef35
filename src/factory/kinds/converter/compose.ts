import type { Compose, Draft, Span } from '../../read/draft.ts';
import { capitalised } from '../../read/parts/naming.ts';
import { indexOfWords } from '../../read/parts/words.ts';

interface Content {
  readonly name: string;
  readonly currencyName: string;
  readonly tagline: string;
  /** The words for a unit, by what it measures and by the name that the app knows it by. */
  readonly units: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** What stands in front of the unit that is converted to. */
  readonly into: readonly string[];
  readonly rates: string;
  readonly mixed: string;
}

interface UnitSaid {
  readonly group: string;
  readonly unit: string;
  readonly at: number;
  readonly length: number;
}

/** Opens on the units that the prompt names, in its order. */
export const compose: Compose<Content> = (draft, content) => {
  const { name, currencyName, tagline, units, rates, mixed } = content;
  const said = unitsSaid(draft, units);
  const group = said[0]?.group ?? draft.variant;
  const same = said.filter((one) => one.group === group).map(({ unit }) => unit);
  const { from, to } = ends(
    draft,
    said.filter((one) => one.group === group),
    content.into,
  );
  const money = group === 'currency';
  const stated = statedUnits(
    draft,
    said.filter((one) => one.group === group),
  );
  return {
    spec: {
      variant: group || 'length',
      name: money ? currencyName : nameWith(draft, name, stated),
      tagline: draft.name !== null && stated !== '' ? capitalised(stated, draft.lang).slice(0, 160) : tagline,
      copy: { ...(from ? { from } : {}), ...(to ? { to } : {}) },
    },
    taken: said.filter((one) => one.group === group).map(({ at, length }) => spanOf(draft, at, length)),
    assumptions: [...(money ? [rates] : []), ...(same.length < said.length ? [mixed] : [])],
  };
};

/** The unit to convert from is the first; that to convert to stands behind a word that says so, else it is the second. */
function ends({ tokens }: Draft, said: readonly UnitSaid[], into: readonly string[]) {
  const target = said.find(({ at }) => at > 0 && into.includes(tokens[at - 1]?.lower ?? ''));
  const from = said.find(({ unit }) => unit !== target?.unit)?.unit;
  const other = said.find(({ unit }) => unit !== from)?.unit;
  return { from: from ?? target?.unit, to: from === undefined ? undefined : (target?.unit ?? other) };
}

/** The units as the prompt names them, where it names several. */
const statedUnits = (draft: Draft, said: readonly UnitSaid[]): string =>
  said.length < 2
    ? ''
    : [...new Set(said.map(({ at, length }) => spanOf(draft, at, length).text))].join(' · ');

/** With the units that it is for, as far as they fit. */
const nameWith = ({ lang }: Draft, name: string, units: string): string =>
  units === '' || name.length + units.length > maxName
    ? name
    : `${name}${lang === 'fr' ? ' :' : ':'} ${units}`;

const maxName = 56;

/** Every unit that the prompt names; of those that overlap the longest, so that square metres are no metres. */
function unitsSaid({ tokens }: Draft, units: Content['units']): UnitSaid[] {
  const all = Object.entries(units).flatMap(([group, names]) =>
    Object.entries(names).flatMap(([unit, words]) =>
      words.flatMap((word): UnitSaid[] => {
        const at = indexOfWords(tokens, word);
        return at < 0 ? [] : [{ group, unit, at, length: word.split(' ').length }];
      }),
    ),
  );
  return all
    .filter((one) => !all.some((other) => other.length > one.length && covers(other, one)))
    .sort((a, b) => a.at - b.at);
}

/** The words of a unit, which the spec has by the name that the app knows it by. */
function spanOf({ tokens, prompt }: Draft, at: number, length: number): Span {
  const start = tokens[at]?.start ?? 0;
  const end = tokens[at + length - 1]?.end ?? start;
  return { start, end, text: prompt.slice(start, end) };
}

const covers = (outer: UnitSaid, inner: UnitSaid) =>
  outer.at <= inner.at && outer.at + outer.length >= inner.at + inner.length;
