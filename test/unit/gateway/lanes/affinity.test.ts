import { describe, expect, it } from 'vitest';
import { Affinity, sessionOf } from '../../../../src/gateway/lanes/affinity.ts';
import type { WireContext } from '../../../../src/gateway/lanes/wire-context.ts';
import type { Caller } from '../../../../src/tenants/accounts/caller.ts';

describe('a session', () => {
  it('is bound to the provider that answered it last, until a request of it fails', () => {
    const affinity = new Affinity();
    expect(affinity.bound('a')).toBeUndefined();
    affinity.bind('a', 'one');
    affinity.bind('b', 'one');
    affinity.bind('a', 'two');
    expect([affinity.bound('a'), affinity.bound('b')]).toEqual(['two', 'one']);
    affinity.release('a');
    expect([affinity.bound('a'), affinity.bound('b')]).toEqual([undefined, 'one']);
  });

  it('is none where no client names one', () => {
    const affinity = new Affinity();
    affinity.bind(null, 'one');
    expect(affinity.bound(null)).toBeUndefined();
    affinity.release(null);
  });

  it('that was idle longest is forgotten first, so that there are never more than 10,000', () => {
    const affinity = new Affinity();
    for (let n = 0; n < 10_000; n += 1) affinity.bind(`s${n}`, 'one');
    affinity.bind('s0', 'one');
    affinity.bind('another', 'one');
    expect(['s0', 's1', 's2', 'another'].map((session) => affinity.bound(session))).toEqual([
      'one',
      undefined,
      'one',
      'one',
    ]);
  });
});

function context(headers: WireContext['headers'], tenantId = 'acme'): WireContext {
  return { headers, caller: { tenantId } as Caller } as WireContext;
}

describe('the session of a request', () => {
  it.each([
    ['x-claude-code-session-id', 'Claude Code'],
    ['session_id', 'Codex'],
    ['session-id', 'Codex'],
    ['x-session-id', 'others'],
    ['conversation_id', 'Codex'],
  ])('is what the header %s of %s says', (header) => {
    expect(sessionOf(context({ [header]: 'a' }), 'm', {})).toBe(JSON.stringify(['acme', 'm', 'a']));
  });

  it("is OpenAI's prompt_cache_key where no header names it", () => {
    const body = { prompt_cache_key: 'b' };
    expect(sessionOf(context({}), 'm', body)).toBe(JSON.stringify(['acme', 'm', 'b']));
    expect(sessionOf(context({ session_id: 'a' }), 'm', body)).toBe(JSON.stringify(['acme', 'm', 'a']));
  });

  it('is another of each tenant and of each model', () => {
    const headers = { session_id: 'a' };
    const all = [
      sessionOf(context(headers), 'm', {}),
      sessionOf(context(headers), 'n', {}),
      sessionOf(context(headers, 'other'), 'm', {}),
    ];
    expect(new Set(all).size).toBe(3);
  });

  it.each<[string, WireContext['headers'], Record<string, unknown>]>([
    ['nothing', {}, {}],
    ['an empty one', { session_id: '' }, {}],
    ['one that is no text', {}, { prompt_cache_key: 7 }],
    ['one that is longer than any is', { session_id: 'x'.repeat(513) }, {}],
  ])('is none for a client that names %s', (_, headers, body) => {
    expect(sessionOf(context(headers), 'm', body)).toBeNull();
  });
});
