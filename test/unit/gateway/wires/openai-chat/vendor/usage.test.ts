import { describe, expect, test } from 'vitest';
import { OpenAiNativeReader } from '../../../../../../src/gateway/wires/openai-chat/vendor/native.ts';
import { readUsage, usageIn } from '../../../../../../src/gateway/wires/openai-chat/vendor/usage.ts';
import { noTokens } from '../../../../../../src/model/usage.ts';

const counted = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 };
const tokens = { ...noTokens, inputUncached: 1000, output: 20 };

/** Usage as vendors that speak this wire have it, as seen on 27 November 2026. */
const shapes: readonly (readonly [string, object, object])[] = [
  ['OpenAI', { ...counted, prompt_tokens_details: { cached_tokens: 900 } }, { cacheRead: 900 }],
  // https://platform.moonshot.ai/docs/api/chat
  ['Moonshot and Together', { ...counted, cached_tokens: 900 }, { cacheRead: 900 }],
  // https://github.com/vercel/ai/blob/main/packages/mistral/src/convert-mistral-usage.ts
  ['Mistral', { ...counted, num_cached_tokens: 900 }, { cacheRead: 900 }],
  ['Mistral, as details', { ...counted, prompt_token_details: { cached_tokens: 900 } }, { cacheRead: 900 }],
  // https://api-docs.deepseek.com/api/create-chat-completion
  [
    'DeepSeek',
    { ...counted, prompt_cache_hit_tokens: 900, prompt_cache_miss_tokens: 100 },
    { cacheRead: 900 },
  ],
  [
    'a class under two names, one at zero',
    { ...counted, prompt_tokens_details: { cached_tokens: 0 }, cached_tokens: 900 },
    { cacheRead: 900 },
  ],
  // https://www.alibabacloud.com/help/en/model-studio/context-cache
  [
    'Qwen that wrote to an explicit cache',
    {
      ...counted,
      prompt_tokens_details: {
        cached_tokens: 0,
        cache_creation_input_tokens: 800,
        cache_creation: { ephemeral_5m_input_tokens: 800 },
        cache_type: 'ephemeral',
      },
    },
    { cacheWrite5m: 800 },
  ],
  // https://docs.litellm.ai/docs/completion/prompt_caching
  [
    'LiteLLM before Anthropic',
    {
      ...counted,
      prompt_tokens_details: { cached_tokens: 100, cache_creation_tokens: 700 },
      cache_creation_input_tokens: 700,
      cache_read_input_tokens: 100,
    },
    { cacheRead: 100, cacheWrite5m: 700 },
  ],
  [
    'a cache of an hour',
    {
      ...counted,
      prompt_tokens_details: {
        cache_creation_input_tokens: 800,
        cache_creation: { ephemeral_1h_input_tokens: 300 },
      },
    },
    { cacheWrite5m: 500, cacheWrite1h: 300 },
  ],
  ['the names of Responses', { input_tokens: 1000, output_tokens: 20, total_tokens: 1020 }, {}],
  ['the answer and the total alone', { completion_tokens: 20, total_tokens: 1020 }, {}],
  ['the prompt and the total alone', { prompt_tokens: 1000, total_tokens: 1020 }, {}],
  ['reasoning at the top', { ...counted, reasoning_tokens: 15 }, { reasoning: 15 }],
];

