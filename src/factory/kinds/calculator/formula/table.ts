import type { AppFormula } from '../../../../../generated/types.gen.ts';
import type { Draft, Span, Token } from '../../../read/draft.ts';
import { fold } from '../../../read/phrases.ts';
import { expressionOf, type Written } from './expression.ts';
import type { Grammar } from './grammar.ts';
import { type Part, packsIn, partOf, unified } from './labels.ts';
import { alike, type Dimension, isSame, type Measure, summed } from './measures.ts';
import { type Named, related, type Solution, scaled, solutionFor } from './solve.ts';

export interface FormulaTold {
  readonly formula: AppFormula;
  /** The words that tell how it is reckoned. */
  readonly taken: readonly Span[];
  /** The prompt writes the expression out, so no ready calculator is meant. */
  readonly written: boolean;
}

export interface Wish {
  readonly part: Part | null;
  readonly written: Written | null;
  /** A percentage that is put on top or taken off: `price with the margin`. */
  readonly percent: { readonly part: Part; readonly sign: '+' | '-' } | null;
  /** Where it is written out. */
  readonly span?: Pick<Span, 'start' | 'end'>;
}

/** How many inputs a formula may have. */
export const maxInputs = 12;

/** Percentages that are put on top of a total, and those that are taken off. */
const effects: Readonly<Record<string, '+' | '-'>> = {
  tax: '+',
  tip: '+',
  waste: '+',
  markup: '+',
  discount: '-',
};

/** The inputs and results of a formula while it is put together. */
export class Table {
  readonly #draft: Draft;
  readonly #grammar: Grammar;
  readonly #inputs: Named[];
  readonly #results: (Named & { readonly solution: Solution })[] = [];
  /** Where expressions are written out. */
  readonly #stated: Pick<Span, 'start' | 'end'>[] = [];
  readonly #keys = new Set<string>(['min', 'max', 'round', 'ceil', 'floor', 'sqrt', 'abs']);

  constructor(draft: Draft, grammar: Grammar, entered: readonly Part[]) {
    this.#draft = draft;
    this.#grammar = grammar;
    this.#inputs = unified(entered).map((part) => ({ key: this.#keyOf(part.label), part }));
  }

