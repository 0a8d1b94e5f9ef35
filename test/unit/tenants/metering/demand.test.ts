/** Which tags a request has. */
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../src/contract/errors.ts';
import { type TagSources, tagsOf } from '../../../../src/tenants/metering/demand.ts';

const many = (count: number, prefix = 'm') =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, String(n)]));

function refusal(sources: TagSources): ServiceError {
  try {
    tagsOf(sources);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the tags of a request', () => {
  it('are none, and nothing is made, where nobody has given any', () => {
    expect(tagsOf({ caller: {}, header: null, metadata: undefined })).toBeUndefined();
    expect(tagsOf({ caller: {}, metadata: {} })).toBeUndefined();
  });

  it('are the key’s own, the same object for each, where nobody adds to them', () => {
    const tags = { team: 'search' };
    expect(tagsOf({ caller: { tags }, header: null })).toBe(tags);
  });

  it('come from header, body and key, of which the later goes before the earlier', () => {
    const merged = tagsOf({
      caller: { tags: { team: 'key' } },
      header: 'team=header, env=header, job=header',
      metadata: { team: 'body', env: 'body', run: 'body' },
    });
    expect(merged).toEqual({ team: 'key', env: 'body', job: 'header', run: 'body' });
  });

  it('leave out what a body labels otherwise, as its interface has rules of its own', () => {
    const metadata = { 'a b': '1', long: 'x'.repeat(300), number: 1, nested: {}, good: 'yes' };
    expect(tagsOf({ caller: {}, metadata })).toEqual({ good: 'yes' });
    for (const odd of [[], ['a'], 'text', 7, null]) {
      expect(tagsOf({ caller: {}, metadata: odd }) ?? {}).toEqual(
        Array.isArray(odd) && odd.length ? { 0: 'a' } : {},
      );
    }
  });

  it('take as much of a body as there is room for', () => {
    const tags = tagsOf({ caller: { tags: many(10, 'k') }, header: 'm3=h', metadata: many(16) });
    expect(Object.keys(tags ?? {})).toHaveLength(16);
    expect(tags).toMatchObject({ m3: '3', m0: '0', m4: '4' });
    expect(tags).not.toHaveProperty('m6');
  });

  it('are too many where key and header say more than 16', () => {
    const header = Object.entries(many(10)).map(([name, value]) => `${name}=${value}`);
    const { code, param, message } = refusal({ caller: { tags: many(7, 'k') }, header: header.join() });
    expect([code, param]).toEqual(['invalid_request', 'x-switchyard-tags']);
    expect(message).toContain('not 17');
  });

  it('have to be there where the tenant asks for them, with something in them', () => {
    const requiredTags = ['team', 'env'];
    expect(tagsOf({ caller: { requiredTags, tags: { team: 'a' } }, metadata: { env: 'b' } })).toBeDefined();
    const { code, details, message } = refusal({ caller: { requiredTags }, header: 'team=, env=b' });
    expect([code, details.map((detail) => detail.message)]).toEqual(['tag_required', ['needs the tag team']]);
    expect(message).toContain('"team"');
    expect(refusal({ caller: { requiredTags } }).details).toHaveLength(2);
    expect(refusal({ caller: { requiredTags: ['constructor'] } }).code).toBe('tag_required');
  });
});
