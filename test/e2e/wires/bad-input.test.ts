/** What a foreign interface says of a request that is wrong, or that the model cannot take: in its own form, with the field named. */
import { describe, expect, it } from 'vitest';
import { wrapThinking } from '../../../src/gateway/wires/envelope.ts';
import { signatureOf } from '../../../src/gateway/wires/gemini/client/other-vendor-signatures.ts';
import type { SealedThinking, VendorWire } from '../../../src/model/parts.ts';
import {
  beforeFourVendors,
  isStreamed,
  modelOn,
  pngData,
  sendTo,
  textAnswers,
  wireClients,
  wireNames,
  wireOf,
} from '../../helpers/wire-clients.ts';

const pairs = wireNames.flatMap((client) =>
  wireNames.filter((vendor) => vendor !== client).map((vendor) => [client, vendor] as const),
);

/** Sends a body to a model behind another wire, and gives what the client reads of the refusal. */
async function refusal(client: VendorWire, vendor: VendorWire, body: (model: string) => object) {
  const { app, vendor: scripted } = await beforeFourVendors();
  const model = modelOn[vendor];
  const { status, text } = await sendTo(app, wireClients[client], model, body(model));
  const error: unknown = JSON.parse(text);
  const { field, message } = wireClients[client];
  return { status, field: field(error), message: message(error), asked: scripted.requests.length };
}

describe.each(pairs)('%s before a model on %s', (client, vendor) => {
  const { body, imagePath } = wireClients[client];
  const picture = (mediaType: string, data: string) => (model: string) =>
    body(model, { text: 'What is this?', image: { mediaType, data } });

  it('refuses a picture whose base64 is broken', async () => {
    const { status, field, asked } = await refusal(client, vendor, picture('image/png', 'not*base64'));
    expect({ status, asked }).toEqual({ status: 400, asked: 0 });
    expect(field).toContain(imagePath);
  });

  it('refuses a file of the wrong type', async () => {
    const { status, field, asked } = await refusal(client, vendor, picture('video/mp4', pngData));
    expect({ status, asked }).toEqual({ status: 400, asked: 0 });
    expect(field).toContain(imagePath);
  });
});

/** What some models cannot be asked, how each client says it, and where. */
const beyond: readonly {
  readonly what: string;
  readonly client: VendorWire;
  /** Of those that cannot. */
  readonly vendor: VendorWire;
  readonly model?: string;
  readonly body: (model: string) => object;
  readonly field: string;
  /** One that can, among those that the server has. */
  readonly able: string;
}[] = [
  {
    what: 'sound',
    client: 'openai-chat',
    vendor: 'anthropic',
    body: (model) => ({
      model,
      messages: [
        { role: 'system', content: 'Listen.' },
        { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }] },
      ],
    }),
    field: 'messages[1].content[0]',
    able: 'gpt-',
  },
  {
    what: 'sound',
    client: 'gemini',
    vendor: 'openai-responses',
    body: () => ({ contents: [{ parts: [{ inlineData: { mimeType: 'audio/wav', data: 'AAAA' } }] }] }),
    field: 'contents[0].parts[0].inlineData',
    able: 'gemini-',
  },
  {
    what: 'a document by its address',
    client: 'anthropic',
    vendor: 'openai-chat',
    body: (model) => ({
      model,
      max_tokens: 10,
      system: 'Read.',
      messages: [
        {
          role: 'user',
          content: [{ type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }],
        },
      ],
    }),
    field: 'messages[0].content[0]',
    able: 'gemini-',
  },
  {
    what: 'a schema',
    client: 'openai-responses',
    vendor: 'anthropic',
    model: 'claude-3-haiku-20240307',
    body: (model) => ({
      model,
      store: false,
      input: 'Hi',
      text: { format: { type: 'json_schema', name: 'a', schema: { type: 'object', properties: {} } } },
    }),
    field: 'text.format',
    able: 'gemini-',
  },
  {
    what: 'a tool that the vendor itself runs',
    client: 'openai-responses',
    vendor: 'anthropic',
    body: (model) => ({ model, store: false, input: 'Hi', tools: [{ type: 'computer_use_preview' }] }),
    field: 'tools[0]',
    able: 'responses/gpt-4o',
  },
];

