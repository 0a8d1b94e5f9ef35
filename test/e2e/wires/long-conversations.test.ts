import OpenAI from 'openai';
import type { ResponseInputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { wrapThinking } from '../../../src/gateway/wires/envelope.ts';
import { isObject } from '../../../src/lib/json.ts';
import type { SealedThinking, VendorWire } from '../../../src/model/parts.ts';
import { appForThisTest, testKey } from '../../helpers/app.ts';
import { providerOf, vendorFor } from '../../helpers/vendor-gateway.ts';
import {
  askOn,
  beforeFourVendors,
  modelOn,
  textAnswers,
  wireClients,
  wireNames,
} from '../../helpers/wire-clients.ts';

/** A conversation that does not fit into the model, told in the words by which the clients of each interface know it. */
describe('what does not fit', () => {
  /** What vendors on a wire say, under which status. */
  const said: Readonly<Record<VendorWire, readonly [number, object]>> = {
    // vLLM 0.11 (https://github.com/0xku/kon/issues/91, 2026-06-16).
    'openai-chat': [
      400,
      {
        object: 'error',
        type: 'BadRequestError',
        message: "This model's maximum context length is 8 tokens.",
      },
    ],
    // https://platform.openai.com/docs/guides/error-codes, 2026-11-27.
    'openai-responses': [
      400,
      {
        error: { type: 'invalid_request_error', code: 'context_length_exceeded', message: 'It is too big.' },
      },
    ],
    // https://platform.claude.com/docs/en/api/errors, 2026-11-27.
    anthropic: [
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' },
      },
    ],
    // https://ai.google.dev/gemini-api/docs/tokens, 2026-11-27.
    gemini: [
      400,
      {
        error: {
          code: 400,
          status: 'INVALID_ARGUMENT',
          message: 'The input token count (9) exceeds the maximum number of tokens allowed (8).',
        },
      },
    ],
  };

  /** What the clients of an interface look for. */
  const lookedFor: Readonly<Record<VendorWire, RegExp>> = {
    'openai-chat': /"code":"context_length_exceeded"/,
    'openai-responses': /"code":"context_length_exceeded"/,
    // Claude Code (https://github.com/anthropics/claude-code/issues/46348, 2026-04-10).
    anthropic: /prompt is too long/i,
    // Gemini's own message.
    gemini: /input token count .*exceeds the maximum number of tokens allowed/i,
  };

  describe.each(wireNames)('a client on %s', (client) => {
    it.each(
      wireNames
        .filter((wire) => wire !== client)
        .flatMap((wire) => [[wire, false] as const, [wire, true] as const]),
    )('knows it from a vendor on %s, streamed: %s', async (wire, streaming) => {
      const { app, vendor } = await beforeFourVendors(({ json }) => json(said[wire][1], said[wire][0]), {
        models: { maxAttempts: 4 },
      });
      const { status, text } = await askOn(app, client, modelOn[wire], 'Hi', streaming);
      expect(status).toBe(400);
      expect(text).toMatch(lookedFor[client]);
      expect(wireClients[client].message(JSON.parse(text))).toContain('refused the request');
      expect(vendor.requests).toHaveLength(1);
    });
  });
});

/** Tokens of a conversation that went on with another model are counted as those of one that is answered. */
describe('counted conversations', () => {
  const foreign = (wire: SealedThinking['wire']) =>
    wrapThinking({ wire, provider: 'other', model: 'm', value: { type: 'thinking' } });
  const hi = { role: 'user', content: 'Hi' };
  const contents = (signature: string) => [
    { role: 'user', parts: [{ text: 'Hi' }] },
    { role: 'model', parts: [{ text: 'Hello' }, { text: '', thoughtSignature: signature }] },
  ];
  const signature = Buffer.from(foreign('anthropic')).toString('base64');
  const contentsLeft = [contents('')[0], { role: 'model', parts: [{ text: 'Hello' }] }];

  it.each([
    {
      wire: 'anthropic',
      path: '/v1/messages/count_tokens',
      body: {
        model: 'm',
        messages: [
          hi,
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm.', signature: foreign('gemini') },
              { type: 'text', text: 'Hello' },
            ],
          },
        ],
      },
      sent: { messages: [hi, { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }] },
      reply: { input_tokens: 7 },
    },
    {
      wire: 'responses',
      path: '/v1/responses/input_tokens',
      body: {
        model: 'm',
        input: [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: foreign('anthropic') }, hi],
      },
      sent: { input: [hi] },
      reply: { object: 'response.input_tokens', input_tokens: 7 },
    },
    {
      wire: 'gemini',
      path: '/v1beta/models/m:countTokens',
      body: { contents: contents(signature) },
      sent: { contents: contentsLeft },
      reply: { totalTokens: 7 },
    },
    {
      wire: 'gemini',
      path: '/v1beta/models/m:countTokens',
      body: { generateContentRequest: { model: 'models/m', contents: contents(signature) } },
      sent: { generateContentRequest: { model: 'models/m', contents: contentsLeft } },
      reply: { totalTokens: 7 },
    },
  ] as const)(
    'on $path without thinking that its vendor cannot read',
    async ({ wire, path, body, sent, reply }) => {
      const vendor = await vendorFor(({ json }) => json(reply));
      const provider = providerOf(wire, vendor.baseUrl, { patterns: ['m'] });
      const app = await appForThisTest({ models: { providers: [provider] } });
      const answer = await fetch(app.url + path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      });
      expect([answer.status, await answer.json()]).toEqual([200, reply]);
      expect(vendor.requests[0]?.json).toEqual('model' in body ? { model: 'm', ...sent } : sent);
      expect(answer.headers.get('x-switchyard-warnings')).toBe('thinking_removed');
    },
  );
});

/** A conversation that has become too long, from Codex and the SDK, for models of any vendor. */
describe('compaction', () => {
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
    expect(whole).toMatchObject({
      object: 'response',
      status: 'completed',
      output: [{ type: 'compaction' }],
    });
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
    await expect(eventsOf(client, modelOn.anthropic)).rejects.toThrow(
      'was asked for a summary and wrote none',
    );
    await expect(
      client.responses.compact({ model: modelOn.anthropic, input: history }),
    ).rejects.toMatchObject({
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
});
