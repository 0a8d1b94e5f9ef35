import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ascendingUlid, ulid } from '../../../src/lib/ids.ts';
import { isTagName, isTagValue, readTagsHeader } from '../../../src/lib/tags.ts';
import { tagsAsTyped } from '../../../src/pages/account/keys.ts';

describe('ids', () => {
  it('gives ids of one millisecond in their order, and those of another by its time', () => {
    const ids = Array.from({ length: 5_000 }, () => ascendingUlid(1_772_366_400_000));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    const time = ulid(1_772_366_400_000).slice(0, 10);
    for (const id of ids) {
      expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
      expect(id.startsWith(time)).toBe(true);
    }
    const [before, after] = [ascendingUlid(1_772_366_399_999), ascendingUlid(1_772_366_400_001)];
    expect(before < (ids[0] ?? '')).toBe(true);
    expect(after > (ids.at(-1) ?? '')).toBe(true);
  });
});

describe('tags header', () => {
  describe('the header of tags', () => {
    it.each<[string, Record<string, string>]>([
      ['', {}],
      ['  ', {}],
      ['team=search', { team: 'search' }],
      ['team=search, env=prod', { team: 'search', env: 'prod' }],
      [' team=search ,\tenv=prod ', { team: 'search', env: 'prod' }],
      ['team=search,', { team: 'search' }],
      ['note="a, b; c=\\"d\\" \\\\"', { note: 'a, b; c="d" \\' }],
      ['city=M%C3%BCnchen', { city: 'München' }],
      ['city="100%"', { city: '100%' }],
      ['empty=, also=""', { empty: '', also: '' }],
      ['b64=YWI=', { b64: 'YWI=' }],
      ['a=1, a=2', { a: '2' }],
      ['cost:center/eu.1=4711', { 'cost:center/eu.1': '4711' }],
      ['constructor=x', { constructor: 'x' }],
    ])('%j', (text, tags) => {
      expect(readTagsHeader(text)).toEqual(tags);
    });

    it.each<[string, RegExp]>([
      ['team', /^Tag 1, at character 1: Expected/],
      ['team=search env=prod', /^Tag 1, at character 1: Expected/],
      ['a=1, =2', /^Tag 2, at character 5: A tag name/],
      ['a=1,,b=2', /^Tag 2, at character 5: Expected/],
      ['__proto__=1', /A tag name/],
      [`${'n'.repeat(65)}=1`, /A tag name/],
      ['naïve=1', /A tag name/],
      ['a="open', /Expected/],
      ['a=Mün', /Expected/],
      ['a=%zz', /percent escape/],
      ['a=%ff', /percent escape/],
      ['a=%00', /control characters/],
      [`a=${'v'.repeat(257)}`, /at most 256/],
    ])('%j is refused with the place', (text, message) => {
      expect(() => readTagsHeader(text)).toThrow(message);
    });

    it('brings back any tags that were written as the documentation says, and as pages show them', () => {
      const names = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,63}$/).filter(isTagName);
      const values = fc.string({ unit: 'binary', maxLength: 60 }).filter(isTagValue);
      fc.assert(
        fc.property(fc.dictionary(names, values, { maxKeys: 16, noNullPrototype: true }), (tags) => {
          const plain = Object.entries(tags).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
          expect(readTagsHeader(plain.join(', '))).toEqual(tags);
          expect(readTagsHeader(tagsAsTyped(tags))).toEqual(tags);
        }),
      );
    });
  });
});