describe('what a model cannot be asked', () => {
  it.each(beyond)('$client before $vendor: $what is refused, with those that can', async (one) => {
    const { app, vendor } = await beforeFourVendors();
    const model = one.model ?? modelOn[one.vendor];
    const { status, text } = await sendTo(app, wireClients[one.client], model, one.body(model));
    const { field, message } = wireClients[one.client];
    const error: unknown = JSON.parse(text);
    expect({ status, asked: vendor.requests.length }).toEqual({ status: 400, asked: 0 });
    expect(field(error)).toContain(one.field);
    const [, able = ''] = message(error).split('Models here that can be asked this: ');
    expect(able).toContain(one.able);
  });
});

describe.each(pairs)('%s with a result that answers no call, before a model on %s', (client, vendor) => {
  const orphans: Readonly<Record<VendorWire, readonly [object, string]>> = {
    'openai-chat': [
      {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'tool', tool_call_id: 'call_1', content: 'x' },
        ],
      },
      'messages[1].tool_call_id',
    ],
    'openai-responses': [
      {
        input: [
          { role: 'user', content: 'Hi' },
          { type: 'function_call_output', call_id: 'call_1', output: 'x' },
        ],
      },
      'input[1].call_id',
    ],
    anthropic: [
      {
        max_tokens: 10,
        messages: [
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }] },
        ],
      },
      'messages[0].content[0].tool_use_id',
    ],
    gemini: [
      {
        contents: [{ role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'x' } } }] }],
      },
      'contents[0].parts[0].functionResponse.name',
    ],
  };

  it('is refused, with the path of its id', async () => {
    const [orphan, path] = orphans[client];
    const inBody = client === 'gemini' ? {} : undefined;
    const { status, field, asked } = await refusal(client, vendor, (model) => ({
      ...(inBody ?? { model }),
      ...orphan,
    }));
    expect({ status, field, asked }).toEqual({ status: 400, field: path, asked: 0 });
  });
});

/** The events of a stream up to the first that has text of the answer. */
function upToText(stream: string): string {
  const events = stream.split(/(?<=\r?\n\r?\n)/);
  const first = events.findIndex((event) => /Gr|output_text\.delta/.test(event));
  expect(first).toBeGreaterThanOrEqual(0);
  return events.slice(0, first + 1).join('');
}

describe.each(wireNames)('%s before a vendor whose stream ends early', (client) => {
  it.each(wireNames)('of the wire %s, tells it as an error event of its own', async (vendor) => {
    const { app } = await beforeFourVendors(({ request, eventStream, chunk, lastChunk }) => {
      const { stream } = textAnswers[wireOf(request)];
      expect(isStreamed(request)).toBe(true);
      eventStream();
      chunk(upToText(stream));
      lastChunk();
    });
    const model = modelOn[vendor];
    const { body } = wireClients[client];
    const answer = await sendTo(app, wireClients[client], model, body(model, { text: 'Hi' }), {
      streaming: true,
    });
    expect(answer.status).toBe(200);
    const events = answer.text.trimEnd().split(/\r?\n\r?\n/);
    const data = (event: string) => JSON.parse(event.replace(/^event: .*\n/, '').replace(/^data: /, ''));
    const last = data(events.at(-1) ?? '');
    if (client === 'openai-responses')
      expect(last).toMatchObject({ type: 'response.failed', response: { status: 'failed', error: {} } });
    else if (client === 'anthropic')
      expect(last).toMatchObject({ type: 'error', error: { type: 'api_error' } });
    else if (client === 'gemini')
      expect(last).toMatchObject({ error: { code: expect.any(Number), status: expect.any(String) } });
    else expect(last).toMatchObject({ error: { message: expect.any(String), type: 'server_error' } });
    expect(answer.text).not.toContain('[DONE]');
  });
});

