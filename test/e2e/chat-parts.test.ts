/** Parts in the conversations of `/v1/chat`: what reaches each vendor, and what is refused where. */
import { describe, expect, it } from 'vitest';
import { appForThisTest, type TestApp } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { wireFixtures } from '../helpers/vendor-fixtures.ts';
import { providerOf, vendorFor } from '../helpers/vendor-gateway.ts';

const png = 'iVBORw0KGgo=';
const text = { type: 'text', text: 'What is this?' };
const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } };
const address = { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } };
const file = { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' } };
const audio = { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } };
const user = (...content: unknown[]) => [{ role: 'user', content }];

const chat = (app: TestApp, model: string, messages: unknown, more: object = {}) =>
  ask(`${app.url}/v1/chat`, { body: { model, messages, ...more } });

/** What vendors get, by their wire; null: a refusal. */
const sent = {
  openai: {
    image: image,
    address: address,
    file: {
      type: 'file',
      file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
    },
    audio: audio,
  },
  anthropic: {
    image: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
    address: { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
    file: {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
      title: 'a.pdf',
    },
    audio: null,
  },
  gemini: {
    image: { inlineData: { mimeType: 'image/png', data: png } },
    address: { fileData: { fileUri: 'https://example.com/a.png' } },
    file: { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
    audio: { inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } },
  },
} as const;

const parts = { image, address, file, audio };

describe.each(Object.values(wireFixtures))('a vendor on the $wire wire', (fixture) => {
  const behind = async () => {
    const vendor = await vendorFor(({ json, events, request }) =>
      /stream/i.test(request.path) || request.json['stream'] === true
        ? events(fixture.stream)
        : json(fixture.reply),
    );
    const app = await appForThisTest({
      models: { providers: [providerOf(fixture.wire, vendor.baseUrl)] },
    });
    return { vendor, app };
  };

  it.each(Object.entries(sent[fixture.wire]))('gets a part: %s', async (name, expected) => {
    const { vendor, app } = await behind();
    const { status, json } = await chat(app, fixture.model, user(text, parts[name as keyof typeof parts]));
    if (expected === null) {
      expect([status, json.error.code, json.error.param]).toEqual([
        400,
        'invalid_request',
        'messages[0].content[1]',
      ]);
      expect(json.error.message).toContain(`takes no ${name}`);
      expect(vendor.requests).toEqual([]);
      return;
    }
    expect([status, json.content]).toEqual([200, fixture.text]);
    const body = vendor.requests[0]?.json as Record<string, { content?: unknown[]; parts?: unknown[] }[]>;
    const [message] = body['messages'] ?? body['contents'] ?? [];
    expect((message?.content ?? message?.parts)?.[1]).toMatchObject(expected);
  });

  it('gets parts in a stream, and text parts as it gets text', async () => {
    const { vendor, app } = await behind();
    const stream = await chat(app, fixture.model, user(text, image), { stream: true });
    expect(stream.text).toContain('event: end');
    await chat(app, fixture.model, user(text));
    await chat(app, fixture.model, [{ role: 'user', content: text.text }]);
    const [, parted, plain] = vendor.requests;
    expect(parted?.body).toBe(plain?.body);
  });
});

it('a part that a provider cannot take is refused with who can', async () => {
  const vendor = await vendorFor(({ json }) => json({}));
  const app = await appForThisTest({
    models: {
      providers: [
        providerOf('anthropic', vendor.baseUrl),
        providerOf('gemini', vendor.baseUrl),
        providerOf('openai', vendor.baseUrl),
      ],
    },
  });
  const conversation = [{ role: 'system', content: 'Listen.' }, ...user(text, image, audio)];
  const { status, json } = await chat(app, 'claude-sonnet-4-6', conversation);
  expect([status, json.error.param]).toEqual([400, 'messages[1].content[2]']);
  expect(json.error.message).toBe(
    'messages[1].content[2]: "claude-sonnet-4-6" of the provider "anthropic" takes no audio; "gemini" and "openai" of this server\'s providers can.',
  );
  expect(json.error.details).toEqual([
    {
      path: 'messages[1].content[2]',
      code: 'unsupported',
      message: expect.stringContaining('takes no audio'),
    },
  ]);
});

it('the sandbox reads the text among parts', async () => {
  const app = await appForThisTest();
  const { status, json } = await chat(app, 'sandbox/echo', user(text, image, audio));
  expect([status, json.content]).toEqual([200, text.text]);
  expect((await chat(app, 'sandbox/echo', user(text))).json.warnings).toEqual([]);
});

const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };
const asked = [
  { role: 'user', content: 'Look' },
  { role: 'assistant', content: null, tool_calls: [call] },
];
const wrong: readonly [unknown, string, string][] = [
  [user(), 'messages[0].content', 'must not be empty'],
  [user({ type: 'video' }), 'messages[0].content[0].type', 'video'],
  [user({ text: 'x' }), 'messages[0].content[0].type', 'is required'],
  [user({ type: 'text', text: '' }), 'messages[0].content[0].text', 'empty'],
  [user({ ...text, x: 1 }), 'messages[0].content[0].x', 'not a known field'],
  [
    user(text, { type: 'image_url', image_url: { url: 'ftp://example.com/a.png' } }),
    'messages[0].content[1].image_url.url',
    'http',
  ],
  [
    user({ type: 'image_url', image_url: { url: 'data:image/png;base64,!!!' } }),
    'messages[0].content[0].image_url.url',
    'base64',
  ],
  [
    user({ type: 'input_audio', input_audio: { data: 'a', format: 'wav' } }),
    'messages[0].content[0].input_audio.data',
    'base64',
  ],
  [
    user({ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'midi' } }),
    'messages[0].content[0].input_audio.format',
    'wav',
  ],
  [
    user({ type: 'file', file: { ...file.file, file_id: 'file-1' } }),
    'messages[0].content[0].file.file_id',
    'not a known field',
  ],
  [
    [{ role: 'system', content: [text, image] }, ...user(text)],
    'messages[0].content[1].type',
    'must be text in a message of the role system',
  ],
  [
    [...asked, { role: 'tool', tool_call_id: 'call_1', content: [audio] }],
    'messages[2].content[0].type',
    'must be text, image_url, file in a message of the role tool',
  ],
];

