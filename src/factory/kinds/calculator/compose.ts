import type { AppFormula } from '../../../../generated/types.gen.ts';
import type { Compose, Draft } from '../../read/draft.ts';
import { freeLists } from '../../read/parts/lists.ts';
import { capitalised, named, shortened } from '../../read/parts/naming.ts';
import { purposeOf } from '../../read/parts/purpose.ts';
import { firstSaid } from '../../read/parts/words.ts';
import { fold } from '../../read/phrases.ts';
import { formulaIn } from './formula/formula.ts';

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
  const tagline = purposeOf(draft) || content.tagline;
  const variant =
    draft.variant && draft.variant !== 'basic' ? draft.variant : (calledLike(draft, names) ?? 'basic');
  const told = formulaIn(draft);
  if (told && (told.written || plain.has(variant)))
    return {
      spec: {
        variant: 'formula',
        name: nameFor(draft, told.formula, names['basic'] ?? ''),
        tagline,
        formula: told.formula,
      },
      assumptions: [],
      taken: told.taken,
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
  [
    ...freeLists(draft).flatMap(({ items }) =>
      items.map(({ text, price }) => ({ text, shown: price?.shown })),
    ),
    ...draft.facts.prices
      .filter(({ item }) => item !== '' && draft.lists.length === 0)
      .map(({ item, shown }) => ({ text: item, shown })),
  ]
    .slice(0, 24)
    .map(({ text, shown }) => ({
      title: capitalised(text, draft.lang).slice(0, 120),
      ...(shown ? { price: shown } : {}),
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
