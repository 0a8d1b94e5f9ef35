import { describe, expect, test } from 'vitest';
import { OpenAiNativeReader } from '../../../../../../src/gateway/wires/openai-chat/vendor/native.ts';
import { noTokens } from '../../../../../../src/model/usage.ts';
import { wireText } from '../../../../../helpers/vendor-fixtures.ts';

const reader = (usageWanted = true) =>
  new OpenAiNativeReader({ id: 'openai', apiKey: null }, 'gpt-5.4', { usageWanted });
const eventsIn = (stream: string) => stream.split('\n\n').filter((event) => event !== '');

/** What is told of a stream, and which of its events are passed on. */
function told(stream: string, usageWanted = true) {
  const along = reader(usageWanted);
  const passed = eventsIn(stream).filter((event) => along.event(Buffer.from(event)));
  return { told: along.summary, passed };
}

const names = ['text', 'parallel-tools', 'custom-tool', 'refusal', 'thinking', 'citations'] as const;

describe('the reader of chat completions that pass as bytes', () => {
  test.each(names)('is told the same by a reply and by its stream: %s', (name) => {
    const whole = reader();
    whole.whole(Buffer.from(wireText(`openai-chat/${name}.json`)));
    const { told: streamed } = told(wireText(`openai-chat/${name}.sse`));
    expect(streamed).toEqual(whole.summary);
    expect(streamed.complete).toBe(true);
    expect(streamed.usage?.output).toBeGreaterThan(0);
  });

  test('tells tokens by class, the id and why it ended', () => {
    expect(told(wireText('openai-chat/text.sse')).told).toEqual({
      usage: {
        ...noTokens,
        inputUncached: 22,
        cacheRead: 1920,
        cacheWrite5m: 64,
        output: 300,
        reasoning: 256,
      },
      endReason: 'stop',
      complete: true,
      failure: null,
      id: 'chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG',
      characters: 'Hello! How can I help you today? 👋'.length,
      uncounted: 0,
    });
    expect(told(wireText('openai-chat/refusal.sse')).told.endReason).toBe('refusal');
    expect(told(wireText('openai-chat/parallel-tools.sse')).told.endReason).toBe('tool_calls');
  });

  test.each(names.filter((name) => name !== 'thinking'))(
    'keeps the usage from a client that has not asked for it: %s',
    (name) => {
      const events = eventsIn(wireText(`openai-chat/${name}.sse`));
      const { passed, told: kept } = told(wireText(`openai-chat/${name}.sse`), false);
      expect(passed).toEqual(events.filter((event) => !event.includes('"choices":[]')));
      expect(passed.length).toBe(events.length - 1);
      expect(kept).toEqual(told(wireText(`openai-chat/${name}.sse`)).told);
      expect(told(wireText(`openai-chat/${name}.sse`), true).passed).toEqual(events);
    },
  );

  test('passes on whatever else there is, also usage that comes with the end of the answer', () => {
    const azure = 'data: {"choices":[],"id":"","prompt_filter_results":[{"prompt_index":0}]}';
    const stream = `${azure}\n\n: ping\n\n${wireText('openai-chat/thinking.sse')}`;
    expect(told(stream, false).passed).toEqual(eventsIn(stream));
    expect(told(stream, false).told).toMatchObject({
      id: '930c60df-bf64-41c9-a88e-3ec75f81e00e',
      usage: { output: 40 },
    });
  });

  test.each([
    [
      'in every chunk',
      [
        '{"id":"a","choices":[{"delta":{"content":"x"}}],"usage":{"prompt_tokens":9,"completion_tokens":1}}',
        '{"id":"a","choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":5}}',
      ],
    ],
    [
      'before a null',
      [
        '{"id":"a","choices":[{"delta":{"content":"x"}}],"usage": {"prompt_tokens":9,"completion_tokens":5}}',
        '{"id":"a","choices":[{"delta":{},"finish_reason":"stop"}],"usage": null}',
      ],
    ],
    [
      'after the end mark',
      [
        '{"id":"a","choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}',
        '[DONE]',
        '{"id":"a","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5}}',
      ],
    ],
  ])('takes the last usage that there is, %s', (_, chunks) => {
    const { told: read } = told(chunks.map((chunk) => `data: ${chunk}\n\n`).join(''));
    expect(read).toMatchObject({
      usage: { inputUncached: 9, output: 5 },
      endReason: 'stop',
      characters: 1,
    });
  });

  test('is told of an error, which is passed on', () => {
    const { told: read, passed } = told(wireText('openai-chat/error.sse'));
    expect(read).toMatchObject({ complete: false, endReason: null, failure: { code: 'provider_error' } });
    expect(passed.length).toBe(3);
    const named = 'event: error\r\ndata: {"message":"Slow down","type":"rate_limit_exceeded","code":429}';
    expect(told(named).told.failure).not.toBeNull();
  });

  test('is not complete before its end', () => {
    const events = eventsIn(wireText('openai-chat/text.sse'));
    const upTo = (count: number) => told(events.slice(0, count).join('\n\n')).told;
    expect(upTo(3)).toMatchObject({ complete: false, endReason: null, usage: null });
    // Usage and the end mark are still to come.
    expect(upTo(4)).toMatchObject({ complete: false, endReason: 'stop', usage: null });
    expect(upTo(5)).toMatchObject({ complete: false, endReason: 'stop', usage: { output: 300 } });
    expect(upTo(6)).toMatchObject({ complete: true, endReason: 'stop' });
  });

  test('knows the older Completions', () => {
    const chunk = (text: string, more: object = {}) =>
      `data: ${JSON.stringify({
        id: 'cmpl-1',
        object: 'text_completion',
        choices: [{ text, index: 0, logprobs: null, finish_reason: null, ...more }],
      })}\n\n`;
    const usage = 'data: {"id":"cmpl-1","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}}\n\n';
    const stream = `${chunk('Hel')}${chunk('lo')}${chunk('', { finish_reason: 'length' })}${usage}data: [DONE]\n\n`;
    const { told: read, passed } = told(stream, false);
    expect(read).toMatchObject({
      id: 'cmpl-1',
      characters: 5,
      endReason: 'length',
      complete: true,
      usage: { inputUncached: 5, output: 2 },
    });
    expect(passed.length).toBe(4);
  });

  test('reads an event that is split into lines in any way of the standard', () => {
    const { told: read } = told(
      ': note\r\nid: 7\r\ndata: {"id":"a","choices":[\r\ndata:{"delta":{"content":"Grüße 👋"},"finish_reason":"stop"}]}\r\nretry: 1',
    );
    expect(read).toMatchObject({ id: 'a', endReason: 'stop', characters: 'Grüße 👋'.length });
  });

  test.each(['data: {"choices":[', 'data: 1', 'data: null', 'data', '', 'event: x', 'data: {"choices":7}'])(
    'passes on what it cannot read: %j',
    (event) => {
      const along = reader(false);
      expect(along.event(Buffer.from(event))).toBe(true);
      expect(along.summary).toMatchObject({ usage: null, complete: false, failure: null });
    },
  );

  test.each([
    ['text', 'provider_invalid_response'],
    ['[]', 'provider_invalid_response'],
    ['{"error":{"message":"Overloaded","type":"server_error"}}', 'provider_error'],
    ['{"choices":[{"finish_reason":"error","error":{"message":"x","code":502}}]}', 'provider_error'],
  ])('throws for a reply that is none: %s', (body, code) => {
    expect(() => reader().whole(Buffer.from(body))).toThrow(expect.objectContaining({ code }));
  });
});
