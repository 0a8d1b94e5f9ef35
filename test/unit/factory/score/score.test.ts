import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AppSpec } from '../../../../src/factory/spec.ts';
import { keepResult, readByFiles } from '../../../factory/asked-model.ts';
import type { PromptEntry } from '../../../factory/score/prompt-set.ts';
import {
  outcomeTable,
  reasonTable,
  scoredRow,
  shownPrompts,
  summary,
} from '../../../factory/score/report.ts';
import { score } from '../../../factory/score/score.ts';
import { marketSpec } from '../model/market-app.ts';
import { entryOf, readingOf, specOf } from './ideal.ts';

type Expect = Partial<PromptEntry['expect']>;
const failedChecks = (spec: AppSpec, expectation: Expect, prompt?: string) =>
  score(spec, readingOf(), entryOf(expectation, prompt === undefined ? {} : { prompt })).reasons.map(
    ({ check }) => check,
  );

const menu = specOf({
  kind: 'landing',
  variant: '',
  name: 'Crumb',
  entity: null,
  sections: [
    {
      type: 'prices',
      title: 'Menu',
      items: [
        { title: 'Espresso', price: '2.50' },
        { title: 'Latte', price: '3.20' },
      ],
    },
  ],
  hours: [{ days: 'Tue–Sat', time: '07:00–13:00' }],
  contact: { address: '12 Mill Street' },
});
const menuPrompt = 'Crumb, 12 Mill Street, Tue-Sat 7-13: Espresso 2.50, Latte 3.20';

describe('what is right', () => {
  it.each<[Expect, AppSpec?, string?]>([
    [{ kind: ['board', 'tracker'] }],
    [{ name: ['TOOLS'] }],
    [{ name_contains: ['tools', 'shed'] }, specOf({ name: 'Tool shed' })],
    [
      {
        fields: [
          { label: ['Tools'], type: ['text'] },
          { label: ['Due', 'Due date'], type: ['date'] },
          { label: ['status'], type: ['select'], options: ['In', 'Out'] },
        ],
        only_fields: true,
      },
    ],
    [{ accent_hue: 'green' }],
    [{ accent_hue: ['blue', 'green'] }],
    [{ kind: ['landing'], facts: ['12 Mill Street', '07:00', '13:00', '3,20'] }, menu, menuPrompt],
    [
      {
        kind: ['landing'],
        items: [
          ['Latte', '3.20'],
          ['Espresso', '2.50'],
        ],
      },
      menu,
      menuPrompt,
    ],
    [{ in_order: [['in', 'out']] }],
  ])('%j', (expectation, spec = specOf(), prompt) => {
    const entry = entryOf(expectation, prompt === undefined ? {} : { prompt });
    expect(score(spec, readingOf(), entry)).toMatchObject({ verdict: 'right', reasons: [] });
  });

  it('an item under the heading of its day', () => {
    const spec = specOf({
      sections: [
        { type: 'schedule', title: 'Friday', items: [{ title: 'Concert', meta: '18:00' }] },
        { type: 'schedule', title: 'Saturday', items: [{ title: 'Workshops', meta: '10:00' }] },
      ],
    });
    const items = [['Friday', '18:00', 'concert']];
    expect(failedChecks(spec, { items })).toEqual([]);
    expect(failedChecks(spec, { items: [['Friday', '10:00', 'workshops']] })).toEqual(['item']);
  });

  it('a row of numbers, the inputs of a formula and a label with its unit', () => {
    const spec = {
      ...specOf({ seed: [{ f0: 'Malta', f1: 1965 }] }),
      formula: { inputs: [{ key: 'length', label: 'Bed length (m)', unit: 'm' }], results: [] },
    };
    const expectation = {
      items: [['Malta', '1965']],
      fields: [{ label: ['Bed length'], type: ['number'] }],
    };
    expect(failedChecks(spec, expectation)).toEqual([]);
  });
});

