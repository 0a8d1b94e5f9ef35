import { describe, expect, it } from 'vitest';
import { byService, type ChangedPrompt, shareRight } from '../../factory/score/changes/change-report.ts';
import { changed, maxChanges, ways } from '../../factory/score/changes/changes.ts';
import {
  promptLangOf,
  promptLangs,
  promptSet,
  read,
  setNames,
  setProblems,
} from '../../factory/score/prompt-set.ts';
import { hasFactIn } from '../../factory/score/quantities.ts';
import { type Row, scoredRow } from '../../factory/score/report.ts';
import { score } from '../../factory/score/score.ts';
import { wordsOf } from '../../factory/score/text.ts';
import { readMarkdown } from '../../helpers/guides.ts';
import { testEvery } from '../../helpers/test-every.ts';
import { idealOf, lessOf } from './score/ideal.ts';

const entries = setNames.flatMap((set) => promptSet(set).map((entry) => ({ set, ...entry })));

describe('the sets of prompts', () => {
  testEvery('fit their schema', setNames, (set) => {
    expect(setProblems(promptSet(set))).toEqual([]);
  });

  it('have ids that say their set and stand once', () => {
    expect(entries.filter(({ id, set }) => !id.startsWith(`${set[0]}-`)).map(({ id }) => id)).toEqual([]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  });

  it('share no prompt', () => {
    const prompts = entries.map(({ prompt }) => wordsOf(prompt).join(' '));
    expect(prompts.filter((prompt, index) => prompts.indexOf(prompt) !== index)).toEqual([]);
  });

  testEvery(
    'heldout has at least 22 prompts in every language, and a third of all is served by no kind',
    promptLangs,
    (lang) => {
      const heldout = promptSet('heldout').filter((entry) => promptLangOf(entry) === lang);
      expect(heldout.length).toBeGreaterThanOrEqual(22);
      const unserved = heldout.filter(({ expect }) => expect.unserved).length;
      expect(unserved / heldout.length).toBeGreaterThan(0.25);
      expect(unserved / heldout.length).toBeLessThan(0.45);
    },
  );

  it('heldout asks for each kind', () => {
    const asked = new Set(promptSet('heldout').flatMap(({ expect }) => expect.kind));
    expect([...asked].sort()).toEqual([
      'board',
      'calculator',
      'calendar',
      'converter',
      'dashboard',
      'docs',
      'document',
      'drawing',
      'event',
      'flashcards',
      'form',
      'game',
      'habits',
      'landing',
      'notes',
      'picker',
      'portfolio',
      'quiz',
      'timer',
      'tracker',
    ]);
  });
});

describe('the assertions of a prompt', () => {
  testEvery('ask for nothing that it does not say', entries, (entry) => {
    const { expect: wanted, prompt } = entry;
    const said = { texts: [prompt], numbers: [] };
    const texts = [
      ...(wanted.facts ?? []),
      ...(wanted.items ?? []).flat(),
      ...(wanted.in_order ?? []).flat(),
      ...(wanted.fields ?? []).flatMap(({ options }) => options ?? []),
      ...(wanted.not_taken_up ?? []),
      ...(wanted.name_contains ?? []),
      ...(wanted.name ? [wanted.name] : []),
      ...(wanted.head === undefined ? [] : [wanted.head]),
    ];
    const lang = promptLangOf(entry);
    expect(texts.filter((text) => !hasFactIn(said, text, lang))).toEqual([]);
  });

  testEvery('can all be met, and honestly', entries, (entry) => {
    const { spec, reading } = idealOf(entry);
    expect(score(spec, reading, entry)).toMatchObject({
      verdict: 'right',
      honest: true,
      reasons: [],
      dishonest: [],
    });
  });

  testEvery('are not met by nothing', entries, (entry) => {
    const { spec } = idealOf(entry);
    const bare = { ...spec, kind: 'none', variant: '', name: 'App', entity: null, sections: [] };
    expect(score(bare, { notTakenUp: [], unserved: null }, entry)).toMatchObject({
      verdict: 'wrong',
      honest: false,
    });
  });
});

const reduced = entries
  .filter(({ expect }) => !expect.unserved)
  .flatMap((entry) =>
    lessOf(entry).map(({ without, result }) => ({ id: `${entry.id} without ${without}`, entry, ...result })),
  );

testEvery('a result that lacks one thing is not right', reduced, ({ entry, spec, reading }) => {
  expect(score(spec, reading, entry).verdict).not.toBe('right');
});

describe('the schema of a set', () => {
  const entry = { id: 'd-en-999', lang: 'en', prompt: 'a thing', expect: { kind: ['tracker'] } };
  const unserved = { ...entry, expect: { kind: [], unserved: true, head: 'thing' } };

  it('takes a served and an unserved prompt', () => {
    expect(setProblems([entry, unserved])).toEqual([]);
  });

  it.each([
    ['an unknown member', { ...entry, expectation: {} }],
    ['an unknown kind', { ...entry, expect: { kind: ['spaceship'] } }],
    ['no kind for a served prompt', { ...entry, expect: { kind: [] } }],
    ['a kind for an unserved prompt', { ...unserved, expect: { ...unserved.expect, kind: ['tracker'] } }],
    ['an unserved prompt without its head', { ...unserved, expect: { kind: [], unserved: true } }],
    ['a number in place of a text', { ...entry, expect: { kind: ['tracker'], facts: [8.5] } }],
    ['an item of one text', { ...entry, expect: { kind: ['tracker'], items: [['a']] } }],
  ])('refuses %s', (_, wrong) => {
    expect(setProblems([wrong])).not.toEqual([]);
  });
});

const scored = (set: 'development' | 'heldout' | 'regression') =>
  promptSet(set).map((entry) => scoredRow(entry, read(entry.prompt)));
const percent = (rows: readonly Row[], holds: (row: Row) => boolean) =>
  `${((100 * rows.filter(holds).length) / rows.length).toFixed(0)} %`;
const right = ({ score }: Row) => score.verdict === 'right';

/** The figures that the documents quote are those that the scorer finds in the reader as it is. */
describe('the figures of the build factory', () => {
  const guide = readMarkdown('docs/guides/factory.md');
  const heldout = scored('heldout');
  const lineOf = (name: string, rows: readonly Row[]) => {
    const verdicts = (['right', 'usable', 'asked', 'wrong'] as const).map((verdict) =>
      percent(rows, ({ score }) => score.verdict === verdict),
    );
    return `| ${[name, rows.length, ...verdicts, percent(rows, ({ score }) => score.honest)].join(' | ')} |`;
  };

  it.each([
    ['held out', heldout],
    ['… that a kind serves', heldout.filter(({ entry }) => !entry.expect.unserved)],
    ['… that no kind serves', heldout.filter(({ entry }) => entry.expect.unserved)],
    ['development', scored('development')],
    ['regression', scored('regression')],
  ])('stand in the guide: %s', (name, rows) => {
    expect(guide).toContain(lineOf(name, rows));
  });

  it.each(ways)('stand in the guide after changes: by %s', async (way) => {
    const prompts: ChangedPrompt[] = [];
    for (const { entry } of heldout)
      prompts.push({ entry, changed: await changed(entry, read(entry.prompt), way) });
    const [[, all], [, served]] = byService(prompts);
    for (const [name, some] of [
      [`by ${way}`, all],
      [`by ${way}, where a kind serves`, served],
    ] as const) {
      const shares = Array.from({ length: maxChanges + 1 }, (_, count) => shareRight(some, count));
      expect(guide).toContain(`| ${[name, ...shares].join(' | ')} |`);
    }
  });

  it('have no reported prompt that has become less again: each is right, or asked about', () => {
    const less = scored('regression').filter(({ score }) => !['right', 'asked'].includes(score.verdict));
    expect(less.map(({ entry }) => entry.id)).toEqual([]);
  });

  it('stand in the README', () => {
    expect(readMarkdown('README.md')).toContain(
      `for ${percent(heldout, right)} of ${heldout.length} prompts`,
    );
  });
});
