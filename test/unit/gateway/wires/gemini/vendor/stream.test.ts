import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGeminiReader } from '../../../../../../src/gateway/wires/gemini/vendor/native.ts';
import { createGeminiDecoder } from '../../../../../../src/gateway/wires/gemini/vendor/request.ts';
import type { CompletionEvent } from '../../../../../../src/model/port.ts';
import { noTokens } from '../../../../../../src/model/usage.ts';
import { errorBy, geminiText } from '../../../../../helpers/vendor-fixtures.ts';

const vendor = { id: 'gemini', apiKey: null };
const model = 'gemini-3-flash-preview';

/** The events of a stream that comes in these pieces. */
function decode(pieces: readonly Buffer[]): CompletionEvent[] {
  const decoder = createGeminiDecoder(vendor, model, new Set());
  const events: CompletionEvent[] = [];
  const parser = createParser({ onEvent: (message) => decoder.take(message, (event) => events.push(event)) });
  const text = new TextDecoder('utf-8', { fatal: true });
  for (const piece of pieces) parser.feed(text.decode(piece, { stream: true }));
  decoder.completed((event) => events.push(event));
  return events;
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return sorted.slice(1).map((end, n) => bytes.subarray(sorted[n], end));
}

const usage = { ...noTokens, inputUncached: 12, output: 39, reasoning: 32 };
const by = { wire: 'gemini', provider: 'gemini', model };

describe('a stream of streamGenerateContent', () => {
  test('gives thinking, text and the signature that comes last', () => {
    expect(decode([Buffer.from(geminiText('stream-thinking.sse'))])).toEqual([
      { type: 'thinking_delta', content: '**Greeting**\n\nThey said hi; ' },
      { type: 'thinking_delta', content: 'I greet back 👋🏽.' },
      {
        type: 'thinking',
        part: { type: 'thinking', text: '**Greeting**\n\nThey said hi; I greet back 👋🏽.', sealed: null },
      },
      { type: 'delta', content: 'Grüße, ' },
      { type: 'delta', content: '世界! 𝒳' },
      {
        type: 'thinking',
        part: {
          type: 'thinking',
          text: '',
          sealed: { ...by, value: { text: '', thoughtSignature: 'AY89a18iOcFus5wr5bW5xN6zZ4aU' } },
        },
      },
      { type: 'end', finishReason: 'stop', endReason: 'stop', usage },
    ]);
  });

  test('gives calls whole, numbered from 0', () => {
    const first = '{"city":"São Paulo","deep":{"list":[1,2.5,null,true]}}';
    const second = '{"city":"東京"}';
    const extraContent = { google: { thought_signature: 'CallSig==' } };
    expect(decode([Buffer.from(geminiText('stream-calls.sse'))]).slice(3)).toEqual([
      {
        type: 'thinking',
        part: {
          type: 'thinking',
          text: '',
          sealed: { ...by, value: { functionCall: { name: 'get_weather' }, thoughtSignature: 'CallSig==' } },
        },
      },
      { type: 'tool_call_delta', index: 0, id: 'a1', name: 'get_weather', arguments: first },
      {
        type: 'tool_call',
        index: 0,
        toolCall: { type: 'tool_call', id: 'a1', name: 'get_weather', arguments: first, extraContent },
      },
      { type: 'tool_call_delta', index: 1, id: 'b2', name: 'get_weather', arguments: second },
      {
        type: 'tool_call',
        index: 1,
        toolCall: { type: 'tool_call', id: 'b2', name: 'get_weather', arguments: second },
      },
      { type: 'end', finishReason: 'tool_calls', endReason: 'tool_calls', usage },
    ]);
  });

  test('that is cut off by a filter ends by it', () => {
    expect(decode([Buffer.from(geminiText('stream-safety.sse'))]).slice(1)).toEqual([
      { type: 'end', finishReason: 'content_filter', endReason: 'content_filter', usage },
    ]);
  });

  test('fails with the error that it tells', async () => {
    const error = await errorBy(() => decode([Buffer.from(geminiText('stream-error.sse'))]));
    expect(error.code).toBe('provider_overloaded');
  });

  test('has not ended before a reason came', () => {
    const [first = ''] = geminiText('stream-thinking.sse').split('\r\n\r\n');
    expect(decode([Buffer.from(`${first}\r\n\r\n`)]).map(({ type }) => type)).toEqual(['thinking_delta']);
  });

  test.each(['stream-thinking.sse', 'stream-calls.sse', 'stream-safety.sse'])(
    'gives the same events however it is cut: %s',
    (file) => {
      const bytes = Buffer.from(geminiText(file));
      const whole = decode([bytes]);
      fc.assert(
        fc.property(fc.array(fc.nat(), { maxLength: 12 }), (places) => {
          expect(decode(cut(bytes, places))).toEqual(whole);
        }),
      );
    },
  );
});

describe('the reader of the native lane', () => {
  /** The events of a stream without their blank lines. */
  const eventsOf = (file: string) =>
    geminiText(file)
      .split('\r\n\r\n')
      .filter(Boolean)
      .map((event) => Buffer.from(event));

  test('reads along with a stream', () => {
    const reader = createGeminiReader(vendor, model);
    for (const event of eventsOf('stream-calls.sse')) expect(reader.event(event)).toBe(true);
    expect(reader.summary).toMatchObject({
      usage,
      endReason: 'tool_calls',
      complete: true,
      failure: null,
      id: 'tTCwacuEBMvnitYP06qsgQY',
    });
    expect(reader.summary.characters).toBeGreaterThan(50);
  });

  test('knows that a stream is not complete, and the error that it told', () => {
    const reader = createGeminiReader(vendor, model);
    for (const event of eventsOf('stream-error.sse')) reader.event(event);
    expect(reader.summary).toMatchObject({
      endReason: null,
      complete: false,
      failure: { code: 'provider_overloaded' },
      usage: { inputUncached: 12, output: 0 },
      characters: 8,
    });
  });

  test.each([
    ['reply-parallel-calls.json', { endReason: 'tool_calls', usage: { output: 73, reasoning: 55 } }],
    ['reply-blocked.json', { endReason: 'content_filter', complete: true, id: 'blocked01' }],
    ['stream-array.json', { endReason: 'stop', complete: true, characters: 15 }],
  ])('reads a whole body: %s', (file, told) => {
    const reader = createGeminiReader(vendor, model);
    reader.whole(Buffer.from(geminiText(file)));
    expect(reader.summary).toMatchObject(told);
  });

  test.each(['<html>', '{"error":{"code":429,"message":"Slow","status":"RESOURCE_EXHAUSTED"}}', '3'])(
    'refuses a body that is no answer: %s',
    async (body) => {
      const reader = createGeminiReader(vendor, model);
      const error = await errorBy(() => reader.whole(Buffer.from(body)));
      expect(error.code).toBe(body.includes('429') ? 'provider_rate_limited' : 'provider_invalid_response');
    },
  );

  test('never throws for an event, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((json) => `data: ${json}`),
        ),
        (text) => {
          expect(createGeminiReader(vendor, model).event(Buffer.from(text))).toBe(true);
        },
      ),
    );
  });
});
