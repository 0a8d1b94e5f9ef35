import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnswerPart, CompletionEvent } from '../../../../../../src/model/port.ts';
import {
  answer,
  callEvents,
  ended,
  eventsOf,
  message,
  parts,
  readBySdk,
  reasoning,
  sealed,
  takingTurns,
  usageOnWire,
  written,
} from '../../../../../helpers/anthropic-answers.ts';

describe('a streamed answer', () => {
  const lines = (events: [string, object][]) =>
    events
      .map(([type, fields]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
      .join('');
  const start = {
    message: {
      id: message.id,
      type: 'message',
      role: 'assistant',
      model: 'gpt-6',
      content: [],
      container: null,
      diagnostics: null,
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: {
        input_tokens: 2075,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 0,
        output_tokens_details: { thinking_tokens: 0 },
        server_tool_use: null,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        inference_geo: null,
        service_tier: null,
        speed: null,
      },
    },
  };
  const { cache_creation, inference_geo, service_tier, speed, ...totals } = usageOnWire;
  const end = (stop_reason: string): [string, object][] => [
    [
      'message_delta',
      { delta: { stop_reason, stop_sequence: null, stop_details: null, container: null }, usage: totals },
    ],
    ['message_stop', {}],
  ];

  test('is these bytes', () => {
    const events: CompletionEvent[] = [
      { type: 'delta', content: 'Grüße' },
      { type: 'delta', content: '!' },
      { type: 'tool_call_delta', index: 0, id: 'call_1', name: 'Read', arguments: '' },
      { type: 'tool_call_delta', index: 0, id: 'call_1', name: 'Read', arguments: '{}' },
      {
        type: 'tool_call',
        index: 0,
        toolCall: { type: 'tool_call', id: 'call_1', name: 'Read', arguments: '{}' },
      },
      { type: 'end', ...ended('tool_calls') },
    ];
    expect(written(events)).toBe(
      lines([
        ['message_start', start],
        ['content_block_start', { index: 0, content_block: { type: 'text', text: '', citations: null } }],
        ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Grüße' } }],
        ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: '!' } }],
        ['content_block_stop', { index: 0 }],
        [
          'content_block_start',
          {
            index: 1,
            content_block: {
              type: 'tool_use',
              id: 'call_1',
              name: 'Read',
              input: {},
              caller: { type: 'direct' },
            },
          },
        ],
        ['content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json: '' } }],
        ['content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json: '{}' } }],
        ['content_block_stop', { index: 1 }],
        ...end('tool_use'),
      ]),
    );
  });

  test('is the whole answer to the official client', async () => {
    const completion = { parts, ...ended('tool_calls') };
    const streamed = await readBySdk(written(eventsOf(completion)));
    const whole = answer(parts, 'tool_calls');
    // The last event of a stream has no place for what the cache holds how long.
    expect(streamed).toEqual({
      ...whole,
      usage: { ...whole.usage, cache_creation: start.message.usage.cache_creation },
    });
  });

  test('has the arguments of a call that came at once as a delta', async () => {
    const toolCall = { type: 'tool_call', id: 'a', name: 'Read', arguments: '{"x":1}' } as const;
    const { content } = await readBySdk(
      written([
        { type: 'tool_call', index: 0, toolCall },
        { type: 'end', ...ended('tool_calls') },
      ]),
    );
    expect(content).toMatchObject([{ id: 'a', input: { x: 1 } }]);
  });

  test('has thinking without text, which has only a signature', async () => {
    const value = { type: 'thinking', thinking: '', signature: 'c2ln' };
    const { content } = await readBySdk(
      written([
        { type: 'thinking', part: { type: 'thinking', text: '', sealed: sealed(value, 'anthropic') } },
        { type: 'end', ...ended('stop') },
      ]),
    );
    expect(content).toEqual([value]);
  });

  test('has one block at a time, whatever calls take turns, and all that was said', async () => {
    const text = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
    const id = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 });
    const group = fc.oneof(
      text.map((said): AnswerPart[] => [{ type: 'text', text: said }]),
      text.map((said): AnswerPart[] => [{ type: 'thinking', text: said, sealed: sealed(reasoning) }]),
      fc.constant<AnswerPart[]>([{ type: 'thinking', text: '', sealed: sealed(reasoning) }]),
      fc
        .tuple(id, fc.dictionary(text, text))
        .map(([ids, input]): AnswerPart[] =>
          ids.map((one) => ({ type: 'tool_call', id: one, name: 'Read', arguments: JSON.stringify(input) })),
        ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(group, { maxLength: 5 }),
        fc.infiniteStream(fc.nat({ max: 2 })),
        async (groups, picks) => {
          const named = groups.map((parts, n) =>
            parts.map((part) => (part.type === 'tool_call' ? { ...part, id: `${n}${part.id}` } : part)),
          );
          // Two texts in a row are one in a stream.
          const kept = named.filter(
            ([part], n) => part?.type !== 'text' || named[n - 1]?.[0]?.type !== 'text',
          );
          let index = 0;
          const events = kept.flatMap((parts) =>
            parts[0]?.type === 'tool_call'
              ? takingTurns(
                  parts.map((part) => callEvents(part as never, index++)),
                  picks,
                )
              : eventsOf({ parts, ...ended('stop') }).slice(0, -1),
          );
          const sse = written([...events, { type: 'end', ...ended('stop') }]);
          expect((await readBySdk(sse)).content).toEqual(answer(kept.flat()).content);
        },
      ),
      { numRuns: 150 },
    );
  });
});
