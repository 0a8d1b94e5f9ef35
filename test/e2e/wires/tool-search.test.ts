/** Codex holds the tools of MCP servers back until its model searches for them; the model may be of any vendor. */
import OpenAI from 'openai';
import type { ResponseInputItem, ResponseStreamEvent, Tool } from 'openai/resources/responses/responses';
import { expect, it } from 'vitest';
import { testKey } from '../../helpers/app.ts';
import { beforeFourVendors, modelOn, textAnswers } from '../../helpers/wire-clients.ts';

const search = {
  type: 'tool_search',
  execution: 'client',
  description: 'Searches for tools.',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
} as Tool;
const weather = {
  type: 'namespace',
  name: 'mcp__docs',
  description: 'Tools of docs.',
  tools: [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } }],
};

const call = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  model: 'claude',
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 9 },
  content: [{ type: 'tool_use', id: 'toolu_1', name: 'tool_search', input: { query: 'weather' } }],
};

const stream = [
  { type: 'message_start', message: { ...call, content: [], stop_reason: null } },
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'tool_search', input: {} },
  },
  {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json: '{"query":' },
  },
  {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json: '"weather"}' },
  },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 9 },
  },
  { type: 'message_stop' },
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');

const item = {
  type: 'tool_search_call',
  call_id: 'toolu_1',
  execution: 'client',
  status: 'completed',
  arguments: { query: 'weather' },
};

async function started() {
  const { app, vendor } = await beforeFourVendors(({ request, json, events }) => {
    const first = !JSON.stringify(request.json).includes('can be called now');
    if (!first) json(textAnswers.anthropic.reply);
    else if (request.json['stream']) events(stream);
    else json(call);
  });
  const client = new OpenAI({ apiKey: testKey, baseURL: `${app.url}/v1`, maxRetries: 0 });
  return { client, vendor };
}

const asked = { model: modelOn.anthropic, input: 'Weather?', tools: [search], store: false };

it('gives the client the search in its own form, whole and streamed', async () => {
  const { client, vendor } = await started();
  const whole = await client.responses.create(asked);
  expect(whole.output).toMatchObject([item]);
  const events: ResponseStreamEvent[] = [];
  for await (const event of await client.responses.create({ ...asked, stream: true })) events.push(event);
  const types = events.map(({ type }) => type);
  expect(types.filter((type) => /arguments|input/.test(type))).toEqual([]);
  expect(events.filter(({ type }) => type === 'response.output_item.done')).toMatchObject([{ item }]);
  expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { output: [item] } });
  expect(vendor.requests[0]?.json['tools']).toMatchObject([{ name: 'tool_search' }]);
});

it('gives the model the tools that the client found', async () => {
  const { client, vendor } = await started();
  const input = [
    { role: 'user', content: 'Weather?' },
    item,
    { type: 'tool_search_output', call_id: 'toolu_1', execution: 'client', tools: [weather] },
  ] as ResponseInputItem[];
  const { data, response } = await client.responses.create({ ...asked, input }).withResponse();
  expect(data.output_text).not.toBe('');
  expect(response.headers.get('x-switchyard-warnings') ?? '').not.toMatch(/dropped|removed/);
  const [request] = vendor.requests;
  expect(request?.json['tools']).toMatchObject([{ name: 'mcp__docs__weather' }, { name: 'tool_search' }]);
  expect(JSON.stringify(request?.json['messages'])).toContain(
    'These tools can be called now: mcp__docs__weather.',
  );
});

it('goes on where OpenAI itself has searched before', async () => {
  const { client, vendor } = await started();
  const input = [
    { role: 'user', content: 'Weather?' },
    { type: 'tool_search_call', call_id: null, execution: 'server', arguments: {}, status: 'completed' },
    { type: 'tool_search_output', call_id: null, execution: 'server', tools: [weather] },
  ] as ResponseInputItem[];
  await client.responses.create({ ...asked, input });
  expect(vendor.requests[0]?.json['tools']).toMatchObject([
    { name: 'mcp__docs__weather' },
    { name: 'tool_search' },
  ]);
});
