import { describe, expect, it } from 'vitest';
import { Affinity, sessionOf } from '../../../../src/gateway/lanes/affinity.ts';
import { ThinkingMemory } from '../../../../src/gateway/lanes/thinking-memory.ts';
import type { WireContext } from '../../../../src/gateway/lanes/wire-context.ts';
import {
  type ModelMessage,
  said,
  type ThinkingPart,
  type ToolCallPart,
} from '../../../../src/model/parts.ts';
import type { Caller } from '../../../../src/tenants/accounts/caller.ts';

const asked = { tenant: 'acme', provider: 'deepseek', model: 'deepseek-v4-pro' };
const thinking = (text: string): ThinkingPart => ({
  type: 'thinking',
  text,
  sealed: {
    wire: 'openai-chat',
    provider: 'deepseek',
    model: 'deepseek-v4-pro',
    value: { reasoning_content: text },
  },
});
const call = (id: string, more: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'tool_call',
  id,
  name: 'ls',
  arguments: '{}',
  ...more,
});
const turn = (...content: ModelMessage['content'][number][]): ModelMessage[] => [
  said('user', 'ls'),
  { role: 'assistant', content },
];
const recalled = (memory: ThinkingMemory, messages: readonly ModelMessage[], who = asked) =>
  memory
    .recall(messages, who)[1]
    ?.content.map((part) => (part.type === 'thinking' ? part.sealed?.value : part.type));

it('what a model thought before its calls is there again where the client leaves it out', () => {
  const memory = new ThinkingMemory();
  memory.remember(asked, [thinking('look first'), call('a'), call('b')]);
  expect(recalled(memory, turn(call('a'), call('b')))).toEqual([
    { reasoning_content: 'look first' },
    'tool_call',
    'tool_call',
  ]);
});

it('what the client gives back stands alone', () => {
  const memory = new ThinkingMemory();
  memory.remember(asked, [thinking('look first'), call('a')]);
  const messages = turn(thinking('mine'), call('a'));
  expect(memory.recall(messages, asked)).toBe(messages);
});

it('what a vendor wants to see again with a call is there again', () => {
  const memory = new ThinkingMemory();
  const extraContent = { google: { thought_signature: 'c2ln' } };
  memory.remember(asked, [call('a', { extraContent })]);
  expect(memory.recall(turn(call('a')), asked)[1]?.content).toEqual([call('a', { extraContent })]);
});

it.each([
  ['another tenant', { tenant: 'other' }],
  ['another provider', { provider: 'other' }],
  ['another model', { model: 'other' }],
])('%s is told nothing of it', (_who, other) => {
  const memory = new ThinkingMemory();
  memory.remember(asked, [thinking('look first'), call('a')]);
  const messages = turn(call('a'));
  expect(memory.recall(messages, { ...asked, ...other })).toBe(messages);
});

it('it is forgotten after an hour, and the longest unused where there is too much of it', () => {
  let now = 0;
  const memory = new ThinkingMemory({ now: () => now });
  memory.remember(asked, [thinking('old'), call('a')]);
  now = 3_600_001;
  expect(recalled(memory, turn(call('a')))).toEqual(['tool_call']);

  const long = 'x'.repeat(200_000);
  for (let n = 0; n < 100; n += 1) memory.remember(asked, [thinking(long), call(`c${n}`)]);
  expect(recalled(memory, turn(call('c0')))).toEqual(['tool_call']);
  expect(recalled(memory, turn(call('c99')))).toHaveLength(2);

  memory.remember(asked, [thinking('x'.repeat(400_000)), call('huge')]);
  expect(recalled(memory, turn(call('huge')))).toEqual(['tool_call']);
});

describe('affinity', () => {
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
});
