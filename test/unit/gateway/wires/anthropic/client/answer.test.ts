import type { Message } from '@anthropic-ai/sdk/resources/messages/messages';
import { describe, expect, test } from 'vitest';
import { anthropicWire } from '../../../../../../src/gateway/wires/anthropic/client/read.ts';
import { unwrapThinking } from '../../../../../../src/gateway/wires/envelope.ts';
import type { Completion, EndReason } from '../../../../../../src/model/port.ts';
import {
  answer,
  asked,
  ended,
  eventsOf,
  message,
  meta,
  parts,
  plain,
  readBySdk,
  reasoning,
  sealed,
  usageOnWire,
  written,
} from '../../../../../helpers/anthropic-answers.ts';

describe('a whole answer', () => {
  test('has every field of the wire', () => {
    const { content, ...rest } = answer(parts, 'tool_calls');
    expect(rest).toEqual({ ...message, stop_reason: 'tool_use', usage: usageOnWire });
    expect(content).toEqual([
      { type: 'thinking', thinking: 'I look.', signature: expect.stringMatching(/^sy1\./) },
      { type: 'redacted_thinking', data: expect.stringMatching(/^sy1\./) },
      {
        type: 'text',
        text: 'Let me look.',
        citations: [
          {
            type: 'web_search_result_location',
            url: 'https://example.org',
            title: 'Example',
            cited_text: 'Look!',
            encrypted_index: '',
          },
        ],
      },
      {
        type: 'tool_use',
        id: 'call_1',
        name: 'Read',
        input: { file_path: '/repo/ä' },
        caller: { type: 'direct' },
      },
      {
        type: 'tool_use',
        id: expect.stringMatching(/^toolu_sy1_[A-Za-z0-9_-]+$/),
        name: 'Bash',
        input: {},
        caller: { type: 'direct' },
      },
    ]);
    const [thinking, hidden] = content as unknown as [{ signature: string }, { data: string }];
    expect([unwrapThinking(thinking.signature), unwrapThinking(hidden.data)]).toEqual([
      sealed(reasoning),
      sealed(reasoning),
    ]);
  });

  test('is the same conversation when the client sends it back', () => {
    const { content } = answer(parts, 'tool_calls');
    const results = content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: block.id }] : [],
    );
    const messages = [...plain.messages, { role: 'assistant', content }, { role: 'user', content: results }];
    const [, said, given] = anthropicWire.read({ ...plain, messages }).call.messages;
    const uncited = parts.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : part));
    expect(said).toEqual({ role: 'assistant', content: uncited });
    expect(given?.content).toMatchObject([{ callId: 'call_1' }, { callId: 'functions.Bash:0' }]);
  });

  test('has Claude’s thinking as it came', () => {
    const value = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln/+==' };
    const block = { type: 'thinking', text: 'Hm.', sealed: sealed(value, 'anthropic') } as const;
    expect(answer([block]).content).toEqual([value]);
  });

  test('without text has no blocks', () => {
    expect(answer([{ type: 'text', text: '' }], 'length')).toMatchObject({
      content: [],
      stop_reason: 'max_tokens',
    });
  });

  test.each(['{"a":', '[1]', '"x"', ''])('shows arguments that are no object: %s', (json) => {
    const call = { type: 'tool_call', id: 'a', name: 'Bash', arguments: json } as const;
    expect(answer([call]).content).toMatchObject([{ input: { unparsed: json } }]);
  });

  test.each<[EndReason, string]>([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['tool_calls', 'tool_use'],
    ['stop_sequence', 'stop_sequence'],
    ['context_window', 'model_context_window_exceeded'],
    ['pause', 'pause_turn'],
  ])('%s is %s', (endReason, stop_reason) => {
    const text = { type: 'text', text: 'Hi' } as const;
    const completion: Completion = { parts: [text], ...ended(endReason), stopSequence: 'END' };
    expect(asked.answer(completion, meta)).toMatchObject({
      stop_reason,
      stop_sequence: endReason === 'stop_sequence' ? 'END' : null,
      stop_details: null,
    });
  });
});

describe('a refusal', () => {
  const parts = [
    { type: 'text', text: 'Well, ' },
    { type: 'refusal', text: 'I cannot help with that.' },
  ] as const;
  const expected = {
    content: [
      { type: 'text', text: 'Well, ', citations: null },
      { type: 'text', text: 'I cannot help with that.', citations: null },
    ],
    stop_reason: 'refusal',
    stop_details: { type: 'refusal', category: null, explanation: 'I cannot help with that.' },
  };

  test.each<EndReason>(['stop', 'refusal', 'content_filter'])(
    'ended by %s is one, whole and streamed',
    async (end) => {
      expect(answer(parts, end)).toMatchObject(expected);
      expect(await readBySdk(written(eventsOf({ parts, ...ended(end) })))).toMatchObject(expected);
    },
  );

  test('without words is one too', () => {
    expect(answer([], 'content_filter')).toMatchObject({
      content: [],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: null, explanation: null },
    });
  });
});

describe('who did not ask for thinking', () => {
  const { type: _, ...config } = { type: 'x', ...plain };
  test.each([
    ['gets none', config, 1],
    ['gets none', { ...config, thinking: { type: 'disabled' } }, 1],
    [
      'gets what the next turn needs with tools',
      { ...config, tools: [{ name: 'Read', input_schema: { type: 'object' } }] },
      3,
    ],
  ])('%s', async (__, body, blocks) => {
    const request = anthropicWire.read(body);
    const completion = { parts: parts.slice(0, 3), ...ended('stop') };
    expect((request.answer(completion, meta) as Message).content).toHaveLength(blocks);
    expect((await readBySdk(written(eventsOf(completion), request))).content).toHaveLength(blocks);
  });
});
