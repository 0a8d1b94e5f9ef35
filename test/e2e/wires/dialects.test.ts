/** Vendors' dialects through the whole server: what clients see of them, and which of a provider's wires is taken. */
import { describe, expect, it } from 'vitest';
import type { ProviderSettings } from '../../../src/gateway/upstream/settings.ts';
import { appForThisTest, testKey } from '../../helpers/app.ts';
import { onEveryStore } from '../../helpers/store.ts';
import { openAiFixture } from '../../helpers/vendor-fixtures.ts';
import { providerOf, vendorFor } from '../../helpers/vendor-gateway.ts';
import { isStreamed, textAnswers, wireOf } from '../../helpers/wire-clients.ts';
import type { VendorScript } from '../../lib/vendor.ts';

const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' };
const longName = 'mcp__knowledge_base_of_the_whole_company__search_documents_by_department';

/** A server before one vendor, which is asked for the model `m`. */
async function asking(script: VendorScript, more: Partial<ProviderSettings> = {}, model = 'm') {
  const vendor = await vendorFor(script);
  const provider = providerOf('responses', vendor.baseUrl, {
    id: 'v',
    speaks: ['openai-chat'],
    patterns: [],
    ...more,
  });
  const models = [{ id: 'm', provider: 'v', model, temperature: null, fallbacks: [] }];
  const app = await appForThisTest({ models: { providers: [provider], models, maxAttempts: 1 } });
  const post = (path: string, body: object) =>
    fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { vendor, post };
}

const answering: VendorScript = ({ request, json, events }) => {
  const answer = textAnswers[wireOf(request)];
  if (isStreamed(request)) events(answer.stream);
  else json(answer.reply);
};

it('a client sees its own names of tools in a stream', async () => {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const { vendor, post } = await asking(({ request, events }) => {
    const [tool] = request.json['tools'] as [{ function: { name: string } }];
    const call = {
      index: 0,
      id: 'c1',
      type: 'function',
      function: { name: tool.function.name, arguments: '{}' },
    };
    events(`${chunk({ tool_calls: [call] })}${chunk({}, 'tool_calls')}data: [DONE]\n\n`);
  });
  const reply = await post('/v1/messages', {
    model: 'm',
    max_tokens: 9,
    stream: true,
    tools: [{ name: longName, input_schema: { type: 'object' } }],
    messages: [{ role: 'user', content: 'find' }],
  });
  const text = await reply.text();
  expect(text).toContain(`"name":"${longName}"`);
  expect(vendor.requests[0]?.json['tools']).toMatchObject([
    { function: { name: expect.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/) } },
  ]);
});

describe('a server that does not know stream_options', () => {
  const refusing: VendorScript = ({ request, json, events }) => {
    if ('stream_options' in request.json)
      json(
        {
          error: {
            message: 'Unrecognized request argument supplied: stream_options',
            type: 'invalid_request_error',
          },
        },
        400,
      );
    else if (isStreamed(request)) events(openAiFixture.stream);
    else json(openAiFixture.reply);
  };

  it.each([
    ['native', '/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
    ['translated', '/v1/messages', { max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }],
  ])('streams all the same, and is not asked for usage again: %s', async (_lane, path, body) => {
    const { vendor, post } = await asking(refusing);
    for (let n = 0; n < 2; n += 1) {
      const reply = await post(path, { model: 'm', stream: true, ...body });
      expect(reply.status).toBe(200);
      await reply.text();
    }
    const asked = vendor.requests.map(({ json }) => 'stream_options' in json);
    expect(asked).toEqual([true, false, false]);
  });

  it('tells a client that asked for it what the vendor says', async () => {
    const { post } = await asking(refusing);
    const reply = await post('/v1/chat/completions', {
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain('stream_options');
  });
});

describe('of the wires of a provider', () => {
  const speaks = ['openai-chat', 'openai-responses', 'anthropic'] as const;
  const ask = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };

  it('the first is taken among those that lose nothing', async () => {
    const { vendor, post } = await asking(answering, { speaks });
    const reply = await post('/v1beta/models/m:generateContent', {
      ...ask,
      generationConfig: { temperature: 0 },
    });
    expect(reply.status).toBe(200);
    expect(vendor.requests.map(wireOf)).toEqual(['openai-chat']);
  });

  it('one is taken that loses less than the first', async () => {
    const { vendor, post } = await asking(answering, { speaks });
    const generationConfig = { topK: 20, temperature: 0.5 };
    expect((await post('/v1beta/models/m:generateContent', { ...ask, generationConfig })).status).toBe(200);
    expect(vendor.requests.map(wireOf)).toEqual(['anthropic']);
  });

  it.each([
    ['/v1/chat takes Responses where Chat takes no tools', 'gpt-5.6-sol', 'openai-responses'],
    ['/v1/chat takes the first where it takes them', 'gpt-4.1', 'openai-chat'],
  ])('%s', async (_what, model, wire) => {
    const both: Partial<ProviderSettings> = {
      speaks: ['openai-chat', 'openai-responses'],
      maxTokensField: 'max_completion_tokens',
    };
    const { vendor, post } = await asking(answering, both, model);
    const reply = await post('/v1/chat', {
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ type: 'function', function: { name: 'ls' } }],
    });
    expect(reply.status).toBe(200);
    expect(vendor.requests.map(wireOf)).toEqual([wire]);
  });
});

it('thinking that nobody signed goes back to a vendor that signs none, and never to Claude', async () => {
  const body = {
    model: 'm',
    max_tokens: 2000,
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: '' },
          { type: 'text', text: 'Ho' },
        ],
      },
      { role: 'user', content: 'And?' },
    ],
  };
  for (const [model, kept] of [
    ['kimi-k3', true],
    ['claude-sonnet-5-5', false],
  ] as const) {
    const { vendor, post } = await asking(answering, { speaks: ['anthropic'] }, model);
    expect((await post('/v1/messages', body)).status).toBe(200);
    expect(JSON.stringify(vendor.requests[0]?.json).includes('Hm.')).toBe(kept);
  }
});

