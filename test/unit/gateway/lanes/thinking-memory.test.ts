import { expect, it } from 'vitest';
import { ThinkingMemory } from '../../../../src/gateway/lanes/thinking-memory.ts';
import type { ModelMessage, ThinkingPart, ToolCallPart } from '../../../../src/model/parts.ts';
import { said } from '../../../../src/model/parts.ts';

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