describe('usage of a vendor that speaks like OpenAI', () => {
  test.each(shapes)('%s', (_, usage, classes) => {
    const told = { ...noTokens, output: 20, ...classes };
    const inputUncached = 1000 - told.cacheRead - told.cacheWrite5m - told.cacheWrite1h;
    expect(readUsage(usage)).toEqual({ ...told, inputUncached });
  });

  const fields = (
    prompt: unknown,
    output?: unknown,
    total?: unknown,
    cached?: number,
    reasoned?: number,
  ) => ({
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: total,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoned },
  });
  const tokensOf = (prompt: number, output: number, cacheRead = 0, reasoning = 0) => ({
    ...noTokens,
    inputUncached: prompt - cacheRead,
    cacheRead,
    output,
    reasoning,
  });

  test.each([
    ['cached and reasoning tokens', fields(2006, 300, 2306, 1920, 256), tokensOf(2006, 300, 1920, 256)],
    ['Gemini, whose total alone holds the thinking', fields(12, 20, 132), tokensOf(12, 120, 0, 100)],
    ['Gemini that spent everything on thinking', fields(12, undefined, 112), tokensOf(12, 100)],
    [
      'xAI, whose completion leaves out the reasoning',
      fields(12, 20, 132, 0, 100),
      tokensOf(12, 120, 0, 100),
    ],
    ['xAI, which counts cached tokens apart', fields(100, 20, 920, 800), tokensOf(900, 20, 800)],
    ['a total that is too small', fields(9, 5, 3), tokensOf(9, 5)],
    ['no total', fields(9, 5), tokensOf(9, 5)],
    ['details that exceed the whole', fields(9, 5, 14, 90, 50), tokensOf(9, 5, 9, 5)],
    ['none', undefined, null],
    ['null', null, null],
    ['counts that are none', fields('9', -1, 1.5), null],
  ])('of %s', (_, usage, expected) => {
    expect(readUsage(usage as never)).toEqual(expected);
  });

  test.each([
    ['the total alone', { total_tokens: 1020 }],
    ['the prompt alone', { prompt_tokens: 1000 }],
    ['an answer of more than the total', { completion_tokens: 20, total_tokens: 3 }],
  ])('cannot be told from %s', (_, usage) => {
    expect(readUsage(usage)).toBeNull();
  });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['at the top', { choices: [{}], usage: counted }],
    // https://console.groq.com/docs/api-reference
    ['in x_groq', { choices: [{}], x_groq: { id: 'req_1', usage: { queue_time: 0.1, ...counted } } }],
    // https://github.com/earendil-works/pi/issues/2017
    ['in the last choice', { choices: [{ index: 0 }, { index: 1, usage: counted }] }],
    ['in the last choice, beside a null', { choices: [{ usage: counted }], usage: null }],
  ])('is found %s', (_, reply) => {
    expect(usageIn(reply)).toEqual(tokens);
  });

  test('is none where there is none', () => {
    for (const reply of [{}, { choices: [] }, { choices: [null] }, { choices: 'x', x_groq: 'y', usage: [] }])
      expect(usageIn(reply)).toBeNull();
  });
});

describe('usage in a stream that passes as bytes', () => {
  const said = (content: string, more: object = {}) => ({
    choices: [{ index: 0, delta: { content } }],
    ...more,
  });
  const told = (...chunks: object[]) => {
    const reader = new OpenAiNativeReader({ id: 'v', apiKey: null }, 'm', { usageWanted: true });
    for (const chunk of chunks) reader.event(Buffer.from(`data: ${JSON.stringify(chunk)}`));
    return reader.summary;
  };

  test('is not undone by zeros that follow', () => {
    const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    const { usage } = told(said('Hello'), said('', { usage: counted }), said('', { usage: zeros }));
    expect(usage).toEqual(tokens);
  });

  test.each([
    ['all of an answer without any', 5, [said('Hello')]],
    ['none after it', 0, [said('Hello'), said('', { usage: counted })]],
    ['none where it comes along', 0, [said('Hello', { usage: counted })]],
    ['what follows it', 6, [said('Hello', { usage: counted }), said(' there')]],
    [
      'all where it knows of no answer yet',
      5,
      [said('', { usage: { ...counted, completion_tokens: 0, total_tokens: 1000 } }), said('Hello')],
    ],
  ])('leaves uncounted %s', (_, uncounted, chunks) => {
    expect(told(...chunks)).toMatchObject({ uncounted });
  });
});