describe("thinking that another vendor's model sealed", () => {
  const sealed: SealedThinking = {
    wire: 'anthropic',
    provider: 'anthropic',
    model: 'claude-opus-4-6',
    value: { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
  };
  const envelope = wrapThinking(sealed);
  const call = { name: 'look', arguments: '{}' };
  /** How each client sends it back: with a call, its result, and nothing of it left out. */
  const conversations: Readonly<Record<VendorWire, object>> = {
    'openai-chat': {
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: call,
              extra_content: { switchyard: { thinking: [envelope] } },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'x' },
      ],
    },
    'openai-responses': {
      store: false,
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: envelope },
        { type: 'function_call', call_id: 'call_1', ...call },
        { type: 'function_call_output', call_id: 'call_1', output: 'x' },
      ],
    },
    anthropic: {
      max_tokens: 2000,
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: envelope },
            { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }] },
      ],
    },
    gemini: {
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        {
          role: 'model',
          parts: [
            { text: '', thoughtSignature: signatureOf(sealed) },
            { functionCall: { name: 'look', args: {} }, thoughtSignature: signatureOf(sealed) },
          ],
        },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'x' } } }] },
      ],
    },
  };
  const all = wireNames.flatMap((client) => wireNames.map((vendor) => [client, vendor] as const));

  it.each(all)(
    'from a client on %s is kept from a model on %s, and the client is told',
    async (client, vendor) => {
      const { app, vendor: scripted } = await beforeFourVendors();
      const model = modelOn[vendor];
      const inBody = client === 'gemini' ? {} : { model };
      const { status, headers } = await sendTo(app, wireClients[client], model, {
        ...inBody,
        ...conversations[client],
      });
      const [sent] = scripted.requests;
      expect(status).toBe(200);
      expect(headers.get('x-switchyard-warnings')).toContain('thinking_removed');
      for (const text of [envelope, signatureOf(sealed), 'c2ln', 'extra_content'])
        expect(sent?.body).not.toContain(text);
      expect(sent?.body).toContain('look');
      expect(sent?.body).not.toContain('"text":""');
    },
  );
});

describe('a request that is too large', () => {
  it.each(wireNames)('is refused on the interface of %s in its own form', async (client) => {
    const { app, vendor } = await beforeFourVendors();
    const model = modelOn[client];
    const huge = { mediaType: 'image/png', data: 'A'.repeat(33 * 1024 * 1024) };
    const body = wireClients[client].body(model, { text: 'Hi', image: huge });
    const { status, text } = await sendTo(app, wireClients[client], model, body);
    expect({ status, asked: vendor.requests.length }).toEqual({ status: 413, asked: 0 });
    expect(wireClients[client].message(JSON.parse(text))).toMatch(/32 MiB|33554432|larger/);
  });

  it.each(pairs)(
    'in the eyes of the vendor, from %s to %s, is refused in the words of the vendor',
    async (client, vendor) => {
      const said = 'messages.0.content.1.image: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes';
      const { app } = await beforeFourVendors(({ json, request }) =>
        json(
          wireOf(request) === 'gemini'
            ? { error: { code: 400, message: said, status: 'INVALID_ARGUMENT' } }
            : {
                type: 'error',
                error: { type: 'invalid_request_error', message: said, param: null, code: null },
              },
          400,
        ),
      );
      const model = modelOn[vendor];
      const image = { mediaType: 'image/png', data: pngData };
      const body = wireClients[client].body(model, { text: 'Hi', image });
      const { status, text } = await sendTo(app, wireClients[client], model, body);
      expect(status).toBe(400);
      expect(wireClients[client].message(JSON.parse(text))).toContain('image exceeds 5 MB');
    },
  );
});