describe('what is not right', () => {
  it.each<[Expect, string, AppSpec?, string?]>([
    [{}, 'kind', specOf({ kind: 'notes' })],
    [{}, 'language', specOf({ lang: 'de' })],
    [{ variant: ['cards'] }, 'variant'],
    [{ name: ['Shed'] }, 'name'],
    [{ name_contains: ['shed'] }, 'name'],
    [{ accent_hue: 'red' }, 'accent'],
    [{ mode: 'dark' }, 'mode'],
    [{ currency: 'GBP' }, 'currency'],
    [{ features: ['search'] }, 'feature'],
    [{ fields: [{ label: ['Owner'], type: ['text'] }] }, 'field'],
    [{ fields: [{ label: ['Due date'], type: ['checkbox'] }] }, 'field'],
    [{ fields: [{ label: ['Status'], type: ['select'], options: ['in'] }] }, 'field'],
    [{ fields: [{ label: ['Tool'], type: ['text'], required: true }] }, 'field'],
    [{ fields: [{ label: ['Tool'], type: ['text'] }], only_fields: true }, 'only fields'],
    [{ no_fields: ['statuses'] }, 'no field'],
    [{ kind: ['landing'], facts: ['08:00'] }, 'fact', menu, menuPrompt],
    [{ kind: ['landing'], items: [['Latte', '2.50']] }, 'item', menu, menuPrompt],
    [{ in_order: [['in']] }, 'list'],
    [{ in_order: [['out', 'in']] }, 'list'],
    [{ absent: ['2,019'] }, 'absent', specOf({ tagline: 'since 2,019' })],
    [{ not_taken_up: ['login'] }, 'not taken up'],
    [{ kind: ['landing'] }, 'invented price', menu, 'Crumb, 12 Mill Street, 7-13, Espresso 2.50'],
    [{ kind: ['landing'] }, 'invented contact', menu, 'Crumb 7-13, Espresso 2.50, Latte 3.20'],
    [{ kind: ['landing'] }, 'invented hours', menu, 'Crumb, 12 Mill Street, Espresso 2.50, Latte 3.20'],
    [{}, 'numbered entries', specOf({ seed: [{ f0: 'Tool 1' }, { f0: 'Tool 2' }] })],
    [
      {},
      'possessive label',
      specOf({
        entity: {
          singular: 'Bike',
          plural: 'Bikes',
          fields: [{ key: 'f0', label: 'My bike', type: 'text' }],
        },
      }),
    ],
  ])('%j: %s', (expectation, check, spec = specOf(), prompt) => {
    expect(failedChecks(spec, expectation, prompt)).toEqual([check]);
  });

  it('one field in place of two', () => {
    const spec = specOf({
      entity: { singular: 'Loan', plural: 'Loans', fields: [{ key: 'f0', label: 'Date', type: 'date' }] },
    });
    const fields = [
      { label: ['Date', 'Lent on'], type: ['date'] },
      { label: ['Date', 'Back on'], type: ['date'] },
    ];
    expect(failedChecks(spec, { fields })).toEqual(['field']);
  });

  it('a total of what nobody adds up', () => {
    const fields = [{ key: 'f0', label: 'Year', type: 'number' as const }];
    const entity = { singular: 'Stamp', plural: 'Stamps', fields };
    const expectation = { no_totals: ['Year'] };
    expect(failedChecks(specOf({ entity, features: ['totals'] }), expectation)).toEqual(['no total']);
    expect(failedChecks(specOf({ entity, features: [] }), expectation)).toEqual([]);
    const untotalled = {
      ...entity,
      fields: [{ key: 'f0', label: 'Year', type: 'number' as const, total: 'none' as const }],
    };
    expect(failedChecks(specOf({ entity: untotalled, features: ['totals'] }), expectation)).toEqual([]);
  });

  it('what is only supposed counts as no fact', () => {
    expect(
      failedChecks(specOf({ assumptions: ['Weekly on Mill Street'] }), { facts: ['Mill Street'] }),
    ).toEqual(['fact']);
  });
});