  /** Adds a result, if it is known how to reckon it. */
  add(wish: Wish, topics: readonly Part[], last: boolean): void {
    const { written, percent } = wish;
    if (written) {
      const expression = expressionOf(written, (tokens, value) => this.#operand(tokens, value));
      const part = wish.part ?? topics.at(-1) ?? null;
      const measure = part && expression ? this.#writtenMeasure(part, expression) : null;
      if (expression && wish.span) this.#stated.push(wish.span);
      if (expression) this.#put(part, { expression, measure });
      return;
    }
    const part = wish.part && this.#unified(wish.part);
    if (!part) return;
    if (percent) {
      const share = this.#named(percent.part);
      const base = this.#results.at(-1) ?? this.#onlyMoney();
      if (share?.part.measure?.unit === '%' && base)
        this.#put(part, {
          expression: `${base.key} * (1 ${percent.sign} ${share.key} / 100)`,
          measure: base.part.measure,
        });
      return;
    }
    const known = [...this.#inputs, ...this.#results];
    const solution = solutionFor(part, this.#inputs) ?? solutionFor(part, known);
    if (solution) this.#put(part, last ? this.#withPercents(part, solution) : solution);
  }

  /** Adds how many packs it takes: `bags of 25 kg`. */
  addPacks(): void {
    for (const { part, size } of packsIn(this.#draft, this.#grammar)) {
      const taken = [...this.#inputs, ...this.#results].some(
        ({ part: { start, end } }) => start < part.end && part.start < end,
      );
      const whole = [...this.#results, ...this.#inputs].find(
        ({ part: { measure } }) => measure && JSON.stringify(measure.of) === JSON.stringify(size.measure.of),
      );
      if (taken || !whole?.part.measure) continue;
      const amount = scaled(whole.key, whole.part.measure.factor / size.measure.factor);
      this.#put(
        { ...part, measure: null },
        { expression: `ceil(${amount} / ${size.value})`, measure: null, whole: true },
      );
    }
  }

  /** Adds what stands among the inputs, is none, and is reckoned from the others: `…, and margin in %`. */
  addFurther(): void {
    const expressions = this.#results.map(({ solution }) => solution.expression).join(' ');
    for (const { key, part } of this.#inputs) {
      if (new RegExp(String.raw`\b${key}\b`).test(expressions)) continue;
      const others = [...this.#inputs.filter((one) => one.key !== key), ...this.#results];
      const solution = this.#results.length > 0 && part.value === null ? related(part, others) : null;
      if (solution) this.#put(part, solution);
    }
  }

  formula(markers: readonly Span[], written: boolean): FormulaTold | null {
    const expressions = this.#results.map(({ solution }) => solution.expression).join(' ');
    const used = this.#inputs.filter(({ key }) => new RegExp(String.raw`\b${key}\b`).test(expressions));
    if (this.#results.length === 0 || used.length === 0) return null;
    return {
      formula: {
        inputs: used.map(({ key, part }) => ({
          key,
          label: part.label,
          ...this.#unit(part.measure, part.unit),
          ...(part.value === null ? {} : { value: part.value }),
          min: 0,
        })),
        results: this.#results.map(({ key, part, solution }) => ({
          key,
          label: part.label,
          expression: solution.expression,
          ...this.#unit(solution.measure, part.unit),
          ...(solution.whole ? { decimals: 0 } : {}),
        })),
      },
      taken: [
        ...markers,
        ...[...used, ...this.#results].map(({ part }) => this.#span(part)),
        ...this.#stated.map((span) => this.#span(span)),
      ],
      written,
    };
  }

  #span({ start, end }: Pick<Span, 'start' | 'end'>): Span {
    return { start, end, text: this.#draft.prompt.slice(start, end) };
  }

  #unit(measure: Measure | null, said: string): { unit?: string } {
    if (!measure || (measure.unit === '' && said === '')) return {};
    const unit = (said || measure.unit).replace('money', () => this.#draft.currency);
    return unit.length > 16 ? {} : { unit };
  }

  #put(part: Part | null, solution: Solution): void {
    const label = part?.label ?? this.#grammar.result;
    if (this.#results.some((other) => other.part.label === label)) return;
    this.#results.push({
      key: this.#keyOf(label),
      part: { ...(part ?? empty), label, measure: solution.measure },
      solution,
    });
  }

  /** What a result is counted in that is written out: as the prompt says, or as its name does if the units bear it out. */
  #writtenMeasure({ measure, unit }: Part, expression: string): Measure | null {
    if (!measure || unit !== '' || measure.unit === 'money') return measure;
    const known = [...this.#inputs, ...this.#results];
    let of: Dimension = {};
    let factor = 1;
    for (const [, sign, key] of ` * ${expression}`.matchAll(/ ([*/+-]) (\w+)/g)) {
      const part = known.find((one) => one.key === key)?.part;
      if (!part?.measure || sign === '+' || sign === '-') return null;
      of = summed(of, part.measure.of, sign === '*' ? 1 : -1);
      factor *= part.measure.factor ** (sign === '*' ? 1 : -1);
    }
    return isSame(of, measure.of) && Math.abs(factor / measure.factor - 1) < 1e-6 ? measure : null;
  }

  /** What an operand names: something that is known, or else one more input. */
  #operand(
    tokens: readonly Token[],
    value?: number,
  ): { readonly key: string; readonly percent: boolean } | null {
    const part = partOf(this.#draft, tokens, this.#grammar);
    if (!part) return null;
    let found = this.#named(part);
    if (!found && this.#inputs.length < maxInputs) {
      const stated = this.#unified(part);
      found = { key: this.#keyOf(part.label), part: value === undefined ? stated : { ...stated, value } };
      this.#inputs.push(found);
    }
    return found ? { key: found.key, percent: found.part.measure?.unit === '%' } : null;
  }

  /** The input or result that bears a name, or a shorter or longer one. */
  #named({ words, label, share }: Part): Named | null {
    const all = [...this.#results, ...this.#inputs];
    const whole = all.find(({ part }) => fold(part.label) === fold(label));
    if (whole) return whole;
    const holds = (one: readonly string[], other: readonly string[]) =>
      one.length > 0 && one.every((word) => other.some((its) => alike(word, its)));
    const some = all.filter(
      ({ part }) =>
        (part.share === null) === (share === null) && (holds(words, part.words) || holds(part.words, words)),
    );
    return some.length === 1 ? (some[0] ?? null) : null;
  }

  #onlyMoney(): Named | null {
    const money = this.#inputs.filter(({ part }) => part.measure?.unit === 'money');
    return money.length === 1 ? (money[0] ?? null) : null;
  }

  /** With what tax, tips and waste add to the last result, and what a discount takes off. */
  #withPercents(part: Part, solution: Solution): Solution {
    if (part.measure?.unit === '%') return solution;
    const free = this.#inputs.filter(
      ({ key, part: { measure, concept } }) =>
        measure?.unit === '%' && concept !== null && effects[concept] && !solution.expression.includes(key),
    );
    const factors = free.map(
      ({ key, part: { concept } }) => `(1 ${effects[concept ?? ''] ?? '+'} ${key} / 100)`,
    );
    if (factors.length === 0) return solution;
    const whole = /^ceil\((.*)\)$/.exec(solution.expression);
    const before =
      whole?.[1] ?? (/ [+-] /.test(solution.expression) ? `(${solution.expression})` : solution.expression);
    const product = [before, ...factors].join(' * ');
    return { ...solution, expression: whole ? `ceil(${product})` : product };
  }

  #unified(part: Part): Part {
    return unified([...this.#inputs.map((named) => named.part), part]).at(-1) ?? part;
  }

  /** A key that no other has, in small letters of ASCII. */
  #keyOf(label: string): string {
    const plain = fold(label)
      .replace(/ß/g, 'ss')
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^[^a-z]+|_+$/g, '')
      .slice(0, 20)
      .replace(/_+$/, '');
    const base = plain === '' ? 'value' : plain;
    let key = base;
    for (let at = 2; this.#keys.has(key); at += 1) key = `${base}_${at}`;
    this.#keys.add(key);
    return key;
  }
}

const empty: Part = {
  label: '',
  words: [],
  concept: null,
  measure: null,
  unit: '',
  value: null,
  share: null,
  start: 0,
  end: 0,
};