describe('parts that are wrong', () => {
  it.each(wrong)('%j', async (messages, path, why) => {
    const app = await appForThisTest();
    const { status, json } = await chat(app, 'sandbox/echo', messages);
    expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_request', path]);
    expect(json.error.details[0].path).toBe(path);
    expect(json.error.message).toContain(why);
  });
});

it('the result of a tool may show an image', async () => {
  const fixture = wireFixtures.find(({ wire }) => wire === 'anthropic');
  const vendor = await vendorFor(({ json }) => json(fixture?.reply ?? {}));
  const app = await appForThisTest({ models: { providers: [providerOf('anthropic', vendor.baseUrl)] } });
  const messages = [...asked, { role: 'tool', tool_call_id: 'call_1', content: [text, image] }];
  expect((await chat(app, 'claude-sonnet-4-6', messages)).status).toBe(200);
  expect(vendor.requests[0]?.json['messages']).toMatchObject([
    { role: 'user' },
    { role: 'assistant' },
    {
      role: 'user',
      content: [{ type: 'tool_result', content: [text, { type: 'image', source: { data: png } }] }],
    },
  ]);
});

it('agents and features take text alone', async () => {
  const app = await appForThisTest();
  const run = await ask(`${app.url}/v1/agents/assistant/run`, { body: { input: user(text) } });
  expect([run.status, run.json.error.param]).toEqual([400, 'input[0].content']);
  const feature = await ask(`${app.url}/v1/ai/summarize`, { body: { input: { text: [text] } } });
  expect([feature.status, feature.json.error.param]).toEqual([400, 'input.text']);
});