describe('the verdict', () => {
  const facts = ['Tool', 'Status', 'nowhere'];

  it('is usable when few assertions fail', () => {
    expect(score(specOf(), readingOf(), entryOf({ facts })).verdict).toBe('usable');
  });

  it('is wrong when many fail', () => {
    const more = [...facts, 'nobody', 'nothing', 'never'];
    expect(score(specOf(), readingOf(), entryOf({ facts: more })).verdict).toBe('wrong');
  });

  it('is wrong when the kind is, whatever else holds', () => {
    expect(
      score(specOf({ kind: 'notes' }), readingOf(), entryOf({ facts: ['Tool', 'Status'] })).verdict,
    ).toBe('wrong');
  });

  it('is wrong when a prompt is refused that a kind serves', () => {
    expect(score(specOf(), readingOf({ unserved: 'tools' }), entryOf()).verdict).toBe('wrong');
  });
});

describe('a prompt that no kind serves', () => {
  const entry = entryOf(
    { kind: [], unserved: true, head: ['weather radar', 'radar'], not_taken_up: ['rain'] },
    { prompt: 'weather radar with rain' },
  );

  it('is right when its head is said and the rest is listed', () => {
    const reading = readingOf({
      unserved: 'There is no weather radar among the kinds.',
      notTakenUp: ['rain'],
    });
    expect(score(specOf(), reading, entry)).toMatchObject({ verdict: 'right', honest: true });
  });

  it('is wrong and not honest when something else is built without a word', () => {
    expect(score(specOf(), readingOf({ notTakenUp: ['weather radar', 'rain'] }), entry)).toMatchObject({
      verdict: 'wrong',
      honest: false,
      reasons: [{ check: 'unserved' }],
    });
  });

  it('is not right when something else is named, or a wish is not listed', () => {
    const checks = (reading: ReturnType<typeof readingOf>) =>
      score(specOf(), reading, entry).reasons.map(({ check }) => check);
    expect(checks(readingOf({ unserved: 'app', notTakenUp: ['rain', 'weather radar'] }))).toEqual(['head']);
    expect(checks(readingOf({ unserved: 'weather radar' }))).toEqual(['not taken up']);
  });
});

// Notes are no list, so the second drops a word of its prompt too.
const rows = [
  scoredRow(entryOf(), { spec: specOf(), ...readingOf() }),
  scoredRow(entryOf(), { spec: specOf({ kind: 'notes' }), ...readingOf() }),
  scoredRow(entryOf({}, { prompt: 'tools with login', prompt_lang: 'de' }), {
    spec: specOf(),
    ...readingOf(),
  }),
  scoredRow(entryOf({ kind: [], unserved: true, head: 'radar' }, { prompt: 'radar' }), {
    spec: specOf(),
    ...readingOf({ unserved: 'radar' }),
  }),
];
const cells = (table: string) => table.split('\n').map((line) => line.split(/ {2,}/));

it('counts the verdicts by language and by kind', () => {
  const lines = cells(summary(rows));
  expect(lines).toContainEqual(['all', '4', '75 %', '0 %', '0 %', '25 %', '50 %', '100 %', '75 %']);
  expect(lines).toContainEqual(['served', '3', '67 %', '0 %', '0 %', '33 %', '33 %', '100 %', '67 %']);
  expect(lines).toContainEqual(['unserved', '1', '100 %', '0 %', '0 %', '0 %', '100 %', '100 %', '100 %']);
  expect(lines).toContainEqual(['de', '1', '100 %', '0 %', '0 %', '0 %', '0 %', '100 %', '100 %']);
  expect(lines).toContainEqual(['tracker', '3', '67 %', '0 %', '0 %', '33 %', '33 %', '100 %', '67 %']);
  expect(lines).toContainEqual(['no kind', '1', '100 %', '0 %', '0 %', '0 %', '100 %', '100 %', '100 %']);
});

