import type { AppGridMark } from '../../../../generated/types.gen.ts';
import type { Compose, Draft, ListItem } from '../../read/draft.ts';
import { allLists, wholeItem } from '../../read/parts/lists.ts';
import { capitalised, named, wordPhrase } from '../../read/parts/naming.ts';
import { firstSaid, says } from '../../read/parts/words.ts';

interface Content {
  readonly names: Readonly<Record<string, string>>;
  readonly named: Readonly<Record<string, string>>;
  readonly tagline: string;
  readonly markWords: readonly string[];
  readonly rowWords: readonly string[];
  /** Words that introduce what stands in the cells of a week where its rows are listed, too. */
  readonly cellWords: readonly string[];
  readonly usualMarks: readonly {
    readonly words: readonly string[];
    readonly marks: readonly AppGridMark[];
  }[];
  readonly usualRows: readonly { readonly words: readonly string[]; readonly rows: readonly string[] }[];
  readonly done: string;
  readonly row: string;
  readonly supposedRows: string;
  readonly supposedMarks: string;
}

/** Colours of marks that have none, far enough from each other. */
const colours = [
  '#2f9e44',
  '#1971c2',
  '#f08c00',
  '#d6336c',
  '#7048e8',
  '#0c8599',
  '#868e96',
  '#e03131',
] as const;

/** The marks of a month, or the rows of a week and what may stand in them: those that are listed, else the usual ones. */
export const compose: Compose<Content> = (draft, content) => {
  const variant = draft.variant || 'month';
  const { grid, usual } = variant === 'week' ? weekOf(draft, content) : monthOf(draft, content);
  return {
    spec: {
      variant,
      name: named(withSubject(draft, content), content.named[variant] ?? '', content.names[variant] ?? ''),
      tagline: content.tagline,
      features: ['undo', 'print', 'dark'],
      grid,
    },
    assumptions: usual ? [variant === 'week' ? content.supposedRows : content.supposedMarks] : [],
  };
};

/** A calendar of moods is about moods, also where the word for it is part of what names the calendar. */
function withSubject(draft: Draft, { usualMarks, usualRows }: Content): Draft {
  const word = [...usualMarks, ...usualRows]
    .flatMap(({ words }) => words)
    .find((one) => says(draft.tokens, [one]));
  if (draft.subject || word === undefined) return draft;
  return { ...draft, subject: wordPhrase(word) };
}

/** The lists of a draft as labels, and the options of a field where that is all there is. */
function listed(draft: Draft): { readonly intro: string; readonly labels: readonly string[] }[] {
  const lists = allLists(draft).map((list) => ({
    intro: list.intro,
    labels: distinct(
      list.items.flatMap((item) => labelsOf(draft, item)),
      draft,
    ),
  }));
  const options = draft.fields.find((field) => field.options.length >= 2)?.options ?? [];
  return lists.length > 0 || options.length === 0 ? lists : [{ intro: '', labels: distinct(options, draft) }];
}

/** What stands in parentheses tells something of the item, a time above all. */
const labelsOf = (draft: Draft, item: ListItem): string[] =>
  item.text === '' ? item.options.slice() : [wholeItem(draft, item)];

const distinct = (texts: readonly string[], { lang }: Draft) => [
  ...new Set(texts.map((text) => capitalised(text, lang))),
];

function monthOf(draft: Draft, { usualMarks, done, markWords }: Content) {
  const known = firstSaid(draft.tokens, usualMarks);
  const lists = listed(draft);
  const labels = (lists.find(({ intro }) => markWords.includes(intro)) ?? lists[0])?.labels ?? [];
  const own = marksOf(labels);
  const marks = own.length > 0 ? own : (known?.marks ?? [{ label: done, colour: colours[0] }]);
  return { grid: { rows: [], marks: marks.map((mark) => ({ ...mark })) }, usual: own.length === 0 };
}

const marksOf = (labels: readonly string[]): AppGridMark[] =>
  labels.slice(0, 12).map((label, at) => ({
    label: label.slice(0, 40),
    colour: colours[at % colours.length] ?? colours[0],
  }));

/** Two lists are the rows and what may stand in their cells: people and their shifts. */
function weekOf(draft: Draft, { usualRows, row, rowWords, markWords, cellWords }: Content) {
  const known = firstSaid(draft.tokens, usualRows);
  const lists = listed(draft);
  const cells =
    lists.find(({ intro }) => markWords.includes(intro)) ??
    (lists.length > 1 ? lists.find(({ intro }) => cellWords.includes(intro)) : undefined);
  const others = lists.filter((list) => list !== cells);
  const rows = others.find(({ intro }) => rowWords.includes(intro)) ?? others[0];
  const own = (rows?.labels ?? []).slice(0, 24).map((label) => label.slice(0, 60));
  const marks = cells ?? others.find((list) => list !== rows);
  return {
    grid: {
      rows: own.length > 0 ? own : [...(known?.rows ?? [row])],
      marks: marksOf(marks?.labels ?? []),
    },
    usual: own.length === 0,
  };
}
