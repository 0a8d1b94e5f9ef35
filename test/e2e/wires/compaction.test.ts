/** A conversation that has become too long, from Codex and the SDK, for models of any vendor. */
import OpenAI from 'openai';
import type { ResponseInputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { expect, it } from 'vitest';
import { isObject } from '../../../src/lib/json.ts';
import { testKey } from '../../helpers/app.ts';
import { beforeFourVendors, modelOn, textAnswers } from '../../helpers/four-vendors.ts';

const foreign = ['openai-chat', 'anthropic', 'gemini'] as const;

const tools = [
  { type: 'function', name: 'shell', parameters: { type: 'object', properties: {} }, strict: false },
] as const;

/** What Codex sends: the history with calls of tools, and the trigger at its end. */
const history = [
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Mend the roof.' }] },
  { type: 'function_call', call_id: 'call_1', name: 'shell', arguments: '{}' },
  { type: 'function_call_output', call_id: 'call_1', output: 'The roof leaks.' },
] as ResponseInputItem[];
const trigger = { type: 'compaction_trigger' } as ResponseInputItem;

async function clientOf(...given: Parameters<typeof beforeFourVendors>) {
  const { app, vendor } = await beforeFourVendors(...given);
  const client = new OpenAI({ apiKey: testKey, baseURL: `${app.url}/v1`, maxRetries: 0 });
  return { app, client, vendor };
}

async function eventsOf(client: OpenAI, model: string): Promise<ResponseStreamEvent[]> {
  const input = [...history, trigger];
  const stream = await client.responses.create({
    model,
    input,
    tools: [...tools],
    stream: true,
    store: false,
  });
  const events: ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

it.each(foreign)('compacts for Codex what a model on %s has said', async (wire) => {
  const { client, vendor } = await clientOf();
  const events = await eventsOf(client, modelOn[wire]);
  const types = [...new Set(events.map(({ type }) => type))];
  expect(types).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.compaction.compacting',
    'response.output_item.done',
    'response.completed',
  ]);
  const done = events.filter(({ type }) => type === 'response.output_item.done');
  expect(done).toHaveLength(1);
  const [{ item }] = done as [Extract<ResponseStreamEvent, { type: 'response.output_item.done' }>];
  expect(item).toMatchObject({ type: 'compaction', encrypted_content: expect.stringMatching(/^sy1\./) });
  const last = events.at(-1);
  expect(last?.type === 'response.completed' && last.response).toMatchObject({
    status: 'completed',
    output: [item],
    usage: { total_tokens: expect.any(Number) },
  });
  const asked = JSON.stringify(vendor.requests[0]?.json);
  expect(asked).toContain('The roof leaks.');
  expect(asked).toMatch(/summary/);
  expect(asked).toContain('"shell"');
  expect(asked).not.toContain('compaction_trigger');

  const reply = await client.responses.create({
    model: modelOn[wire],
    input: [item as ResponseInputItem, { role: 'user', content: 'Go on.' }],
  });
  expect(reply.output_text).not.toBe('');
  const { text } = textOf(textAnswers[wire].reply);
  expect(JSON.stringify(vendor.requests[1]?.json)).toContain(JSON.stringify(text).slice(1, -1));
});

it.each(foreign)('compacts in a whole answer, and at an address of its own, on %s', async (wire) => {
  const { client } = await clientOf();
  const model = modelOn[wire];
  const whole = await client.responses.create({ model, input: [...history, trigger], store: false });
  expect(whole).toMatchObject({ object: 'response', status: 'completed', output: [{ type: 'compaction' }] });
  const compacted = await client.responses.compact({ model, input: history });
  expect(compacted).toMatchObject({
    object: 'response.compaction',
    output: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Mend the roof.' }] },
      { type: 'compaction', encrypted_content: expect.any(String) },
    ],
    usage: { total_tokens: expect.any(Number) },
  });
  const next = [...compacted.output, { role: 'user', content: 'Go on.' }] as ResponseInputItem[];
  expect((await client.responses.create({ model, input: next })).status).toBe('completed');
});

it('leaves both to a vendor that compacts, and reads what that used', async () => {
  const usage = { input_tokens: 1000, output_tokens: 50, total_tokens: 1050 };
  const native = {
    id: 'resp_1',
    object: 'response.compaction',
    created_at: 1,
    output: [{ id: 'cmp_1', type: 'compaction', encrypted_content: 'vendor' }],
    usage,
  };
  const { client, vendor } = await clientOf(({ request, json }) =>
    json(request.path.endsWith('/compact') ? native : textAnswers['openai-responses'].reply),
  );
  const model = modelOn['openai-responses'];
  const compacting = await client.responses.compact({ model, input: history }).withResponse();
  expect(compacting.data.output).toEqual(native.output);
  expect(vendor.requests[0]).toMatchObject({ path: expect.stringMatching(/\/responses\/compact$/) });
  const row = await client.get(`/requests/${compacting.response.headers.get('x-request-id')}`);
  expect(row).toMatchObject({ usage: { prompt_tokens: 1000, completion_tokens: 50, source: 'provider' } });
  await client.responses.create({ model, input: [...history, trigger] });
  expect(vendor.requests[1]?.json['input']).toEqual([...history, trigger]);
});

it('gives a vendor that compacts itself what was compacted here as a message, and says nothing of thinking', async () => {
  const { client, vendor } = await clientOf();
  const { output } = await client.responses.compact({ model: modelOn.anthropic, input: history });
  const input = [...output, { role: 'user', content: 'Go on.' }] as ResponseInputItem[];
  const reply = await client.responses.create({ model: modelOn['openai-responses'], input }).withResponse();
  expect(reply.response.headers.get('x-switchyard-warnings')).toBeNull();
  const sent = vendor.requests[1]?.json['input'] as { readonly role?: string; readonly type?: string }[];
  expect(sent.map(({ role, type }) => role ?? type)).toEqual(['user', 'user', 'user']);
});

it('leaves out what another server compacted, and says so', async () => {
  const { client } = await clientOf();
  const item = { type: 'compaction', encrypted_content: 'gAAAA' } as ResponseInputItem;
  const { response } = await client.responses
    .create({ model: modelOn.anthropic, input: [item, { role: 'user', content: 'Hi' }] })
    .withResponse();
  expect(response.headers.get('x-switchyard-warnings')).toMatch(/thinking_removed/);
});

it('takes the trigger only at the end', async () => {
  const { client, vendor } = await clientOf();
  await expect(
    client.responses.create({ model: modelOn.anthropic, input: [trigger, ...history] }),
  ).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('input[0] must be the last item'),
  });
  expect(vendor.requests).toHaveLength(0);
});

it('ends with an error where the model writes no summary', async () => {
  const silent = { ...textAnswers.anthropic.reply, content: [] };
  const { client } = await clientOf(({ request, json, events }) =>
    request.json['stream'] ? events(withoutText(textAnswers.anthropic.stream)) : json(silent),
  );
  await expect(eventsOf(client, modelOn.anthropic)).rejects.toThrow('was asked for a summary and wrote none');
  await expect(client.responses.compact({ model: modelOn.anthropic, input: history })).rejects.toMatchObject({
    status: 502,
  });
});

function withoutText(stream: string): string {
  return stream
    .split('\n\n')
    .filter((event) => !event.includes('content_block'))
    .join('\n\n');
}

/** The first text in a vendor's reply. */
function textOf(value: unknown): { readonly text: string } {
  const found = textsIn(value)[0];
  if (found === undefined) throw new Error('There is no text.');
  return { text: found };
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' && (name === 'text' || name === 'content') ? [inner] : textsIn(inner),
  );
}
