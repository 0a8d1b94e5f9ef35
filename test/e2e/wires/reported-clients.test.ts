/** What coding agents and SDKs have failed on at other gateways. */
import { expect, it } from 'vitest';
import { appForThisTest, testKey } from '../../helpers/app.ts';
import { providerOf, vendorFor } from '../../helpers/vendor-gateway.ts';
import {
  answerText,
  askOn,
  beforeFourVendors,
  modelOn,
  sendTo,
  textAnswers,
  wireClients,
} from '../../helpers/wire-clients.ts';
import type { VendorScript } from '../../lib/vendor.ts';

const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' };

it('serves every path with and without /v1, twice, and under the names of the vendors', async () => {
  const { app } = await beforeFourVendors();
  const chat = JSON.stringify(wireClients['openai-chat'].body('gpt-4o', { text: 'Hi' }));
  const responses = JSON.stringify(wireClients['openai-responses'].body('gpt-4o', { text: 'Hi' }));
  const messages = JSON.stringify(wireClients.anthropic.body('claude-sonnet-4-6', { text: 'Hi' }));
  const found: Record<string, number> = {};
  for (const [path, body] of [
    ['/chat/completions', chat],
    ['/v1/v1/chat/completions', chat],
    ['/openai/v1/chat/completions', chat],
    ['/responses', responses],
    ['/v1/v1/responses', responses],
    ['/anthropic/v1/messages?beta=true', messages],
    ['/v1/v1/messages', messages],
  ] as const)
    found[path] = (await fetch(app.url + path, { method: 'POST', headers, body })).status;
  for (const path of ['/models', '/v1/v1/models', '/openai/v1/models', '/gemini/v1beta/models'])
    found[path] = (await fetch(app.url + path, { headers })).status;
  expect(new Set(Object.values(found))).toEqual(new Set([200]));
});

it('answers what Claude Code asks before anything else', async () => {
  const { app } = await beforeFourVendors();
  for (const [method, path] of [
    ['HEAD', '/'],
    ['HEAD', '/api/hello'],
    ['GET', '/api/hello'],
  ] as const)
    expect([path, (await fetch(app.url + path, { method })).status]).toEqual([path, 200]);
});

