/** The sandbox's scripts on every foreign interface, as their vendors' own clients read them. */
import { describe, expect, it } from 'vitest';
import { fieldTable } from '../../../src/gateway/wires/fields/table.ts';
import type { VendorWire } from '../../../src/model/parts.ts';
import { appForThisTest } from '../../helpers/app.ts';
import { checkEvery } from '../../helpers/test-every.ts';
import { pngData, sendTo, wireClients, wireNames } from '../../helpers/wire-clients.ts';
import { readBySdk } from '../../helpers/wire-sides.ts';

const names = ['look', 'listen'] as const;
const parameters = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] };

/** Two tools, as each client offers them, and thinking where it has to be asked for. */
const more: Readonly<Record<VendorWire, object>> = {
  'openai-chat': { tools: names.map((name) => ({ type: 'function', function: { name, parameters } })) },
  'openai-responses': { tools: names.map((name) => ({ type: 'function', name, parameters, strict: false })) },
  anthropic: {
    tools: names.map((name) => ({ name, input_schema: parameters })),
    thinking: { type: 'adaptive' },
  },
  gemini: {
    tools: [{ functionDeclarations: names.map((name) => ({ name, parametersJsonSchema: parameters })) }],
    generationConfig: { thinkingConfig: { includeThoughts: true } },
  },
};

/** A field of each wire that no other wire has. */
const leftOut: Readonly<Record<VendorWire, { readonly more: object; readonly param: string }>> = {
  'openai-chat': { more: { logprobs: true }, param: 'logprobs' },
  'openai-responses': { more: { truncation: 'auto' }, param: 'truncation' },
  anthropic: { more: { inference_geo: 'eu' }, param: 'inference_geo' },
  gemini: { more: { labels: { a: 'b' } }, param: 'labels' },
};

/** What a client gets of a script: as a whole, as bytes of a stream, and as its SDK puts these together. */
async function answers(client: VendorWire, script: string) {
  const app = await appForThisTest();
  const model = `sandbox/${script}`;
  const body = wireClients[client].body(model, { text: 'Why?' }, more[client]);
  const whole = await sendTo(app, wireClients[client], model, body);
  expect(whole.status).toBe(200);
  const stream = await sendTo(app, wireClients[client], model, body, { streaming: true });
  return {
    whole: whole.text,
    bytes: stream.text,
    read: JSON.stringify(await readBySdk[client](stream.text)),
  };
}

/** What shows of a script on each wire. */
const scripts: Readonly<Record<string, Readonly<Record<VendorWire, RegExp>>>> = {
  thinking: {
    'openai-chat': /"reasoning_content":"No/,
    'openai-responses':
      /summary_text[^}]*"text":"No language model thinks|"text":"No language model thinks[^}]*summary_text/,
    anthropic: /"thinking":"No/,
    gemini: /"text":"No.*?","thought":true/,
  },
  'parallel-tools': {
    'openai-chat': /"name":"look".*"name":"listen"/s,
    'openai-responses': /"name":"look".*"name":"listen"/s,
    anthropic: /"name":"look".*"name":"listen"/s,
    gemini: /"name":"look".*"name":"listen"/s,
  },
  refusal: {
    'openai-chat': /"refusal":"This/,
    'openai-responses': /"refusal":"This is the built-in sandbox/,
    anthropic: /"stop_reason":"refusal"/,
    gemini: /"finishReason":"(?:SAFETY|PROHIBITED_CONTENT|OTHER)"/,
  },
  length: {
    'openai-chat': /"finish_reason":"length"/,
    'openai-responses': /"incomplete_details":\{"reason":"max_output_tokens"\}/,
    anthropic: /"stop_reason":"max_tokens"/,
    gemini: /"finishReason":"MAX_TOKENS"/,
  },
  citations: {
    'openai-chat': /"url":"https:\/\/example.com\/"/,
    'openai-responses': /"url":"https:\/\/example.com\/"/,
    anthropic: /"url":"https:\/\/example.com\/"/,
    gemini: /"uri":"https:\/\/example.com\/"/,
  },
  empty: {
    'openai-chat': /"finish_reason":"stop"/,
    'openai-responses': /"status":"completed"/,
    anthropic: /"stop_reason":"end_turn"/,
    gemini: /"finishReason":"STOP"/,
  },
};

describe.each(wireNames)('a client on %s', (client) => {
  it.each(Object.entries(scripts))('is shown what sandbox/%s does', async (script, expected) => {
    const { whole, bytes, read } = await answers(client, script);
    expect(whole).toMatch(expected[client]);
    expect(bytes).toMatch(expected[client]);
    if (script === 'parallel-tools') expect(read).toMatch(expected[client]);
    if (script === 'empty') expect(read).not.toContain('sandbox of Switchyard');
    else expect(read.length).toBeGreaterThan(50);
  });

  it('gets the beginning of an answer of sandbox/late-error, and then an error', async () => {
    const app = await appForThisTest();
    const model = 'sandbox/late-error';
    const body = wireClients[client].body(model, { text: 'Why?' });
    const stream = await sendTo(app, wireClients[client], model, body, { streaming: true });
    expect(stream.status).toBe(200);
    expect(stream.text).toContain('built');
    expect(stream.text).toContain('asked to fail in the middle of the answer');
    const whole = await sendTo(app, wireClients[client], model, body);
    expect(whole.status).toBe(502);
  });

  it('is told which of its fields the sandbox leaves out', async () => {
    const app = await appForThisTest();
    const { more: told, param } = leftOut[client];
    const body = wireClients[client].body('sandbox', { text: 'Hi' }, { ...told, unheard_of: 1 });
    const { headers, status } = await sendTo(app, wireClients[client], 'sandbox', body);
    expect(status).toBe(200);
    expect(headers.get('x-switchyard-warnings')).toBe(
      `field_dropped;param=${param}, unknown_field_dropped;param=unheard_of`,
    );
  });

  it('is told that nobody looked at its picture', async () => {
    const app = await appForThisTest();
    const image = { mediaType: 'image/png', data: pngData };
    const body = wireClients[client].body('sandbox', { text: 'Hi', image });
    const { headers, status } = await sendTo(app, wireClients[client], 'sandbox', body);
    expect(status).toBe(200);
    expect(headers.get('x-switchyard-warnings')).toContain('content_adapted');
  });
});

// Gemini takes a number as a text too, as the JSON of protocol buffers does.
it.each(['openai-chat', 'openai-responses', 'anthropic'] as const)(
  'a field of %s has the type that its vendor takes, whether it is used or left out',
  async (client) => {
    const app = await appForThisTest();
    const fields = fieldTable(client).rows.filter(({ path, source }) => /^\w+$/.test(path) && !source);
    await checkEvery(
      fields,
      async ({ path, sample }) => {
        const wrong = { [path]: typeof sample === 'number' ? 'seven' : 7 };
        const body = { ...wireClients[client].body('sandbox', { text: 'Hi' }), ...wrong };
        const { status, text } = await sendTo(app, wireClients[client], 'sandbox', body);
        expect(status).toBe(400);
        expect(wireClients[client].message(JSON.parse(text))).toMatch(new RegExp(`^${path}\\b`));
      },
      { idOf: ({ path }) => path },
    );
  },
);
