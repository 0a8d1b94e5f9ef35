import { describe, expect, it } from 'vitest';
import type { FactoryDiff, FactoryJob } from '../../../generated/types.gen.ts';
import { historyParts } from '../../../src/pages/assets/history-panel.js';
import { readingParts } from '../../../src/pages/assets/reading-parts.js';
import { changeText } from '../../../src/pages/assets/words.js';
import { markup } from '../../../src/pages/factory/build-view.ts';

const unserved = { head: 'metronome', nearest: ['timer', 'tracker'], message: 'There is no metronome.' };

describe('what a plan has no place for', () => {
  it('is told, with the choice once something can be chosen', () => {
    const told = markup(
      readingParts(
        { not_taken_up: ['blockchain', '<b>3</b>'], unserved, conflicts: ['12 June is <no> Friday.'] },
        true,
      ),
    ).text;
    expect(told).toContain('Please check: </strong>12 June is &lt;no&gt; Friday.');
    expect(told).toContain('There is no metronome.');
    expect(told).toContain('<q>blockchain</q>, <q>&lt;b&gt;3&lt;/b&gt;</q>.');
    expect([...told.matchAll(/data-near="(\w*)"/g)].map(([, kind]) => kind)).toEqual([
      'timer',
      'tracker',
      '',
    ]);
    expect(markup(readingParts({ not_taken_up: [], unserved }, false)).text).not.toContain('data-near');
  });

  it('is nothing where all was taken up', () => {
    expect(readingParts({ not_taken_up: [], unserved: null }, true)).toEqual([]);
    expect(readingParts(null, true)).toEqual([]);
    // Builds of earlier versions say nothing about it.
    expect(readingParts({}, true)).toEqual([]);
  });

  it('is told in part where it is long', () => {
    const words = Array.from({ length: 30 }, (_, n) => `w${n}`);
    const told = markup(readingParts({ not_taken_up: words }, true)).text;
    expect(told).toContain('w23');
    expect(told).not.toContain('w24');
    expect(told).toContain('and 6 more.');
  });
});

const revision = (number: number, change: object, status = 'succeeded', left: string[] = []) =>
  ({
    id: `job_${number}`,
    status,
    created_at: '2026-11-20T10:00:00.000Z',
    revision: {
      number,
      change: { type: 'first', instruction: null, restored: null, ...change },
      not_understood: left,
    },
  }) as unknown as FactoryJob;
const actions = (text: string) =>
  [...text.matchAll(/data-act="(\w+)" data-number="(\d)"/g)].map(([, act, number]) => `${act} ${number}`);

describe('the history of an app', () => {
  const all = [
    revision(3, { type: 'instruction', instruction: '<i>green</i>' }, 'succeeded', ['sing']),
    revision(2, { type: 'patch' }, 'failed'),
    revision(1, {}),
  ];

  it('says what each revision changed, and offers what can be done with it', () => {
    const { text } = markup(historyParts(all, 'job_3', null));
    expect(text).toContain('“&lt;i&gt;green&lt;/i&gt;”');
    expect(text).toContain('Not understood: <q>sing</q>.');
    expect(text).toContain('the first build');
    expect(actions(text)).toEqual(['show 1', 'compare 1', 'restore 1']);
    expect(actions(markup(historyParts(all, 'job_1', null)).text)).toEqual([
      'show 3',
      'compare 3',
      'restore 1',
    ]);
  });

  it('compares in words and by files', () => {
    const diff: FactoryDiff = {
      object: 'factory.diff',
      from: { id: 'job_1', number: 1 },
      to: { id: 'job_3', number: 3 },
      spec: [{ path: 'name', before: 'A', after: '<b>' }],
      files: [
        {
          path: 'src/a.js',
          status: 'changed',
          before_bytes: 1,
          after_bytes: 2,
          diff: '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y',
        },
        { path: 'index.html', status: 'changed', before_bytes: 1, after_bytes: 2, diff: null },
      ],
    };
    const { text } = markup(historyParts(all, 'job_3', { number: 1, diff }));
    expect(text).toContain('From revision 1 to 3');
    expect(text).toContain('Name: “A” → “&lt;b&gt;”');
    expect([...text.matchAll(/data-sort="(\w+)">(.)/g)].map(([, sort, sign]) => `${sort}${sign}`)).toEqual([
      'place@',
      'removed-',
      'added+',
    ]);
    expect(text).toContain('1 bytes before, 2 after.');
  });

  it.each([
    [{ type: 'first' }, ''],
    [{ type: 'patch' }, 'changed in the form'],
    [{ type: 'instruction', instruction: 'call it Zap' }, '“call it Zap”'],
    [{ type: 'instruction', instruction: null }, 'an instruction'],
    [{ type: 'restore', restored: 2 }, 'revision 2 again'],
  ])('%j', (change, words) => {
    expect(changeText(change)).toBe(words);
  });
});
