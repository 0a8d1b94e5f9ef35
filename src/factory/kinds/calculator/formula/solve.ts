import type { Part } from './labels.ts';
import { alike, type Dimension, isSame, type Measure, measureOf, relations, summed } from './measures.ts';

/** Something with a name in expressions. */
export interface Named {
  readonly key: string;
  readonly part: Part;
}

/** How a result is reckoned, and in what it is then counted; null where that is not known. */
export interface Solution {
  readonly expression: string;
  readonly measure: Measure | null;
  /** Whole things, of which parts are no use. */
  readonly whole?: boolean;
}

const isPercent = ({ measure }: Part): boolean => measure?.unit === '%';

/**
 * How a result is reckoned from what is known: by a relation between concepts, by the share that both names speak of, by
 * a percentage, by units alone, or as a sum of like things. Null where none of these says it for certain.
 */
export function solutionFor(result: Part, known: readonly Named[]): Solution | null {
  return (
    related(result, known) ??
    percentOf(result, known) ??
    byUnits(result, known) ??
    shared(result, known) ??
    fitting(result, known) ??
    sumOf(result, known)
  );
}

/** By a relation whose parts are all known, each by its concept, and whose result this is. */
export function related(result: Part, known: readonly Named[]): Solution | null {
  for (const { result: concept, expression } of relations) {
    if (concept !== result.concept) continue;
    const names = [...new Set([...expression.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''))];
    const found = names.map((name) => known.filter(({ part }) => part.concept === name));
    if (found.some((all) => all.length !== 1)) continue;
    const unit = lengthUnit(found.flat());
    return {
      expression: expression.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => found[names.indexOf(name)]?.[0]?.key ?? '',
      ),
      measure: powered(unit, concept) ?? result.measure,
    };
  }
  return null;
}

/** Lengths in one unit give areas and volumes in it. */
const lengthUnit = (parts: readonly Named[]): string => {
  const units = [...new Set(parts.map(({ part }) => part.measure?.unit ?? ''))];
  return units.length === 1 && ['mm', 'cm', 'm', 'km'].includes(units[0] ?? '') ? (units[0] ?? '') : '';
};

const powered = (unit: string, concept: string): Measure | null => {
  if (unit === '') return null;
  if (concept === 'perimeter') return measureOf(unit);
  return concept === 'area' || concept === 'volume'
    ? (measureOf(`${unit}${concept === 'area' ? '²' : '³'}`) ?? null)
    : null;
};

/** `fragrance load in %` of the weight is the `fragrance oil in grams`: both speak of the same thing. */
function percentOf(result: Part, known: readonly Named[]): Solution | null {
  if (isPercent(result)) return null;
  const shares = known.filter(
    ({ part }) =>
      isPercent(part) &&
      (part.concept !== null && part.concept === result.concept
        ? true
        : part.words.some((word) => result.words.some((other) => alike(word, other)))),
  );
  const [share] = shares;
  if (shares.length !== 1 || !share) return null;
  const measured = known.filter(({ part }) => part !== share.part && !isPercent(part) && part.measure);
  const bases = measured.filter(({ part }) =>
    result.measure && !isCount(result.measure)
      ? isSame(part.measure?.of ?? {}, result.measure.of)
      : ['M', 'L', '$'].some((base) => part.measure?.of[base] !== undefined),
  );
  const [base] = bases;
  if (bases.length !== 1 || !base?.part.measure) return null;
  const scale =
    result.measure && !isCount(result.measure) ? base.part.measure.factor / result.measure.factor : 1;
  return {
    expression: scaled(`${base.key} * ${share.key} / 100`, scale),
    measure: result.measure && !isCount(result.measure) ? result.measure : base.part.measure,
  };
}

const isCount = ({ of }: Measure): boolean => Object.keys(of).every((name) => name.startsWith('n:'));

const maxKnown = 6;

