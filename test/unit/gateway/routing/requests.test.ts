import { describe, expect, test } from 'vitest';
import { anthropicCall } from '../../../../src/gateway/wires/anthropic/vendor/request.ts';
import { openAiCall, streamed } from '../../../../src/gateway/wires/openai-chat/vendor/request.ts';
import { estimatePromptTokens, estimateTokens, loadTokenizer } from '../../../../src/lib/tokens.ts';
import { messagesOf } from '../../../../src/model/contract-form.ts';
import { said } from '../../../../src/model/parts.ts';
import type { ModelCall } from '../../../../src/model/port.ts';
import { anthropicFixture, openAiFixture } from '../../../helpers/vendor-fixtures.ts';
import { callOf, errorOf, gatewayTo } from '../../../helpers/vendor-gateway.ts';

const spoken = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello.' },
  { role: 'system', content: 'Be polite.' },
  { role: 'user', content: 'Bye' },
] as const;
const messages = messagesOf(spoken);

const openAi = { id: 'openai', maxTokensField: 'max_completion_tokens' } as const;
const compatible = { id: 'mistral', maxTokensField: 'max_tokens' } as const;

function modelCall(model: string, more: Partial<ModelCall> = {}): ModelCall {
  return { ...callOf(), model, temperatureRange: null, temperatureGiven: true, ...more };
}

function anthropic(call: ModelCall) {
  const { request, warnings } = anthropicCall(call, 'anthropic');
  return { request, warnings };
}

describe('the body sent on the OpenAI wire', () => {
  test('keeps messages in place, system messages too', () => {
    expect(openAiCall(modelCall('gpt-4o', { messages }), openAi)).toEqual({
      request: { model: 'gpt-4o', messages: spoken, temperature: 0.7, max_completion_tokens: 2048 },
      warnings: [],
    });
  });

  test('names the cap as the vendor does', () => {
    const { request } = openAiCall(modelCall('mistral-large'), compatible);
    expect(request).toMatchObject({ max_tokens: 2048 });
    expect(request).not.toHaveProperty('max_completion_tokens');
  });

  test('asks for usage in a stream', () => {
    const { request } = openAiCall(modelCall('gpt-4o'), compatible);
    expect(streamed(request)).toEqual({ ...request, stream: true, stream_options: { include_usage: true } });
  });

  test.each([
    'gpt-3.5-turbo',
    'gpt-4',
    'gpt-4o',
    'gpt-4.1-mini',
    'chatgpt-4o-latest',
    'mistral-large',
    'openai/gpt-oss-120b',
    'gemini-3.7-flash',
    'olmo-2',
  ])('%s takes temperatures up to 2', (model) => {
    const { request, warnings } = openAiCall(modelCall(model, { temperature: 2 }), compatible);
    expect({ temperature: request.temperature, warnings }).toEqual({ temperature: 2, warnings: [] });
  });

  test.each([
    'o1',
    'o1-mini-2024-09-12',
    'o3',
    'o4-mini',
    'gpt-5',
    'gpt-5.4-mini',
    'gpt-6-sol',
    'gpt-10',
    'openai/gpt-5',
    'gpt-4o-search-preview',
  ])('%s takes none', (model) => {
    const { request, warnings } = openAiCall(modelCall(model, { temperature: 1.4 }), compatible);
    expect(request).not.toHaveProperty('temperature');
    const message = `${model} takes no temperature; 1.4 was left out.`;
    expect(warnings).toEqual([{ code: 'temperature_ignored', message, param: 'temperature' }]);
  });

  test('says nothing about a temperature that the client did not choose', () => {
    expect(openAiCall(modelCall('gpt-5', { temperatureGiven: false }), compatible).warnings).toEqual([]);
  });

  test('follows the settings before the name', () => {
    const range = { max: 1.5 };
    const call = modelCall('gpt-5', { temperature: 1.8, temperatureRange: range });
    expect(openAiCall(call, compatible)).toMatchObject({
      request: { temperature: 1.5 },
      warnings: [{ code: 'temperature_adapted' }],
    });
    const none = openAiCall(modelCall('gpt-4o', { temperatureRange: 'unsupported' }), compatible);
    expect(none.request).not.toHaveProperty('temperature');
  });
});

