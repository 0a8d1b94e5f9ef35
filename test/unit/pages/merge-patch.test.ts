import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSame, patchBetween, patched } from '../../../src/pages/assets/json-pointer.js';

describe('a merge patch', () => {
  it('holds what differs and nothing else', () => {
    const before = {
      name: 'Loans',
      palette: { accent: '#000000', mode: 'auto' },
      features: ['csv'],
      contact: { email: 'a@b.c' },
    };
    const after = {
      name: 'Loans',
      palette: { accent: '#2f7d4f', mode: 'auto' },
      features: ['csv', 'due'],
      contact: {},
    };
    expect(patchBetween(before, after)).toEqual({
      palette: { accent: '#2f7d4f' },
      features: ['csv', 'due'],
      contact: { email: null },
    });
    expect(patchBetween(before, structuredClone(before))).toBeUndefined();
  });

  it('follows RFC 7396', () => {
    expect(patched({ a: 'b', c: { d: 'e', f: 'g' } }, { a: 'z', c: { f: null } })).toEqual({
      a: 'z',
      c: { d: 'e' },
    });
    expect(patched({ a: [{ b: 'c' }] }, { a: [1] })).toEqual({ a: [1] });
    expect(patched(['a'], { a: { b: null } })).toEqual({ a: {} });
    expect(patched({ a: 1 }, null)).toBeNull();
  });

  it('makes of the one what the other is, for whatever has no null in it', () => {
    const value = fc.jsonValue().map(withoutNull);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), fc.dictionary(fc.string(), value), (before, after) => {
        const patch = patchBetween(before, after);
        expect(isSame(patch === undefined ? before : patched(before, patch), after)).toBe(true);
      }),
    );
  });
});

function withoutNull(value: unknown): unknown {
  if (value === null) return 0;
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutNull(member)]));
}
