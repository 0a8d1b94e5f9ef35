import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareFiles, compareSpecs } from '../../../../src/factory/compare.ts';

describe('two specs', () => {
  it('differ where their members do, with null for what is not there', () => {
    const before = {
      name: 'A',
      palette: { accent: '#000000', mode: 'auto' },
      formula: null,
      copy: { a: 'x' },
    };
    const after = {
      name: 'B',
      palette: { accent: '#000000', mode: 'dark' },
      formula: { inputs: [] },
      copy: {},
    };
    expect(compareSpecs(before, after)).toEqual([
      { path: 'name', before: 'A', after: 'B' },
      { path: 'palette.mode', before: 'auto', after: 'dark' },
      { path: 'formula', before: null, after: { inputs: [] } },
      { path: 'copy.a', before: 'x', after: null },
    ]);
    expect(compareSpecs(before, before)).toEqual([]);
    expect(compareSpecs({}, { formula: null, name: 'A' })).toEqual([
      { path: 'name', before: null, after: 'A' },
    ]);
  });

  it('have an item more or less as one change, and an item that changed by its members', () => {
    const list = (...titles: string[]) => ({ sections: titles.map((title) => ({ title, type: 'text' })) });
    expect(compareSpecs(list('A', 'B', 'C'), list('A', 'X', 'B', 'C'))).toEqual([
      { path: 'sections[1]', before: null, after: { title: 'X', type: 'text' } },
    ]);
    expect(compareSpecs(list('A', 'B', 'C'), list('A', 'C'))).toEqual([
      { path: 'sections[1]', before: { title: 'B', type: 'text' }, after: null },
    ]);
    expect(compareSpecs(list('A', 'B', 'C'), list('A', 'Z', 'C'))).toEqual([
      { path: 'sections[1].title', before: 'B', after: 'Z' },
    ]);
    expect(compareSpecs(list('A', 'B', 'C'), list('Z', 'C', 'D'))).toEqual([
      { path: 'sections[0].title', before: 'A', after: 'Z' },
      { path: 'sections[1]', before: { title: 'B', type: 'text' }, after: null },
      { path: 'sections[2]', before: null, after: { title: 'D', type: 'text' } },
    ]);
  });
});

describe('the files of two builds', () => {
  const files = (held: Record<string, string>) => new Map(Object.entries(held));

  it('are shown where they differ, by path, with what differs', () => {
    const before = files({ 'a.js': 'one\n', 'b.js': 'same\n', 'c.js': 'gone\n', 'index.html': '<p>1' });
    const after = files({ 'a.js': 'two\n', 'b.js': 'same\n', 'd.js': 'new\n', 'index.html': '<p>22' });
    expect(compareFiles(before, after)).toEqual([
      {
        path: 'a.js',
        status: 'changed',
        before_bytes: 4,
        after_bytes: 4,
        diff: '--- a.js\n+++ a.js\n@@ -1,1 +1,1 @@\n-one\n+two\n',
      },
      expect.objectContaining({ path: 'c.js', status: 'removed', before_bytes: 5, after_bytes: null }),
      expect.objectContaining({ path: 'd.js', status: 'added', before_bytes: null, after_bytes: 4 }),
      { path: 'index.html', status: 'changed', before_bytes: 4, after_bytes: 5, diff: null },
    ]);
  });

  it('have no diff where it would be longer than it may be', () => {
    const lines = (letter: string, count: number) =>
      Array.from({ length: count }, (_, n) => `${letter}${n}\n`).join('');
    const [large] = compareFiles(files({ a: '' }), files({ a: 'x'.repeat(70_000) }));
    expect([large?.status, large?.diff]).toEqual(['changed', null]);
    const [hard] = compareFiles(files({ a: lines('a', 20_000) }), files({ a: lines('b', 20_000) }));
    expect(hard?.diff).toBeNull();
    const many = Array.from({ length: 40 }, (_, n) => [`f${n}`, 'y'.repeat(40_000)] as const);
    const diffs = compareFiles(new Map(), new Map(many)).map(({ diff }) => diff?.length ?? 0);
    expect(diffs.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(1_048_576);
    expect(diffs.filter((length) => length > 0).length).toBeGreaterThan(20);
  });

  it('have diffs that make the one of the other', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (was, is) => {
        const [change] = compareFiles(files({ f: was }), files({ f: is }));
        expect(change ? applyPatch(was, change.diff ?? '') : was).toBe(is);
      }),
    );
  });
});
