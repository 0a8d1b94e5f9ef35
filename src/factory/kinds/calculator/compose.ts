import type { AppFormula } from '../../../../generated/types.gen.ts';
import type { Compose, Draft, Token } from '../../read/draft.ts';
import { lexiconOf } from '../../read/lexicon.ts';
import { freeLists } from '../../read/parts/lists.ts';
import { capitalised, named, shortened } from '../../read/parts/naming.ts';
import { firstSaid } from '../../read/parts/words.ts';
import { fold } from '../../read/phrases.ts';
import { writtenIn } from './formula/expression.ts';
import { type Grammar, grammarOf } from './formula/grammar.ts';
import { type Part, partOf } from './formula/labels.ts';
import { type FormulaTold, maxInputs, Table, type Wish } from './formula/table.ts';
import { zonesOf } from './formula/zones.ts';

const maxResults = 8;

/** Whether no result stands behind the inputs. */
const wishesOnly = (wishes: readonly Wish[], entered: readonly Part[]): boolean =>
  !wishes.some(({ part }) => part !== null && part.start > (entered[0]?.start ?? 0));

interface Ready extends AppFormula {
  readonly words: readonly string[];
  readonly name: string;
}

interface Content {
  readonly names: Readonly<Record<string, string>>;
  readonly tagline: string;
  readonly people: readonly string[];
  readonly unknown: string;
  readonly formulas: readonly Ready[];
}

/** Variants that a formula of the prompt's own stands in place of, even where it is not written out. */
const plain: ReadonlySet<string> = new Set(['basic', 'formula', 'quote', 'percentage']);

/** The formula that the prompt tells; or a ready calculator; or a plain one, which says so. */
export const compose: Compose<Content> = (draft, content) => {
  const { names } = content;
  const tagline = content.tagline;
  const variant =
    draft.variant && draft.variant !== 'basic' ? draft.variant : (calledLike(draft, names) ?? 'basic');
  const stated = formulaIn(draft);
  if (stated && (stated.written || plain.has(variant)))
    return {
      spec: {
        variant: 'formula',
        name: nameFor(draft, stated.formula, names['basic'] ?? ''),
        tagline,
        formula: stated.formula,
      },
      assumptions: [],
      taken: stated.taken,
    };
  const ready =
    variant === 'formula' || variant === 'basic' ? firstSaid(draft.tokens, content.formulas) : null;
  if (ready) return { spec: { variant: 'formula', tagline, ...formulaOf(ready, draft) }, assumptions: [] };
  if (variant === 'formula' || (variant === 'basic' && draft.subject))
    return {
      spec: { variant: 'basic', name: named(draft, '{Subject}', names['basic'] ?? ''), tagline },
      assumptions: [content.unknown],
    };
  const lines = variant === 'quote' ? linesOf(draft) : [];
  return {
    spec: {
      variant,
      name: names[variant] ?? '',
      tagline,
      settings: settingsOf(variant, draft, content.people),
      ...(variant === 'quote' ? { sections: [{ type: 'items' as const, title: '–', items: lines }] } : {}),
    },
    assumptions: [],
  };
};

/** The ready calculator that the prompt calls by its name: `Kreditrechner`. */
const calledLike = ({ prompt }: Draft, names: Content['names']): string | undefined => {
  const said = ` ${fold(prompt).replace(/[^\p{L}\d]+/gu, ' ')} `;
  const plain = (name: string) => ` ${fold(name).replace(/[^\p{L}\d]+/gu, ' ')} `;
  return Object.entries(names).find(
    ([variant, name]) => variant !== 'basic' && said.includes(plain(name)),
  )?.[0];
};

/** What it is about; where that is only one of its inputs, what it reckons first. */
function nameFor(draft: Draft, { inputs, results }: AppFormula, otherwise: string): string {
  const { subject } = draft;
  const [first] = results;
  const known = subject
    ? inputs.some(
        ({ label }) =>
          fold(label).includes(fold(subject.singular)) || fold(label).includes(fold(subject.text)),
      )
    : true;
  return known && first ? shortened(first.label, 60) : named(draft, '{Subject}', otherwise);
}

/** The ready formula in the currency of the draft. */
function formulaOf({ name, inputs, results }: Ready, { currency }: Draft) {
  const shown = (unit: string | undefined) => (unit ? { unit: unit.replace('{currency}', currency) } : {});
  const formula: AppFormula = {
    inputs: inputs.map((input) => ({ ...input, ...shown(input.unit) })),
    results: results.map((result) => ({ ...result, ...shown(result.unit) })),
  };
  return { name, formula };
}

/** The lines of a quote: what the prompt lists, with its prices. */
const linesOf = (draft: Draft) =>
  freeLists(draft)
    .flatMap(({ items }) => items)
    .slice(0, 24)
    .map(({ text, price }) => ({
      title: capitalised(text, draft.lang).slice(0, 120),
      ...(price ? { price: price.shown } : {}),
    }));

