import type { AppGridMark } from '../../../../generated/types.gen.ts';
import type { Compose, Draft } from '../../read/draft.ts';
import { allLists, listOf, wholeItem, without } from '../../read/parts/lists.ts';
import { capitalised, named, wordPhrase } from '../../read/parts/naming.ts';
import { firstSaid, says } from '../../read/parts/words.ts';

interface Content {
  readonly names: Readonly<Record<string, string>>;
  readonly named: Readonly<Record<string, string>>;
  readonly tagline: string;
  readonly markWords: readonly string[];
  readonly rowWords: readonly string[];
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

/** The marks of a month, or the rows of a week: those that are listed, else those of the subject. */
export const compose: Compose<Content> = (draft, content) => {
  const variant = draft.variant || 'month';
  const { labels, field } = listed(draft, variant === 'week' ? content.rowWords : content.markWords);
  const { grid, usual } =
    variant === 'week' ? weekOf(draft, labels, content) : monthOf(draft, labels, content);
  return {
    spec: {
      variant,
      name: named(withSubject(draft, content), content.named[variant] ?? '', content.names[variant] ?? ''),
      tagline: content.tagline,
      features: ['undo', 'print', 'dark'],
      grid,
    },
    assumptions: usual && !field ? [variant === 'week' ? content.supposedRows : content.supposedMarks] : [],
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

/** What is listed: by the word in front, as the options of a field, or as the only list that there is. */
function listed(draft: Draft, words: readonly string[]) {
  const list = listOf(draft, words) ?? allLists(draft)[0] ?? null;
  const field = without(draft, list).fields.find(({ options }) => options.length >= 2);
  const texts =
    list?.items.map((item) => wholeItem(draft, item)) ??
    field?.options ??
    draft.facts.people.map(({ text }) => text);
  return {
    labels: [...new Set(texts.map((text) => capitalised(text, draft.lang)))],
    field: list ? undefined : field,
  };
}

function monthOf({ tokens }: Draft, labels: readonly string[], { usualMarks, done }: Content) {
  const known = firstSaid(tokens, usualMarks);
  const own = labels.slice(0, 12).map((label, at) => ({
    label: label.slice(0, 40),
    colour: colours[at % colours.length] ?? colours[0],
  }));
  const marks = own.length > 0 ? own : (known?.marks ?? [{ label: done, colour: colours[0] }]);
  return { grid: { rows: [], marks: marks.map((mark) => ({ ...mark })) }, usual: own.length === 0 };
}

function weekOf({ tokens }: Draft, labels: readonly string[], { usualRows, row }: Content) {
  const known = firstSaid(tokens, usualRows);
  const own = labels.slice(0, 24).map((label) => label.slice(0, 60));
  return {
    grid: { rows: own.length > 0 ? own : [...(known?.rows ?? [row])], marks: [] },
    usual: own.length === 0,
  };
}
