import { describe, expect, test } from 'vitest';
import { readReply as readAnthropic } from '../../../../src/gateway/wires/anthropic/vendor/reply.ts';
import { readReply as readOpenAi } from '../../../../src/gateway/wires/openai-chat/vendor/reply.ts';
import { noTokens } from '../../../../src/model/usage.ts';
import { anthropicFixture, openAiFixture, vendorFixtures } from '../../../helpers/vendor-fixtures.ts';
import { gatewayTo, shown } from '../../../helpers/vendor-gateway.ts';

const vendor = { id: 'test', apiKey: null };
const claude = { vendor, model: 'claude-sonnet-4-6', customTools: new Set<string>() };
const openAi = (message: object, finish_reason: unknown = 'stop') =>
  readOpenAi(vendor, 'gpt-4o', { choices: [{ index: 0, message, finish_reason }] });

describe.each(vendorFixtures)('a whole reply on the $wire wire', (fixture) => {
  test('is read', async () => {
    const gateway = await gatewayTo(fixture, ({ json }) => json(fixture.reply));
    const { completion, provider, model, warnings } = await gateway.ask();
    expect({ provider, model, warnings }).toEqual({
      provider: fixture.wire,
      model: fixture.model,
      warnings: [],
    });
    const { finishReason, usage } = fixture.end;
    expect(shown(completion)).toEqual({ content: fixture.text, toolCalls: [], finishReason, usage });
    expect(gateway.attempts).toMatchObject([{ outcome: 'succeeded', errorCode: null, status: null }]);
  });

  test('may come in pieces that cut through characters', async () => {
    const bytes = Buffer.from(JSON.stringify(fixture.reply));
    const gateway = await gatewayTo(fixture, (reply) => {
      reply.eventStream({ 'content-type': 'application/json' });
      for (const byte of bytes) reply.chunk(Uint8Array.of(byte));
      reply.lastChunk();
    });
    expect(shown((await gateway.ask()).completion).content).toBe(fixture.text);
  });

  test('leaves the connection for the next request', async () => {
    const gateway = await gatewayTo(fixture, ({ json }) => json(fixture.reply), {}, { connections: 1 });
    await gateway.ask();
    await gateway.ask();
    expect(gateway.vendor.connections).toBe(1);
  });
});

describe('finish reasons', () => {
  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'stop'],
    ['function_call', 'stop'],
    ['something_new', 'stop'],
  ])('OpenAI: %s is %s', (given, expected) => {
    expect(openAi({ content: 'x' }, given).finishReason).toBe(expected);
  });

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
    ['tool_use', 'stop'],
    ['pause_turn', 'stop'],
    ['something_new', 'stop'],
  ])('Anthropic: %s is %s', (stop_reason, expected) => {
    expect(readAnthropic(claude, { ...anthropicFixture.reply, stop_reason }).finishReason).toBe(expected);
  });

  test('a refusal is shown and counts as withheld', () => {
    expect(shown(openAi({ content: null, refusal: 'I cannot help with that.' }))).toMatchObject({
      content: 'I cannot help with that.',
      finishReason: 'content_filter',
    });
  });

  test('of content in parts only the text is shown', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hidden' }] },
      { type: 'text', text: 'shown' },
    ];
    expect(shown(openAi({ content })).content).toBe('shown');
  });
});

describe('usage', () => {
  const counted = (prompt: number, output: number, cacheRead = 0, reasoning = 0) => ({
    ...noTokens,
    inputUncached: prompt - cacheRead,
    cacheRead,
    output,
    reasoning,
  });

  test('Anthropic: cached tokens are part of the prompt, once', () => {
    const { usage } = readAnthropic(claude, anthropicFixture.reply);
    expect(usage).toEqual({ ...counted(10 + 8, 11, 8, 3), cacheWrite5m: 6 });
  });

  test('Anthropic: none', () => {
    expect(readAnthropic(claude, { ...anthropicFixture.reply, usage: undefined }).usage).toBeNull();
  });

  test.each([
    [
      'every chunk',
      'data: {"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":9,"completion_tokens":1}}\n\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":5}}\n\ndata: [DONE]\n\n',
      counted(9, 5),
    ],
    [
      'the finish chunk',
      'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":5}}\n\ndata: [DONE]\n\n',
      counted(9, 5),
    ],
    [
      'no chunk',
      'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      null,
    ],
  ])('in a stream that tells it in %s', async (_, stream, usage) => {
    const gateway = await gatewayTo(openAiFixture, ({ events }) => events(stream));
    const { events } = await gateway.read();
    expect(events).toEqual([
      { type: 'delta', content: 'a' },
      { type: 'end', finishReason: 'stop', endReason: 'stop', usage },
    ]);
  });
});