describe('the body sent on the Anthropic wire', () => {
  test('gathers system messages and says that one was moved', () => {
    expect(anthropic(modelCall('claude-sonnet-4-6', { messages }))).toEqual({
      request: {
        model: 'claude-sonnet-4-6',
        max_tokens: 2048,
        system: 'Be brief.\n\nBe polite.',
        messages: spoken.filter(({ role }) => role !== 'system'),
        temperature: 0.7,
      },
      warnings: [
        {
          code: 'system_messages_merged',
          message:
            'claude-sonnet-4-6 takes system messages only before the conversation; 1 message further down was moved there.',
          param: 'messages',
        },
      ],
    });
  });

  test('says nothing about system messages that stand at the start', () => {
    const { request, warnings } = anthropic(modelCall('claude-opus-5', { messages: messages.slice(0, 3) }));
    expect(request.system).toBe('Be brief.');
    expect(warnings.map(({ code }) => code)).toEqual(['temperature_ignored']);
  });

  test('leaves `system` out when there is none', () => {
    expect(anthropic(modelCall('claude-opus-5')).request).not.toHaveProperty('system');
  });

  test('refuses a conversation of nothing but system messages', async () => {
    const call = callOf('', { messages: [said('system', 'Be brief.')] });
    const gateway = await gatewayTo(anthropicFixture, () => undefined);
    expect(await errorOf(gateway.ask(call))).toMatchObject({ code: 'invalid_request', param: 'messages' });
    expect(gateway.vendor.requests).toEqual([]);
  });

  test.each([
    'claude-2.1',
    'claude-instant-1.2',
    'claude-3-haiku-20240307',
    'claude-3-7-sonnet-latest',
    'claude-sonnet-4',
    'claude-sonnet-4-0',
    'claude-sonnet-4-20250514',
    'claude-opus-4-1-20250805',
    'claude-sonnet-4-5-20250929',
    'claude-haiku-4-5',
    'claude-opus-4-6',
    'claude-sonnet-4-6',
    'something-new',
  ])('%s takes temperatures up to 1', (model) => {
    const call = anthropic(modelCall(model, { temperature: 1.4 }));
    expect(call.request.temperature).toBe(1);
    const message = `${model} takes a temperature of 0 to 1; 1.4 was lowered to 1.`;
    expect(call.warnings).toEqual([{ code: 'temperature_adapted', message, param: 'temperature' }]);
    expect(anthropic(modelCall(model, { temperature: 1 })).warnings).toEqual([]);
  });

  test.each([
    'claude-opus-4-7',
    'claude-opus-4-8',
    'claude-opus-4-10',
    'claude-sonnet-5',
    'claude-sonnet-5-5',
    'claude-fable-5',
    'claude-mythos-preview',
  ])('%s takes none', (model) => {
    const call = anthropic(modelCall(model));
    expect(call.request).not.toHaveProperty('temperature');
    expect(call.warnings.map(({ code }) => code)).toEqual(['temperature_ignored']);
    expect(anthropic(modelCall(model, { temperatureGiven: false })).warnings).toEqual([]);
  });
});

