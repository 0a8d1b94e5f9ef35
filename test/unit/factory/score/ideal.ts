import type { AppSpec } from '../../../../src/factory/spec.ts';
import type { Reading } from '../../../factory/score/prompt-set.ts';
import { type PromptEntry, spellingsOf } from '../../../factory/score/prompt-set.ts';
import type { ScoredSpec } from '../../../factory/score/spec-view.ts';
import { wordsOf } from '../../../factory/score/text.ts';
import { wholeSpec } from '../../../helpers/factory-build.ts';

/** A colour that goes by each name, as `#rrggbb`. */
const accents: Readonly<Record<string, string>> = {
  red: '#d02030',
  orange: '#ea580c',
  yellow: '#eab308',
  green: '#1f8a4c',
  teal: '#0f766e',
  blue: '#1d4ed8',
  purple: '#7c3aed',
  pink: '#db2777',
  brown: '#7a4a21',
  grey: '#6b7280',
  black: '#111111',
};
/** A fact as an app would show it: a day without its year is shown with one. */
const shown = (fact: string | readonly string[]) => first(fact).replace(/^\d{2}-\d{2}$/, '2026-$&');
const first = (spellings: string | readonly string[]) => spellingsOf(spellings)[0] ?? '';

interface Result {
  readonly spec: ScoredSpec;
  readonly reading: Reading;
}

/**
 * A result that does what an entry asks for and lists every other word of the prompt: it shows that the assertions of the
 * entry do not contradict each other or the scorer. No program makes it.
 */
export function idealOf(entry: PromptEntry): Result {
  const { expect, lang, prompt } = entry;
  const spec = {
    kind: expect.kind[0] ?? 'notes',
    variant: expect.variant?.[0] ?? '',
    name: expect.name?.[0] ?? expect.name_contains?.join(' & ') ?? 'App',
    lang,
    palette: { accent: accents[first(expect.accent_hue ?? 'blue')] ?? '', mode: expect.mode ?? 'auto' },
    currency: expect.currency ?? 'EUR',
    entity: {
      singular: 'thing',
      plural: 'things',
      fields: (expect.fields ?? []).map(({ label, type, options, required }) => ({
        label: label[0] ?? '',
        type: type[0] ?? 'text',
        ...(options ? { options } : {}),
        ...(required ? { required } : {}),
      })),
    },
    features: expect.features ?? [],
    sections: [
      { title: 'facts', items: (expect.facts ?? []).map((fact) => ({ title: shown(fact) })) },
      {
        title: 'items',
        items: (expect.items ?? []).map((group) => ({
          title: shown(group[0] ?? ''),
          notes: group.slice(1).map(shown),
        })),
      },
      ...(expect.in_order ?? []).map((list) => ({ title: 'list', options: list })),
    ],
  };
  const words = [...new Set(wordsOf(prompt))];
  const unserved = expect.unserved ? `There is no ${first(expect.head ?? '')} among the kinds.` : null;
  return {
    spec,
    reading: {
      notTakenUp: [...words, ...quoted(prompt), ...(expect.not_taken_up ?? []).map(first)],
      unserved,
    },
  };
}

/** The parts of a prompt that honesty looks for as a whole: quoted texts, addresses, numbers, times and dates. */
const quoted = (prompt: string) => {
  const words = prompt.split(/\s+/);
  return [
    ...prompt.split(/\s*[“”„«»"]\s*/),
    ...prompt.split(/\s*[“”„«»"]\s*|\s*[,;:()]\s+|\.\s/),
    ...words.map((word, at) => `${word} ${words[at + 1] ?? ''}`),
  ].filter((part) => part.trim() !== '');
};

/** The same results, each without one of the things that the entry asks for. */
export function lessOf(entry: PromptEntry): { readonly without: string; readonly result: Result }[] {
  const { expect } = entry;
  const less: [string, PromptEntry['expect']][] = [
    ...each('field', expect.fields, (fields) => ({ ...expect, fields })),
    ...each('item', expect.items, (items) => ({ ...expect, items, facts: [] })),
    ...(expect.in_order ?? []).map((list): [string, PromptEntry['expect']] => [
      'the last of its list',
      { ...expect, facts: [], in_order: [list.slice(0, -1)] },
    ]),
    ...(expect.name
      ? [['its name', { ...expect, name: ['App'] }] satisfies [string, PromptEntry['expect']]]
      : []),
    ['its kind', { ...expect, kind: ['none'] }],
  ];
  const results = less.map(([without, lacking]) => ({
    without,
    result: idealOf({ ...entry, expect: lacking }),
  }));
  const reading = { notTakenUp: [], unserved: null };
  const listing = expect.not_taken_up
    ? [{ without: 'its list', result: { ...idealOf(entry), reading } }]
    : [];
  return [...results, ...listing];
}

function each<T>(
  name: string,
  list: readonly T[] | undefined,
  lacking: (rest: readonly T[]) => PromptEntry['expect'],
): [string, PromptEntry['expect']][] {
  return (list ?? []).map((_, without) => [
    `${name} ${without + 1}`,
    lacking((list ?? []).filter((_, at) => at !== without)),
  ]);
}

const plain = wholeSpec({
  variant: 'table',
  name: 'Tools',
  palette: { accent: '#1f8a4c', mode: 'auto', look: 'soft' },
  currency: 'EUR',
  entity: {
    singular: 'Tool',
    plural: 'Tools',
    fields: [
      { key: 'f0', label: 'Tool', type: 'text' },
      { key: 'f1', label: 'Due date', type: 'date' },
      { key: 'f2', label: 'Status', type: 'select', options: ['in', 'out'] },
    ],
  },
});

/** A spec of a list of tools, with other members as given. */
export const specOf = (members: Partial<AppSpec> = {}): AppSpec => ({ ...plain, ...members });

/** A prompt that the spec of `specOf()` answers, with other members and expectations as given. */
export const entryOf = (
  expect: Partial<PromptEntry['expect']> = {},
  members: Partial<Omit<PromptEntry, 'expect'>> = {},
): PromptEntry => ({
  id: 'd-en-999',
  lang: 'en',
  prompt: 'a list of tools: tool, due date, status (in, out)',
  expect: { kind: ['tracker'], ...expect },
  ...members,
});

/** What a reader says that took everything up, with other members as given. */
export const readingOf = (members: Partial<Reading> = {}): Reading => ({
  notTakenUp: [],
  unserved: null,
  ...members,
});
