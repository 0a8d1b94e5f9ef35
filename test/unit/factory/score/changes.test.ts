import { describe, expect, it } from 'vitest';
import { templateNames } from '../../../../src/factory/spec.ts';
import { phrasesOf } from '../../../factory/score/changes/by-instruction.ts';
import { changeSummary, whyWrong } from '../../../factory/score/changes/change-report.ts';
import { changed, maxChanges } from '../../../factory/score/changes/changes.ts';
import { PageForm } from '../../../factory/score/changes/page-form.ts';
import type { Expectation, PromptLang } from '../../../factory/score/prompt-set.ts';
import { promptLangs, read } from '../../../factory/score/prompt-set.ts';
import { entryOf, readingOf, specOf } from './ideal.ts';

const tools = specOf();
const first = { spec: tools, ...readingOf() };
const verdicts = ({ rows }: Awaited<ReturnType<typeof changed>>) => rows.map(({ score }) => score.verdict);
/** A list of tools, and what else is expected of it. */
const byForm = (expect: Partial<Expectation>, spec = tools, prompt?: string) =>
  changed(entryOf(expect, prompt === undefined ? {} : { prompt }), { ...first, spec }, 'form');
const app = (prompt: string) => read(prompt).spec;

describe('somebody with the form', () => {
  it.each<[Partial<Expectation>, typeof tools?, string?]>([
    [{ name: ['Shed'] }],
    [{ name_contains: ['Rita', 'Tom'] }],
    [{ accent_hue: 'purple' }],
    [{ mode: 'dark' }],
    [{ features: ['chart'] }],
    [
      {
        fields: [
          { label: ['Lent to'], type: ['text'], required: true },
          { label: ['Price'], type: ['currency'] },
          { label: ['Shape'], type: ['select'], options: ['new', 'worn'] },
        ],
      },
    ],
    [{ fields: [{ label: ['Due date'], type: ['time'] }] }],
    [{ fields: [{ label: ['Status'], type: ['select'], options: ['here', 'gone'] }] }],
    [{ only_fields: true, fields: [{ label: ['Tool'], type: ['text'] }] }],
    [
      { no_totals: ['Year'] },
      specOf({
        features: ['totals'],
        entity: { singular: 'a', plural: 'b', fields: [{ key: 'f0', label: 'Year', type: 'number' }] },
      }),
    ],
    [{ facts: ['bike workshop'] }],
    [{ items: [['saw', '2026-03-01', 'out']] }],
    [{ kind: ['board'], in_order: [['in', 'repair', 'out']] }],
    [{ kind: ['form'], variant: ['poll'], in_order: [['Mon', 'Tue']] }],
    [{ kind: ['quiz'], items: [['Peru', 'Lima', 'Quito']] }],
    [{ kind: ['habits'], in_order: [['run', 'read']] }],
    [
      {
        kind: ['calculator'],
        variant: ['formula'],
        fields: [
          { label: ['Width'], type: ['number'] },
          { label: ['Height'], type: ['number'] },
        ],
        facts: ['area', 'm²'],
      },
    ],
    [{ kind: ['calendar'], variant: ['month'], in_order: [['good', 'bad']] }],
    [{ kind: ['calendar'], variant: ['week'], items: [['early', '06:00']] }],
    [{ kind: ['picker'], in_order: [['Ana', 'Ben']] }],
    [{ kind: ['timer'], variant: ['metronome'], facts: ['90'] }, app('metronome'), 'metronome, 90 beats'],
    [{ kind: ['notes'] }, { ...app('notes app'), lang: 'de' }],
    [
      {
        kind: ['landing'],
        facts: ['08:00', '18:00', 'ana@cafe.example', '030 1234567', '12 Mill Street'],
        items: [
          ['Latte', '3.20'],
          ['Tea', '2'],
        ],
        currency: 'GBP',
      },
      app('website of a café'),
      'website of a café, 12 Mill Street, ana@cafe.example, 030 1234567, 8:00-18:00, Latte 3.20, Tea 2',
    ],
    [
      {
        kind: ['event'],
        facts: ['2026-07-25', 'Bootshaus'],
        items: [['20:00', 'Buffet']],
      },
      app('party page'),
    ],
    [{ absent: ['hammer'] }, specOf({ seed: [{ f0: 'hammer' }, { f0: 'saw' }] })],
  ])('makes it so: %j', async (expectation, spec, prompt) => {
    const result = await byForm(expectation, spec, prompt);
    expect(verdicts(result)[0]).not.toBe('right');
    expect(result.rows.at(-1)?.score.reasons).toEqual([]);
    expect(result.left).toEqual([]);
  });

  it('takes what comes nearest where it was said that nothing serves it', async () => {
    const reading = { ...first, unserved: 'tools: no kind serves tools' };
    const result = await changed(entryOf(), reading, 'form');
    expect(result.asked).toEqual([{ kind: 'tracker' }]);
    expect(verdicts(result)).toEqual(['wrong', 'right']);
  });

  it('has no control for a kind or a number that there is not', async () => {
    expect((await byForm({ kind: ['radar'] })).left).toMatchObject([{ sort: 'kind' }]);
    const number = await byForm({ facts: ['77'] });
    expect(number.left).toMatchObject([{ sort: 'fact' }]);
    expect(number.asked).toEqual([]);
  });

  it('types nothing that does not fit, and chooses nothing that is not offered', () => {
    const form = new PageForm(tools);
    expect(form.type('/name', 'x'.repeat(61))).toBe(false);
    expect(form.type('/questions/0/prompt', 'Who?')).toBe(false);
    expect(form.choose('/variant', 'snake')).toBe(false);
    expect(form.include('/features', 'login')).toBe(false);
    expect(form.add('/questions')).toBeNull();
    expect(form.remove('/entity/fields', 7)).toBe(false);
    expect(form.patch).toBeUndefined();
    expect(form.type('/name', 'x'.repeat(60))).toBe(true);
    expect(form.patch).toEqual({ name: 'x'.repeat(60) });
    expect(new PageForm(specOf({ kind: 'calendar', variant: 'month' })).patch).toBeUndefined();
  });
});