describe('a request that passes as bytes', () => {
  const user = { role: 'user', content: 'Hi' };
  const thinking = { reasoning_content: 'Hm.', reasoning: null };

  it.each([
    // https://github.com/tashfeenahmed/freellmapi/issues/1070
    [
      'groq',
      { role: 'assistant', content: 'Ho', ...thinking },
      { role: 'assistant', content: 'Ho', reasoning: 'Hm.' },
    ],
    ['mistral', { role: 'assistant', content: 'Ho', ...thinking }, { role: 'assistant', content: 'Ho' }],
    [
      'deepseek',
      { role: 'assistant', content: 'Ho', ...thinking },
      { role: 'assistant', content: 'Ho', ...thinking },
    ],
    // https://github.com/experientiallabs/experiential/pull/804
    ['unknown', { role: 'developer', content: 'A' }, { role: 'system', content: 'A' }],
    ['openai', { role: 'developer', content: 'A' }, { role: 'developer', content: 'A' }],
    // https://github.com/anthropics/claude-code/issues/60394
    [
      'openai',
      { role: 'assistant', content: '\ud83d \ud83d\ude00' },
      { role: 'assistant', content: '\ufffd \ud83d\ude00' },
    ],
  ])('has for %s of %j only what it takes: %j', async (like, given, taken) => {
    const { vendor, post } = await asking(answering, { dialect: { like, rules: {} } });
    expect((await post('/v1/chat/completions', { model: 'm', messages: [user, given, user] })).status).toBe(
      200,
    );
    expect(vendor.requests[0]?.json['messages']).toEqual([user, taken, user]);
  });

  it.each([
    ['claude-opus-5', { role: 'system', content: 'B' }],
    ['claude-sonnet-4-6', { role: 'user', content: '<system>\nB\n</system>' }],
    ['qwen3.5', { role: 'user', content: '<system>\nB\n</system>' }],
  ])('has instructions within its conversation as %s takes them', async (model, taken) => {
    const { vendor, post } = await asking(answering, { speaks: ['anthropic'] }, model);
    const messages = [user, { role: 'system', content: 'B' }];
    expect((await post('/v1/messages', { model: 'm', max_tokens: 9, messages })).status).toBe(200);
    expect(vendor.requests[0]?.json['messages']).toEqual([user, taken]);
  });
});

it('an answer that Mistral goes on with is not repeated to its client', async () => {
  const chunk = (content: string) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
  const choices = [{ index: 0, message: { role: 'assistant', content: '1, 2, 3' }, finish_reason: 'stop' }];
  const { post } = await asking(
    ({ request, json, events }) => {
      if (!isStreamed(request)) return json({ choices });
      events(`${chunk('')}${chunk('1,')}${chunk(' 2, 3')}${chunk(', 4')}data: [DONE]\n\n`);
    },
    { dialect: { like: 'mistral', rules: {} } },
  );
  const messages = [
    { role: 'user', content: 'Count.' },
    { role: 'assistant', content: '1, 2,' },
  ];
  const ask = async (stream: boolean) =>
    (await post('/v1/messages', { model: 'm', max_tokens: 9, stream, messages })).text();
  expect(JSON.parse(await ask(false)).content[0].text).toBe(' 3');
  expect(
    [...(await ask(true)).matchAll(/"text_delta","text":"([^"]*)"/g)].map(([, text]) => text).join(''),
  ).toBe(' 3, 4');
});

onEveryStore('what a model thought before a call', (on) => {
  it('is sent back where its client has no place for it, whichever process is asked', async () => {
    const block = { type: 'thinking', thinking: 'Look first.', signature: 'c2ln' };
    const called = {
      ...(textAnswers.anthropic.reply as object),
      content: [block, { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }],
      stop_reason: 'tool_use',
    };
    const database = await on.database();
    const vendor = await vendorFor(({ index, json }) =>
      json(index === 0 ? called : textAnswers.anthropic.reply),
    );
    const provider = providerOf('anthropic', vendor.baseUrl, { id: 'v', patterns: [] });
    const models = [{ id: 'm', provider: 'v', model: 'claude-sonnet-4-6', temperature: null, fallbacks: [] }];
    const process = () =>
      appForThisTest({ database, models: { providers: [provider], models, maxAttempts: 1 } });
    const [first, second] = [await process(), await process()];
    const tools = [
      { type: 'function', function: { name: 'ls', parameters: { type: 'object', properties: {} } } },
    ];
    const user = { role: 'user', content: 'ls' };
    const ask = async ({ url }: { url: string }, ...messages: object[]) => {
      const body = JSON.stringify({ model: 'm', tools, messages: [user, ...messages] });
      const { status } = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
      expect(status).toBe(200);
    };
    await ask(first);
    const toolCall = { id: 'toolu_1', type: 'function', function: { name: 'ls', arguments: '{}' } };
    const follow = [
      { role: 'assistant', content: null, tool_calls: [toolCall] },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'a' },
    ];
    await ask(first, ...follow);
    const { db } = await on.open(database);
    await expect.poll(() => db.selectFrom('thoughts').selectAll().execute()).toHaveLength(1);
    await ask(second, ...follow);
    const all = [
      { role: 'user' },
      { role: 'assistant', content: [block, { type: 'tool_use', id: 'toolu_1' }] },
      { role: 'user' },
    ];
    expect(vendor.requests.slice(1).map(({ json }) => json['messages'])).toMatchObject([all, all]);
  });
});