it('tells what people get: the app, a question first, or something else, with or without a word', () => {
  const other = entryOf({ kind: [], unserved: true, head: 'radar' }, { prompt: 'radar' });
  const outcomes = [
    score(specOf(), readingOf(), entryOf()),
    score(specOf({ kind: 'notes' }), readingOf({ doubt: 'tools?' }), entryOf()),
    score(specOf(), readingOf({ doubt: 'radar?' }), other),
    score(specOf({ kind: 'notes' }), readingOf({ notTakenUp: ['tools'] }), entryOf()),
    score(specOf(), readingOf(), other),
  ];
  expect(outcomes.map(({ verdict, outcome, isSilent }) => [verdict, outcome, isSilent])).toEqual([
    ['right', 'as asked', false],
    ['asked', 'question', false],
    ['right', 'question', false],
    ['wrong', 'something else', false],
    ['wrong', 'something else', true],
  ]);
  const doubted = scoredRow(entryOf(), {
    spec: specOf(),
    ...readingOf({ doubt: 'tools?', choices: ['tracker'] }),
  });
  expect(cells(outcomeTable([...rows, doubted])).slice(1, 4)).toEqual([
    ['a question first', '2', '40.0 %'],
    ['', '… though a kind serves it', '1', '20.0 %'],
    ['', '… and is among the choices', '1', '20.0 %'],
  ]);
});

it('counts what fails, without a word of the prompts', () => {
  expect(cells(reasonTable(rows))).toEqual([
    ['dishonest: dropped word', '2'],
    ['kind', '1'],
  ]);
});

it('shows prompts by verdict', () => {
  expect(shownPrompts(rows, ['wrong'])).toContain('kind: notes, not tracker');
  expect(shownPrompts(rows, ['wrong'])).not.toContain('login');
  expect(shownPrompts(rows, ['dishonest'])).toContain('dropped word: login');
  expect(shownPrompts(rows, ['all']).match(/d-en-999/g)).toHaveLength(4);
});

it('questions wait as files for whoever answers; an answer serves again, and counts are kept with date and model', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'answers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const entries: PromptEntry[] = ['a list of what to buy', 'what to bring home from the market'].map(
    (prompt, n) => ({
      id: `x${n}`,
      lang: 'en',
      prompt,
      expect: { kind: ['tracker'] },
    }),
  );
  const first = readByFiles(entries, folder, 'a person');
  const written = (name: string) =>
    vi.waitFor(() => expect(existsSync(path.join(folder, name))).toBe(true), { timeout: 20_000 });
  await Promise.all([written('001.json'), written('002.json')]);
  const [question] = JSON.parse(readFileSync(path.join(folder, '001.json'), 'utf8')).messages.slice(-1);
  expect(question.content).toContain('Plan this app.');
  for (const number of ['001', '002'])
    writeFileSync(
      path.join(folder, `${number}.answer.txt`),
      JSON.stringify({ ...marketSpec, served_by: 'template' }),
    );
  const readings = await first;
  expect(readings.map(({ spec, degraded }) => [spec.name, degraded])).toEqual(
    Array(2).fill(['Market Day', false]),
  );
  const again = await readByFiles(entries, folder, 'a person');
  expect(again).toEqual(readings);
  expect(existsSync(path.join(folder, '003.json'))).toBe(false);
  const rows = entries.flatMap((entry, n) => (readings[n] ? [scoredRow(entry, readings[n])] : []));
  const kept = keepResult(path.join(folder, 'results'), 'development', 'a person', rows);
  expect(path.basename(kept)).toMatch(/^\d{4}-\d\d-\d\d-development-a-person\.json$/);
  expect(JSON.parse(readFileSync(kept, 'utf8'))).toMatchObject({
    model: 'a person',
    prompts: 2,
    set: 'development',
  });
});