describe('somebody who says it', () => {
  const wishes: Partial<Expectation> = { name: ['Zap'], accent_hue: 'purple', mode: 'dark' };

  it.each(promptLangs)('in %s: a name, a colour and a mode at once', async (lang: PromptLang) => {
    const entry = entryOf(wishes, { lang });
    const result = await changed(entry, { ...first, spec: specOf({ lang }) }, 'instruction');
    expect(verdicts(result)).toEqual(['wrong', 'right']);
    expect(typeof result.asked[0]).toBe('string');
  });

  it.each(promptLangs)('in %s: a field with a type, one with options, and one less', async (lang) => {
    const fields = [
      { label: ['Shelf'], type: ['text'] },
      { label: ['Level'], type: ['select'], options: ['Low', 'High'] },
    ];
    const entry = entryOf({ fields, no_fields: ['Due date'] }, { lang });
    const result = await changed(entry, { ...first, spec: specOf({ lang }) }, 'instruction');
    expect(result.rows.at(-1)?.score.reasons).toEqual([]);
  });

  it('asks three times at most, in other words each time', async () => {
    const result = await changed(entryOf({ not_taken_up: ['hovercraft'] }), first, 'instruction');
    expect(result.asked).toHaveLength(maxChanges);
    expect(result.asked[0]).not.toBe(result.asked[1]);
    expect(verdicts(result)).not.toContain('right');
    expect(result.rows).toHaveLength(maxChanges + 1);
  });

  it('goes on by form where that did not do', async () => {
    const result = await changed(
      entryOf({ kind: ['calculator'], variant: ['formula'], facts: ['m²'] }),
      first,
      'both',
    );
    expect(typeof result.asked[0]).toBe('string');
    expect(typeof result.asked[1]).toBe('object');
    expect(verdicts(result).at(-1)).toBe('right');
  });
});

describe('what no kind does', () => {
  const login = entryOf({ not_taken_up: [['login', 'logins']] });
  const radar = entryOf({ kind: [], unserved: true, head: 'radar' }, { prompt: 'radar' });

  it('is told to whoever asks for it, and by no form', async () => {
    expect(verdicts(await changed(login, first, 'instruction'))).toEqual(['usable', 'right']);
    expect(verdicts(await changed(login, first, 'form'))).toEqual(['usable']);
    expect((await changed(radar, first, 'form')).left).toMatchObject([{ sort: 'told' }]);
  });

  it.each(promptLangs)('is told in %s', async (lang) => {
    const spec = specOf({ lang });
    const add = await changed({ ...login, lang }, { ...first, spec }, 'instruction');
    expect(verdicts(add)).toEqual(['usable', 'right']);
    const make = await changed({ ...radar, lang }, { ...first, spec }, 'instruction');
    expect(verdicts(make)).toEqual(['wrong', 'right']);
  });

  it('is right at first where it was said, and nothing is asked for', async () => {
    const result = await changed(radar, { ...first, unserved: 'radar' }, 'both');
    expect(result).toMatchObject({ asked: [], left: [], refused: [] });
    expect(verdicts(result)).toEqual(['right']);
  });
});

describe('the phrases', () => {
  it.each(promptLangs)('of %s say what those of English say', (lang) => {
    const { says, kinds, refuses, ...words } = phrasesOf(lang);
    const english = phrasesOf('en');
    const slots = (ways: readonly string[] = []) =>
      [...new Set(ways.flatMap((way) => way.match(/\{\w+\}/g) ?? []))].toSorted();
    expect(Object.keys(kinds)).toEqual(Object.keys(english.kinds));
    expect(Object.keys(kinds)).toEqual(expect.arrayContaining([...templateNames]));
    expect(refuses.length).toBeGreaterThan(0);
    expect(Object.keys(says)).toEqual(Object.keys(english.says));
    for (const name of Object.keys(says)) expect(slots(says[name]), name).toEqual(slots(english.says[name]));
    for (const name of ['variants', 'types', 'features', 'colours', 'languages', 'currencies'] as const)
      expect(Object.keys(words[name])).toEqual(Object.keys(english[name]));
  });
});

it('prints shares and reasons, and no word of a prompt', async () => {
  const entries = [entryOf(), entryOf({ name: ['Zebra'] }), entryOf({ kind: ['radar'] })];
  const prompts = await Promise.all(
    entries.map(async (entry) => ({ entry, changed: await changed(entry, first, 'form') })),
  );
  const lines = changeSummary(prompts)
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(lines).toContainEqual(['all', '3', '33 %', '67 %', '67 %', '67 %']);
  expect(lines).toContainEqual(['unserved', '0', '-', '-', '-', '-']);
  expect(whyWrong(prompts)).toBe('kind, could not be asked for  1');
});
