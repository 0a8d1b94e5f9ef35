import type { Compose, Draft, Span } from '../../read/draft.ts';
import { entityOf, featuresFor, type PlannedField } from '../../read/parts/fields.ts';
import { freeLists } from '../../read/parts/lists.ts';
import { capitalised, named } from '../../read/parts/naming.ts';
import { says, tokensIn } from '../../read/parts/words.ts';

interface Content {
  readonly name: string;
  readonly named: string;
  readonly tagline: string;
  /** The label of the periods where the prompt names none. */
  readonly period: string;
  readonly value: string;
  readonly figures: { readonly singular: string; readonly plural: string };
  /** What is counted in money. */
  readonly money: readonly string[];
  /** Labels by the unit of time. */
  readonly periods: Readonly<Record<string, string>>;
}

/** One row for each period with a number for every figure that is named. It begins without numbers. */
export const compose: Compose<Content> = (draft, content) => {
  const date = draft.fields.find(({ type }) => type === 'date');
  const figures = figuresOf({ ...draft, fields: draft.fields.filter((field) => field !== date) }, content);
  const period: PlannedField = date
    ? { label: date.label, type: 'date', required: true }
    : { label: periodOf(draft, content), type: 'text', required: true };
  const entity = entityOf(content.figures.singular, content.figures.plural, [period, ...figures]);
  return {
    spec: {
      name: named(draft, content.named, content.name),
      tagline: content.tagline,
      entity,
      features: featuresFor(entity, ['totals', 'csv', 'undo', 'print', 'dark']).concat('chart'),
    },
    assumptions: [],
  };
};

const maxFigures = 12;
/** What is counted: a text without a type is a figure here, what is chosen or ticked is none. */
const counted: ReadonlySet<string> = new Set(['number', 'currency', 'text']);

/** The fields that are listed, else the things that are, else what the dashboard is about. */
function figuresOf(draft: Draft, content: Content): PlannedField[] {
  const { fields, subject, lang } = draft;
  const isMoney = (start: number, end: number) => says(tokensIn(draft, { start, end }), content.money);
  const figure = (label: string, start: number, end: number): PlannedField => ({
    label: capitalised(withUnit(draft, content, label, { start, end }), lang),
    type: isMoney(start, end) ? 'currency' : 'number',
  });
  if (fields.length > 0)
    return fields.slice(0, maxFigures).map((field) => {
      const { label, type, start, end } = field;
      if (!counted.has(type)) return field;
      return { ...figure(label, start, end), ...(type === 'currency' ? { type } : {}) };
    });
  const listed = freeLists(draft).flatMap(({ items }) => items);
  if (listed.length > 0)
    return listed.slice(0, maxFigures).map(({ text, start, end }) => figure(text, start, end));
  return [
    subject ? figure(subject.text, subject.start, subject.end) : { label: content.value, type: 'number' },
  ];
}

/** “In”, in all languages. */
const inWords: ReadonlySet<string> = new Set(['in', 'en', 'em']);

/** `harvest in kg` is shown as `Harvest (kg)`; `refunds per week` are refunds. */
function withUnit(
  draft: Draft,
  { periods }: Content,
  label: string,
  { start, end }: Pick<Span, 'start' | 'end'>,
): string {
  const [link, unit] = tokensIn(draft, { start, end }).slice(-2);
  const before = draft.prompt.slice(start, link?.start ?? start).trim();
  if (!link || !unit || before === '' || link.pos !== 'preposition') return label;
  if (
    says(
      [unit],
      Object.values(periods).map((period) => period.toLowerCase()),
    )
  )
    return before;
  if (!inWords.has(link.lower) || unit.pos === 'name') return label;
  return `${before} (${unit.text})`;
}

/** The smallest stretch of time that the prompt speaks of. */
function periodOf({ tokens }: Draft, { period, periods }: Content): string {
  const said = Object.values(periods).find((label) => says(tokens, [label.toLowerCase()]));
  return said ?? period;
}