/** By the only product of what is known that is counted as the result is. */
function byUnits(result: Part, known: readonly Named[]): Solution | null {
  const target = result.measure;
  const usable = known.filter(
    ({ part }) => part.measure && !isPercent(part) && Object.keys(part.measure.of).length > 0,
  );
  if (!target || isPercent(result) || Object.keys(target.of).length === 0 || usable.length > maxKnown)
    return null;
  const found: { readonly powers: readonly number[]; readonly used: number }[] = [];
  const visit = (powers: readonly number[], of: Dimension) => {
    if (powers.length === usable.length) {
      const used = powers.filter((power) => power !== 0).length;
      if (used > 1 && isSame(of, target.of)) found.push({ powers, used });
      return;
    }
    const next = usable[powers.length]?.part.measure?.of ?? {};
    for (const power of [0, 1, -1]) visit([...powers, power], summed(of, next, power));
  };
  visit([], {});
  const most = Math.max(0, ...found.map(({ used }) => used));
  const [best, other] = found.filter(({ used }) => used === most);
  if (!best || other) return null;
  const factor = usable.reduce(
    (product, { part }, at) => product * (part.measure?.factor ?? 1) ** (best.powers[at] ?? 0),
    1 / target.factor,
  );
  const over = usable.filter((_, at) => best.powers[at] === 1).map(({ key }) => key);
  const under = usable.filter((_, at) => best.powers[at] === -1).map(({ key }) => key);
  if (over.length === 0) return null;
  return { expression: scaled([over.join(' * '), ...under].join(' / '), factor), measure: target };
}

/** The expression times a factor; over its inverse where that is the rounder number. */
export function scaled(expression: string, factor: number): string {
  const round = (value: number) => Number(value.toPrecision(8));
  if (round(factor) === 1) return expression;
  const inverse = round(1 / factor);
  const plain = /^[\w.]+(?: [*/] (?:[\w.]+|\([\w. *]+\)))*$/.test(expression)
    ? expression
    : `(${expression})`;
  return Number.isInteger(inverse)
    ? `${plain} / ${inverse}`
    : `${plain} * ${round(factor)
        .toFixed(8)
        .replace(/\.?0+$/, '')}`;
}

/** `wax per jar` from the `wax weight` and the `number of jars`. */
function shared(result: Part, known: readonly Named[]): Solution | null {
  const { share } = result;
  if (!share) return null;
  const speaksOf = (words: readonly string[]) =>
    known.filter(
      ({ part }) => words.length > 0 && words.some((word) => part.words.some((other) => alike(word, other))),
    );
  const divisors = speaksOf(share.per);
  const shares = speaksOf(share.of).filter((one) => !divisors.includes(one) && !isPercent(one.part));
  const [whole, divisor] = [shares[0], divisors[0]];
  if (shares.length !== 1 || divisors.length !== 1 || !whole || !divisor) return null;
  return { expression: `${whole.key} / ${divisor.key}`, measure: whole.part.measure };
}

/** How many tiles a floor takes: the area of the floor over that of one tile, whose side is squared. */
function fitting(result: Part, known: readonly Named[]): Solution | null {
  if (result.share || result.words.length === 0 || (result.measure && !isCount(result.measure))) return null;
  const measured = known.filter(({ part }) => part.measure && !isPercent(part) && !isCount(part.measure));
  const ones = measured.filter(({ part }) =>
    part.words.some((word) => result.words.some((other) => alike(word, other))),
  );
  const others = measured.filter((one) => !ones.includes(one));
  if (ones.length === 0 || others.length === 0) return null;
  const whole = productOf(others);
  const [piece] = [productOf(ones), productOf([...ones, ...ones])].filter((one) => isSame(one.of, whole.of));
  if (!piece) return null;
  const [above, below] = [whole.keys.join(' * '), piece.keys.join(' * ')];
  const ratio = `${above} / ${piece.keys.length > 1 ? `(${below})` : below}`;
  return { expression: `ceil(${scaled(ratio, whole.factor / piece.factor)})`, measure: null, whole: true };
}

const productOf = (parts: readonly Named[]) => ({
  keys: parts.map(({ key }) => key),
  of: parts.reduce<Dimension>((of, { part }) => summed(of, part.measure?.of ?? {}, 1), {}),
  factor: parts.reduce((factor, { part }) => factor * (part.measure?.factor ?? 1), 1),
});

/** The total of things that are counted alike. */
function sumOf(result: Part, known: readonly Named[]): Solution | null {
  const [first] = known;
  if (result.concept !== 'total' || known.length < 2 || !first?.part.measure) return null;
  const { of, factor } = first.part.measure;
  const same = known.every(
    ({ part }) =>
      part.measure && !isPercent(part) && isSame(part.measure.of, of) && part.measure.factor === factor,
  );
  return same && !isCount(first.part.measure)
    ? { expression: known.map(({ key }) => key).join(' + '), measure: first.part.measure }
    : null;
}