describe('what goes over the wire', () => {
  test('OpenAI: path, headers and body', async () => {
    const gateway = await gatewayTo(openAiFixture, ({ json }) => json(openAiFixture.reply));
    await gateway.ask(callOf('Hi \ud800 世界'));
    const [request] = gateway.vendor.requests;
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer sk-canary-5f1e0c7a9b3d2468ACEG',
      'content-type': 'application/json',
    });
    expect(request?.body).toBe(
      '{"model":"gpt-4o","messages":[{"role":"user","content":"Hi \\ufffd 世界"}],"temperature":0.7,"max_completion_tokens":2048}',
    );
  });

  test('Anthropic: path, headers and body', async () => {
    const gateway = await gatewayTo(anthropicFixture, ({ events }) => events(anthropicFixture.stream));
    await gateway.read();
    const [request] = gateway.vendor.requests;
    expect(request?.path).toBe('/v1/messages');
    expect(request?.headers).toMatchObject({
      'x-api-key': 'sk-canary-5f1e0c7a9b3d2468ACEG',
      'anthropic-version': '2023-06-01',
    });
    expect(request?.headers).not.toHaveProperty('authorization');
    expect(request?.body).toBe(
      '{"model":"claude-sonnet-4-6","max_tokens":2048,"messages":[{"role":"user","content":"Why is the sky blue?"}],"temperature":0.7,"stream":true}',
    );
  });

  test('Anthropic: the address may leave the version out', async () => {
    const gateway = await gatewayTo(anthropicFixture, ({ json }) => json(anthropicFixture.reply));
    const bare = await gatewayTo(
      anthropicFixture,
      ({ json }) => json(anthropicFixture.reply),
      {},
      {
        baseUrl: gateway.vendor.baseUrl.replace('/v1', ''),
      },
    );
    await bare.ask();
    expect(gateway.vendor.requests[0]?.path).toBe('/v1/messages');
  });

  test('a vendor without a key gets no authorization', async () => {
    const gateway = await gatewayTo(
      openAiFixture,
      ({ json }) => json(openAiFixture.reply),
      {},
      { apiKey: null },
    );
    await gateway.ask();
    expect(gateway.vendor.requests[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('the estimate of tokens', () => {
  test.each([
    ['', 0],
    ['hello world', 2],
    ['<|endoftext|>', 7],
    ['世界', 3],
  ])('of %j is %i', async (text, expected) => {
    expect(await estimateTokens(text)).toBe(expected);
  });

  test('of a conversation counts what frames its texts', async () => {
    const messages = [said('user', 'hello world'), said('user', '')];
    expect(await estimatePromptTokens({ messages })).toBe(3 + (3 + 2) + 3);
  });

  test('counts calls, tools and the form of the answer too', async () => {
    const call = { type: 'tool_call', id: 'call_1', name: 'hello', arguments: 'hello world' } as const;
    const called = await estimatePromptTokens({ messages: [{ content: [call] }] });
    expect(called).toBe(3 + 3 + 3 + 1 + 2);
    const tools = [{ type: 'function', function: { name: 'hello' } }];
    const offered = await estimatePromptTokens({ messages: [], tools, responseFormat: tools });
    expect(offered).toBe(3 + 2 * (await estimateTokens(JSON.stringify(tools))));
  });

  // The tokenizer alone takes more than ten seconds for half as many of one character.
  test.each([' ', 'a', '世', '\n', '=', '👩', '\ud800', 'qzx', 'word ', '\n👩'])(
    'of two hundred thousand characters like %j gives others their turns',
    async (part) => {
      await estimateTokens(part);
      let turns = 0;
      const other = () => {
        turns += 1;
        next = setImmediate(other);
      };
      let next = setImmediate(other);
      const tokens = await estimateTokens(part.repeat(200_000 / part.length));
      clearImmediate(next);
      expect(tokens).toBeGreaterThan(200);
      expect(turns).toBeGreaterThan(10);
    },
  );

  test('cuts long runs so that nothing is lost', async () => {
    const { split } = await loadTokenizer();
    for (const text of [
      '👩'.repeat(300),
      '\n👩'.repeat(20_000),
      'a\n'.repeat(20_000),
      `x${'👩'.repeat(300)}`,
      `${' '.repeat(300)}y${'世'.repeat(300)} z`,
    ])
      expect([...split(text)].join('')).toBe(text);
  });

  test('does not change for text without long runs', async () => {
    const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base');
    const text = 'The quick brown fox, however\n\njumps over "the" lazy dog. '.repeat(500);
    expect(await estimateTokens(text)).toBe(countTokens(text));
  });
});