it('counts the tokens of a model that is not of Anthropic, and says that it is an estimate', async () => {
  const { app } = await beforeFourVendors();
  const reply = await fetch(`${app.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'How many tokens is this?' }],
    }),
  });
  const { input_tokens } = (await reply.json()) as { input_tokens: number };
  expect([reply.status, input_tokens > 5 && input_tokens < 40]).toEqual([200, true]);
  expect([...reply.headers].filter(([name]) => name.startsWith('x-switchyard')).join()).toMatch(/estimate/);
});

it('lists models in the form of OpenAI and of Anthropic at once', async () => {
  const { app } = await beforeFourVendors();
  const list = (await (await fetch(`${app.url}/v1/models?limit=1000`, { headers })).json()) as {
    data: Record<string, unknown>[];
  };
  expect(list).toMatchObject({ object: 'list', has_more: false, first_id: list.data[0]?.['id'] });
  for (const model of list.data)
    expect(model).toMatchObject({
      id: expect.any(String),
      object: 'model',
      created: expect.any(Number),
      owned_by: expect.any(String),
      type: 'model',
      display_name: expect.any(String),
      created_at: expect.any(String),
    });
});

const patch = '*** Begin Patch\n*** Add File: hello.txt\n+hello "you"\n*** End Patch';

it("gives a custom tool's text to Codex from a model that knows functions only, and takes its history back", async () => {
  const claude: VendorScript = ({ json }) =>
    json({
      ...textAnswers.anthropic.reply,
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'apply_patch', input: { input: patch } }],
      stop_reason: 'tool_use',
    });
  const { app, vendor } = await beforeFourVendors(claude);
  const client = wireClients['openai-responses'];
  const model = modelOn.anthropic;
  const tools = [
    {
      type: 'custom',
      name: 'apply_patch',
      description: 'Edits files.',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
    },
  ];
  const first = await sendTo(app, client, model, client.body(model, { text: 'Write it.' }, { tools }));
  const { output } = JSON.parse(first.text) as { output: { type: string; call_id: string; input: string }[] };
  const call = output.find(({ type }) => type === 'custom_tool_call');
  expect(call).toMatchObject({ name: 'apply_patch', input: patch });
  const input = [
    { role: 'user', content: 'Write it.' },
    ...output,
    { type: 'custom_tool_call_output', call_id: call?.call_id, output: 'Done' },
  ];
  const second = await sendTo(app, client, model, { model, store: false, tools, input });
  expect(second.status).toBe(200);
  const { messages } = (vendor.requests[1]?.json ?? {}) as { messages: { content: unknown }[] };
  expect(messages[1]?.content).toEqual([
    { type: 'tool_use', id: 'toolu_1', name: 'apply_patch', input: { input: patch } },
  ]);
  expect(messages[2]?.content).toMatchObject([
    { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Done' },
  ]);
});

it.each([
  ['previous_response_id', { previous_response_id: 'resp_1' }],
  ['store', { store: true }],
  ['background', { background: true }],
])('refuses %s where nothing is kept, in place of forgetting it', async (field, more) => {
  const { app, vendor } = await beforeFourVendors();
  const client = wireClients['openai-responses'];
  const model = modelOn.anthropic;
  const { status, text } = await sendTo(app, client, model, client.body(model, { text: 'Hi' }, more));
  expect([status, client.field(JSON.parse(text)), vendor.requests.length]).toEqual([400, field, 0]);
});

it('keeps a conversation with the provider that answered it, which alone can read its encrypted reasoning', async () => {
  const asked: string[] = [];
  let down = true;
  const vendorNamed = (name: string) =>
    vendorFor(({ json }) => {
      asked.push(name);
      if (name === 'one' && down) json({ error: { message: 'Down.', type: 'server_error' } }, 500);
      else json(textAnswers['openai-responses'].reply);
    });
  const [one, two] = await Promise.all([vendorNamed('one'), vendorNamed('two')]);
  const more = { speaks: ['openai-responses'], patterns: [] } as const;
  const model = { temperature: null, model: 'gpt-5' } as const;
  const app = await appForThisTest({
    models: {
      providers: [
        providerOf('openai', one.baseUrl, { id: 'one', ...more }),
        providerOf('openai', two.baseUrl, { id: 'two', ...more }),
      ],
      models: [
        { id: 'first', provider: 'one', fallbacks: ['second'], ...model },
        { id: 'second', provider: 'two', fallbacks: [], ...model },
      ],
      maxAttempts: 2,
    },
  });
  const client = wireClients['openai-responses'];
  const ask = (session: string) =>
    sendTo(app, client, 'first', client.body('first', { text: 'Hi' }), { headers: { session_id: session } });
  expect((await ask('a')).status).toBe(200);
  down = false;
  await ask('a');
  await ask('b');
  expect(asked).toEqual(['one', 'two', 'two', 'one']);
});

it('keeps no answer to serve it again: the vendor is asked each time', async () => {
  const { app, vendor } = await beforeFourVendors(answerText);
  await askOn(app, 'openai-chat', 'gpt-4o', 'What is my balance?');
  await askOn(app, 'openai-chat', 'gpt-4o', 'What is my balance?');
  expect(vendor.requests).toHaveLength(2);
});

it('gives what continues a message that the client began, though llama.cpp repeats the beginning', async () => {
  const choices = [
    { index: 0, message: { role: 'assistant', content: '1, 2, 3, 4,' }, finish_reason: 'length' },
  ];
  const found = [];
  // Its answers have `timings`; another's may begin with the same words by its own will.
  for (const more of [{ timings: { prompt_n: 9, predicted_n: 3 } }, {}]) {
    const { app } = await beforeFourVendors(({ json }) => json({ choices, ...more }));
    const { body } = wireClients.anthropic;
    const messages = [
      { role: 'user', content: 'Count.' },
      { role: 'assistant', content: '1, 2, 3,' },
    ];
    const sent = body('gpt-4o', { text: '' }, { messages });
    const { text } = await sendTo(app, wireClients.anthropic, 'gpt-4o', sent);
    found.push(JSON.parse(text).content[0].text);
  }
  expect(found).toEqual([' 4,', '1, 2, 3, 4,']);
});