/** The setting that a percentage, a number of years or a sum of money stands for. */
const percentOf: Readonly<Record<string, string>> = {
  tip: 'tip',
  loan: 'rate',
  discount: 'discount',
  interest: 'rate',
  vat: 'rate',
  percentage: 'percent',
};
const amountOf: Readonly<Record<string, string>> = {
  tip: 'bill',
  loan: 'amount',
  discount: 'price',
  interest: 'start',
  vat: 'amount',
  salary: 'wage',
};

function settingsOf(variant: string, { quantities, facts }: Draft, people: readonly string[]) {
  const settings: Record<string, number> = {};
  const put = (name: string | undefined, value: number | undefined, max: number) => {
    if (name !== undefined && value !== undefined && value >= 0 && value <= max) settings[name] = value;
  };
  const of = (...units: string[]) => quantities.find(({ unit }) => units.includes(unit))?.value;
  put(percentOf[variant], of('percent'), 100);
  const number = of('');
  // A small whole number beside no price counts those who share.
  const sharing = variant === 'tip' && number !== undefined && Number.isInteger(number) && number < 30;
  put(amountOf[variant], facts.prices[0]?.amount ?? (sharing ? undefined : number), 1_000_000);
  if (sharing) put('people', number, 100);
  if (variant === 'loan' || variant === 'interest') put('years', of('year'), 100);
  if (variant === 'tip' || variant === 'fuel') put('people', of(...people) ?? settings['people'], 100);
  if (variant === 'fuel') put('distance', of('kilometre'), 100_000);
  if (variant === 'salary') put('hours', of('hour'), 168);
  return settings;
}

/**
 * The formula that a prompt tells: what is entered, what is reckoned, and how. A result of which nothing says for certain
 * how it is reckoned is left out, and so is an input that none needs; null where no result is left.
 */
function formulaIn(draft: Draft): FormulaTold | null {
  const grammar = grammarOf(draft.lang);
  const { items, markers } = zonesOf(draft, grammar);
  const { asking, generic } = lexiconOf(draft.lang);
  const wishes: Wish[] = [];
  const entered: Part[] = [];
  const topics: Part[] = [];
  for (const { role, tokens } of items) {
    const written = writtenIn(draft, tokens, grammar);
    if (written) {
      const [first, last] = [tokens[0], tokens.at(-1)];
      const span = { start: first?.start ?? 0, end: last?.end ?? 0 };
      wishes.push({ part: partOf(draft, written.label, grammar), written, percent: null, span });
      continue;
    }
    if (role === 'results') {
      const wish = wishOf(draft, tokens, grammar);
      // “Bags of 25 kg” are counted by what one of them holds.
      if (wish && wish.part?.value == null) wishes.push(wish);
      continue;
    }
    const part = partOf(draft, tokens, grammar);
    const names = tokens.some(
      ({ pos, lemma }) => (pos === 'noun' || pos === 'name') && !asking.has(lemma) && !generic.has(lemma),
    );
    if (part && (role === 'inputs' || names)) (role === 'inputs' ? entered : topics).push(part);
  }
  const stated = wishes.some(({ written }) => written !== null) || entered.length > 1;
  if (!stated || entered.length > maxInputs) return null;
  const table = new Table(draft, grammar, entered);
  const asked = wishes.length > 0 ? wishes : topics.map((part) => ({ part, written: null, percent: null }));
  // What stands in front of the inputs is what the app is about, and a result only where no other is stated.
  const first = asked.filter(
    ({ part }) =>
      part === null ||
      asked.length === 1 ||
      part.start > (entered[0]?.start ?? 0) ||
      wishesOnly(asked, entered),
  );
  for (const [at, wish] of (first.length > 0 ? first : asked).slice(0, maxResults).entries())
    table.add(wish, topics, at === asked.length - 1);
  table.addPacks();
  table.addFurther();
  return table.formula(
    markers,
    wishes.some(({ written }) => written !== null),
  );
}

/** What is to be reckoned, without the percentage that is put on top of it. */
function wishOf(draft: Draft, tokens: readonly Token[], grammar: Grammar): Wish | null {
  for (let at = 1; at < tokens.length; at += 1) {
    const added = grammar.added.at(tokens, at);
    const found = added ?? grammar.taken.at(tokens, at);
    const part = found ? partOf(draft, tokens.slice(at + found.length), grammar) : null;
    const base = part ? partOf(draft, tokens.slice(0, at), grammar) : null;
    if (part && base) return { part: base, written: null, percent: { part, sign: added ? '+' : '-' } };
  }
  const part = partOf(draft, tokens, grammar);
  return part && { part, written: null, percent: null };
}
