/** Chat Completions and Completions through the whole server, asked by OpenAI's own client, on both lanes. */
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { appForThisTest, testKey } from '../../helpers/app.ts';
import { ask } from '../../helpers/http.ts';
import { anthropicToolFixture, weatherTool } from '../../helpers/tool-fixtures.ts';
import { anthropicFixture, openAiFixture, wireText } from '../../helpers/vendor-fixtures.ts';
import { longLimits, providerOf, vendorFor } from '../../helpers/vendor-gateway.ts';
import type { VendorScript } from '../../lib/vendor.ts';

/** The server in front of one scripted vendor on two wires. */
async function behind(script: VendorScript) {
  const vendor = await vendorFor(script);
  const providers = [providerOf('openai', vendor.baseUrl), providerOf('anthropic', vendor.baseUrl)];
  const app = await appForThisTest({ models: { providers, maxAttempts: 1, timeLimits: longLimits } });
  const client = new OpenAI({ apiKey: testKey, baseURL: `${app.url}/v1`, maxRetries: 0 });
  return { app, vendor, client };
}

const answering: VendorScript = ({ request, json, events }) => {
  const fixture = request.path.endsWith('/messages') ? anthropicFixture : openAiFixture;
  if (request.json['stream']) events(fixture.stream);
  else json(fixture.reply);
};
const messages = [{ role: 'user' as const, content: 'Why is the sky blue?' }];

describe.each([
  ['native', 'gpt-4o', openAiFixture],
  ['translated', 'claude-sonnet-4-6', anthropicFixture],
] as const)('on the %s lane', (lane, model, fixture) => {
  it('answers as a whole', async () => {
    const { client } = await behind(answering);
    const { data, response } = await client.chat.completions.create({ model, messages }).withResponse();
    expect(response.headers.get('x-switchyard-lane')).toBe(lane);
    expect(data).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: fixture.text }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 24,
        completion_tokens: 11,
        total_tokens: 35,
        prompt_tokens_details: { cached_tokens: 8 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    });
  });

  it.each([true, false])('streams, with usage for who asks (%s)', async (include_usage) => {
    const { client } = await behind(answering);
    const options = include_usage ? { stream_options: { include_usage } } : {};
    const stream = await client.chat.completions.create({ model, messages, stream: true, ...options });
    let text = '';
    const usages: number[] = [];
    const ends: string[] = [];
    for await (const { choices, usage } of stream) {
      const [choice] = choices;
      text += choice?.delta.content ?? '';
      if (choice?.finish_reason) ends.push(choice.finish_reason);
      if (usage) usages.push(usage.total_tokens);
    }
    expect({ text, ends, usages }).toEqual({
      text: fixture.text,
      ends: ['stop'],
      usages: include_usage ? [35] : [],
    });
  });

  it('breaks off with an error that the client throws', async () => {
    const { client } = await behind(({ events }) => events(fixture.firstHalf));
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    let text = '';
    const reading = (async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    })();
    await expect(reading).rejects.toBeInstanceOf(OpenAI.APIError);
    expect(text.length).toBeGreaterThan(0);
    expect(fixture.text.startsWith(text)).toBe(true);
  });
});

describe('the older Completions', () => {
  const prompted = { prompt: 'def add(', suffix: '\n  return a + b', max_tokens: 9 };

  it('pass as bytes to models that have them', async () => {
    const choices = [{ index: 0, text: ' you?', logprobs: null, finish_reason: 'stop' }];
    const completion = { id: 'cmpl-1', object: 'text_completion', created: 1, model: 'x', choices };
    const { app, vendor } = await behind(({ json }) => json(completion));
    const body = { model: 'gpt-3.5-turbo-instruct', ...prompted };
    const { headers, json } = await ask(`${app.url}/v1/completions`, { body });
    expect(json).toEqual(completion);
    expect(headers['x-switchyard-lane']).toBe('native');
    expect(vendor.requests[0]).toMatchObject({ path: '/v1/completions', json: body });
  });

  it.each([
    ['gpt-4o', openAiFixture],
    ['claude-sonnet-4-6', anthropicFixture],
  ])('are a conversation for %s', async (model, fixture) => {
    const { client, vendor } = await behind(answering);
    const { data, response } = await client.completions.create({ model, ...prompted }).withResponse();
    expect(response.headers.get('x-switchyard-lane')).toBe('translated');
    expect(response.headers.get('x-switchyard-warnings')).toBeNull();
    expect(data).toMatchObject({
      object: 'text_completion',
      choices: [{ text: fixture.text, index: 0, logprobs: null, finish_reason: 'stop' }],
    });
    expect(vendor.requests[0]?.path).toBe(fixture.path);
    expect(JSON.stringify(vendor.requests[0]?.json['messages'])).toContain('def add(');
  });
});

describe('translated', () => {
  it('a conversation with tools goes there and back', async () => {
    const { client, vendor } = await behind((reply) =>
      reply.index === 0 ? reply.events(anthropicToolFixture.stream) : answering(reply),
    );
    const model = 'claude-sonnet-4-6';
    const tools = [weatherTool];
    const stream = client.chat.completions.stream({ model, messages, tools });
    const [choice] = (await stream.finalChatCompletion()).choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    if (!choice) throw new Error('There was no answer.');
    const calls = choice.message.tool_calls ?? [];
    expect(calls.map(({ id }) => id)).toEqual(anthropicToolFixture.toolCalls.map(({ id }) => id));
    const results = calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: '7 °C' }));
    await client.chat.completions.create({
      model,
      tools,
      messages: [...messages, choice.message, ...results],
    });
    const sent = vendor.requests[1]?.json['messages'] ?? [];
    const [, asked, answered] = sent as { content: { type: string }[] }[];
    expect(asked?.content.map(({ type }) => type)).toEqual(['text', 'tool_use', 'tool_use']);
    expect(answered?.content.map(({ type }) => type)).toEqual(['tool_result', 'tool_result']);
  });

  it('a bad request names its field, and asks nobody', async () => {
    const { client, vendor } = await behind(answering);
    const content = [{ type: 'image_url' as const, image_url: { url: 'data:image/png;base64,a%b' } }];
    const asking = client.chat.completions.create({
      model: 'claude-sonnet-4-6',
      messages: [{ role: 'user', content }],
    });
    await expect(asking).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      param: 'messages[0].content[0].image_url.url',
    });
    expect(vendor.requests).toEqual([]);
  });
});

it('what a vendor streams goes to the client byte for byte', async () => {
  const { app } = await behind(({ events }) => events(wireText('openai-chat/parallel-tools.sse')));
  const body = { model: 'gpt-4o', messages, stream: true, stream_options: { include_usage: true } };
  const { text } = await ask(`${app.url}/v1/chat/completions`, { body });
  expect(text).toBe(wireText('openai-chat/parallel-tools.sse'));
});
