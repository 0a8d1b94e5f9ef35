import type { Compose, Draft } from '../../read/draft.ts';
import { fieldOf } from '../../read/fields.ts';
import { lexiconOf } from '../../read/lexicon.ts';
import { entityOf, featuresFor, type PlannedField } from '../../read/parts/fields.ts';
import { allLists, freeLists, listOf, wholeItem, without } from '../../read/parts/lists.ts';
import { capitalised, named } from '../../read/parts/naming.ts';

interface Content {
  readonly name: string;
  readonly named: string;
  readonly tagline: string;
  readonly columns: readonly string[];
  /** Words that introduce columns. */
  readonly columnWords: readonly string[];
  /** Words that introduce cards. */
  readonly cardWords: readonly string[];
  /** What a card is where the prompt does not say it. */
  readonly thing: { readonly singular: string; readonly plural: string };
  readonly labels: { readonly title: string; readonly status: string; readonly notes: string };
  readonly supposed: string;
}

/** The columns that are listed, or the options of a status; other lists are cards. */
export const compose: Compose<Content> = (draft, content) => {
  const { named: pattern, tagline, labels } = content;
  const { columns, rest, stated } = columnsOf(draft, content);
  // What a board is about is no card of it: a wedding planning has tasks.
  const { thing } = content;
  const lexicon = lexiconOf(draft.lang);
  // “Cards with a name and a date” tells the fields of a card.
  const parts = freeLists(rest).filter(({ intro }) => lexicon.with.has(intro));
  const detailed = parts.flatMap(({ items }) => items.flatMap((item) => fieldOf(item, lexicon) ?? []));
  const [title, ...others] = [...rest.fields, ...detailed];
  const first: PlannedField =
    title && title.type === 'text'
      ? { ...title, required: true }
      : { label: labels.title, type: 'text', required: true };
  const more = title && title.type === 'text' ? others : [...rest.fields, ...detailed];
  const entity = entityOf(thing.singular, thing.plural, [
    first,
    { label: labels.status, type: 'select', options: columns },
    ...more,
    ...(more.some(({ type }) => type === 'longtext')
      ? []
      : [{ label: labels.notes, type: 'longtext' as const }]),
  ]);
  const cards = freeLists(rest)
    .filter((list) => !parts.includes(list))
    .flatMap(({ items }) => items.map((item) => wholeItem(draft, item)));
  return {
    spec: {
      name: named(draft, pattern, content.name),
      tagline,
      entity,
      features: featuresFor(entity, ['search', 'csv', 'due', 'undo', 'print', 'dark']),
      seed: cards
        .slice(0, 40)
        .map((card) => ({ f0: capitalised(card, draft.lang).slice(0, 300), f1: columns[0] ?? '' })),
    },
    assumptions: stated ? [] : [content.supposed],
  };
};

/** The columns, and the draft without what they were read from. */
function columnsOf(draft: Draft, { columns, columnWords, cardWords }: Content) {
  const stated = listOf(draft, columnWords);
  const status = draft.fields.find(({ type, options }) => type === 'select' && options.length >= 2);
  // A list that nothing says to be of something else names the columns.
  const list =
    stated ?? (status ? null : (allLists(draft).find(({ intro }) => !cardWords.includes(intro)) ?? null));
  if (list && list.items.length >= 2)
    return {
      columns: laneNames(
        list.items.map(({ text }) => text),
        draft,
      ),
      rest: without(draft, list),
      stated: true,
    };
  if (status)
    return {
      columns: laneNames(status.options, draft),
      rest: { ...draft, fields: draft.fields.filter((field) => field !== status) },
      stated: true,
    };
  return { columns, rest: draft, stated: false };
}

const laneNames = (texts: readonly string[], { lang }: Draft): string[] =>
  [...new Set(texts.map((text) => capitalised(text, lang).slice(0, 60)))].slice(0, 12);
