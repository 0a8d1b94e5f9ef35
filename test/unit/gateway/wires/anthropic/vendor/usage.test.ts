import { describe, expect, test } from 'vitest';
import { createAnthropicReader } from '../../../../../../src/gateway/wires/anthropic/vendor/native.ts';
import { readUsage, StreamedUsage } from '../../../../../../src/gateway/wires/anthropic/vendor/usage.ts';
import { noTokens } from '../../../../../../src/model/usage.ts';

/** What usage in a stream comes to, told by its parts. */
function merged(...parts: object[]) {
  const usage = new StreamedUsage();
  for (const part of parts) usage.merge(part);
  return usage.total;
}

describe('usage in a stream', () => {
  const start = { input_tokens: 1200, cache_read_input_tokens: 800, output_tokens: 1 };

  // https://github.com/envoyproxy/ai-gateway/pull/1631, seen on 27 November 2026
  test('is not undone by zeros that follow', () => {
    expect(merged(start, { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 42 })).toEqual({
      ...noTokens,
      inputUncached: 1200,
      cacheRead: 800,
      output: 42,
    });
    const written = {
      cache_creation_input_tokens: 300,
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
    };
    const zeros = {
      cache_creation_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    };
    expect(merged({ ...start, ...written }, { output_tokens: 42, ...zeros })).toMatchObject({
      cacheWrite5m: 100,
      cacheWrite1h: 200,
    });
  });

  test('is what it says at the end where it began at zero', () => {
    expect(
      merged(
        { input_tokens: 0, output_tokens: 0 },
        { input_tokens: 900, cache_read_input_tokens: 100, output_tokens: 42 },
      ),
    ).toEqual({ ...noTokens, inputUncached: 900, cacheRead: 100, output: 42 });
  });

  test('keeps what a null or a silence follows', () => {
    expect(merged(start, { input_tokens: null, output_tokens: 42 })).toMatchObject({
      inputUncached: 1200,
      cacheRead: 800,
      output: 42,
    });
  });
});

// https://platform.claude.com/docs/en/build-with-claude/compaction#understanding-usage, seen on 27 November 2026
describe('usage of several iterations', () => {
  const message = { type: 'message', input_tokens: 500, output_tokens: 30 };
  const compaction = { type: 'compaction', input_tokens: 180_000, output_tokens: 3500 };
  const top = { input_tokens: 500, output_tokens: 30, cache_read_input_tokens: 40 };

  test.each<[string, object, object]>([
    [
      'one alone is the message itself',
      { ...top, iterations: [message] },
      { inputUncached: 500, output: 30 },
    ],
    [
      'what condensed the conversation counts',
      { ...top, iterations: [compaction, message] },
      { inputUncached: 180_500, output: 3530 },
    ],
    [
      'turns that the top has in it do not count twice',
      { ...top, input_tokens: 1000, output_tokens: 60, iterations: [message, message] },
      { inputUncached: 1000, output: 60 },
    ],
    ['null is none', { ...top, iterations: null }, { inputUncached: 500, output: 30 }],
    ['what is none is passed over', { ...top, iterations: ['x', null] }, { inputUncached: 500, output: 30 }],
  ])('%s', (_, usage, expected) => {
    expect(readUsage(usage as never)).toEqual({ ...noTokens, cacheRead: 40, ...expected });
  });
});

describe('an answer that passes as bytes and is left in the middle', () => {
  const event = (data: { type: string; [field: string]: unknown }) =>
    Buffer.from(`event: ${data.type}\ndata: ${JSON.stringify(data)}`);
  const piece = (text: string) =>
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
  const started = event({
    type: 'message_start',
    message: { id: 'm', usage: { input_tokens: 10, output_tokens: 1 } },
  });
  const uncounted = (...events: Buffer[]) => {
    const reader = createAnthropicReader({ id: 'v', apiKey: null }, 'm');
    for (const bytes of events) reader.event(bytes);
    return reader.summary.uncounted;
  };

  test('has text that no usage counts, until the last one comes', () => {
    expect(uncounted(started)).toBe(0);
    expect(uncounted(started, piece('Hello'), piece(' there'))).toBe(11);
    const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' } };
    expect(uncounted(started, piece('Hello'), event({ ...end, usage: { output_tokens: 5 } }))).toBe(0);
    expect(uncounted(started, piece('Hello'), event({ ...end, usage: { output_tokens: 0 } }))).toBe(5);
    expect(uncounted(started, piece('Hello'), event(end))).toBe(5);
  });
});
