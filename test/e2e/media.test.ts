/** Pictures, sound, transcripts and moderations on OpenAI's interface, with its official client. */
import { type OpenAI, toFile } from 'openai';
import { expect, it } from 'vitest';
import { appForThisTest, testKey } from '../helpers/app.ts';
import { wav } from '../helpers/audio.ts';
import {
  clientOf,
  mediaVendor,
  mediaVendorFor,
  pngSignature,
  refusalOf,
  replyJson,
  requestOf,
} from '../helpers/media-vendor.ts';
import { canaryKey, providerOf, until, vendorFor } from '../helpers/vendor-gateway.ts';

async function refusing() {
  const vendor = await vendorFor(({ json }) => json({}));
  const app = await appForThisTest({ models: { providers: [providerOf('anthropic', vendor.baseUrl)] } });
  return { vendor, client: clientOf(app) };
}

it('takes a request for pictures to a vendor as it is and its reply back, and counts what it used', async () => {
  const reply = {
    created: 1,
    data: [{ b64_json: 'A'.repeat(300_000) }],
    usage: {
      input_tokens: 12,
      output_tokens: 4160,
      total_tokens: 4172,
      input_tokens_details: { text_tokens: 12, image_tokens: 0 },
    },
  };
  const { vendor, app, client } = await mediaVendor((_, response) => replyJson(response, reply));
  const { data, response } = await client.images
    .generate({ model: 'eyes', prompt: 'A yard', size: '1024x1024', moderation: 'low' })
    .withResponse();
  expect(data).toMatchObject(reply);
  expect(vendor.requests[0]?.path).toBe('/v1/images/generations');
  expect(JSON.parse(String(vendor.requests[0]?.body))).toEqual({
    model: 'gpt-image-1',
    prompt: 'A yard',
    size: '1024x1024',
    moderation: 'low',
  });
  expect(vendor.requests[0]?.headers.authorization).toBe(`Bearer ${canaryKey}`);
  expect(response.headers.get('x-switchyard-lane')).toBe('native');
  expect(await requestOf(app, response.headers.get('x-request-id'))).toMatchObject({
    status: 'succeeded',
    operation: 'createImage',
    model: 'gpt-image-1',
    usage: { prompt_tokens: 12, completion_tokens: 4160, source: 'provider' },
  });
});

it('passes streamed pictures event by event, and counts what the last one tells', async () => {
  const stream =
    'event: image_generation.partial_image\ndata: {"type":"image_generation.partial_image","b64_json":"AA==","partial_image_index":0}\n\n' +
    'event: image_generation.completed\ndata: {"type":"image_generation.completed","b64_json":"AAAA","usage":{"input_tokens":3,"output_tokens":7,"total_tokens":10}}\n\n';
  const { app, client } = await mediaVendor((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(stream.slice(0, 70));
    response.end(stream.slice(70));
  });
  const { data, response } = await client.images
    .generate({ model: 'gpt-image-1', prompt: 'A yard', stream: true })
    .withResponse();
  const types: string[] = [];
  for await (const event of data) types.push(event.type);
  expect(types).toEqual(['image_generation.partial_image', 'image_generation.completed']);
  expect(await requestOf(app, response.headers.get('x-request-id'))).toMatchObject({
    status: 'succeeded',
    usage: { prompt_tokens: 3, completion_tokens: 7 },
  });
});

it('draws pictures in the sandbox, whole and as events', async () => {
  const client = clientOf(await appForThisTest());
  const { data, response } = await client.images
    .generate({ model: 'sandbox', prompt: 'A yard', size: '256x256', n: 2, output_format: 'webp' })
    .withResponse();
  const pictures = (data.data ?? []).map(({ b64_json }) => Buffer.from(b64_json ?? '', 'base64'));
  expect(pictures.map((png) => png.subarray(0, 8).equals(pngSignature))).toEqual([true, true]);
  expect(pictures[0]?.equals(pictures[1] as Buffer)).toBe(false);
  expect(response.headers.get('x-switchyard-lane')).toBe('translated');
  expect(response.headers.get('x-switchyard-warnings')).toBe('field_dropped;param=output_format');
  const small = { model: 'sandbox', prompt: 'A yard', size: '256x256' } as const;
  const byUrl = await client.images.generate({ ...small, response_format: 'url' });
  expect(byUrl.data?.[0]?.url).toBe(`data:image/png;base64,${pictures[0]?.toString('base64')}`);
  const events = await client.images.generate({ ...small, stream: true });
  const seen = [];
  for await (const event of events) seen.push(event);
  expect(seen).toMatchObject([
    { type: 'image_generation.completed', size: '256x256', b64_json: pictures[0]?.toString('base64') },
  ]);
});

it.each([
  ['pictures', (client: OpenAI) => client.images.generate({ model: 'claude-sonnet-4-6', prompt: 'A yard' })],
  [
    'an edit',
    async (client: OpenAI) =>
      client.images.edit({
        model: 'claude-sonnet-4-6',
        prompt: 'Snow',
        image: await toFile(pngSignature, 'a.png'),
      }),
  ],
  [
    'a transcript',
    async (client: OpenAI) =>
      client.audio.transcriptions.create({
        model: 'claude-sonnet-4-6',
        file: await toFile(wav(16_000), 'a.wav'),
      }),
  ],
  [
    'a translation',
    async (client: OpenAI) =>
      client.audio.translations.create({
        model: 'claude-sonnet-4-6',
        file: await toFile(wav(16_000), 'a.wav'),
      }),
  ],
  [
    'speech',
    (client: OpenAI) =>
      client.audio.speech.create({ model: 'claude-sonnet-4-6', voice: 'alloy', input: 'Hi' }),
  ],
  ['a judgement', (client: OpenAI) => client.moderations.create({ model: 'claude-sonnet-4-6', input: 'Hi' })],
])('says which providers can where the one of the model cannot make %s', async (_, ask) => {
  const { client, vendor } = await refusing();
  const refused = await refusalOf(Promise.resolve(ask(client)));
  expect([refused.status, refused.param]).toEqual([400, 'model']);
  expect(refused.message).toMatch(/"anthropic".+ has no .+OpenAI's interface.+ such as [a-z]+-/);
  expect(vendor.requests).toHaveLength(0);
});

it("asks Gemini where it speaks OpenAI's interface, and refuses where it speaks only its own", async () => {
  const vendor = await mediaVendorFor((_, response) => replyJson(response, { created: 1, data: [] }));
  const app = await appForThisTest({
    models: {
      providers: [
        providerOf('gemini', vendor.baseUrl, { id: 'both', speaks: ['openai-chat', 'gemini'], patterns: [] }),
        providerOf('gemini', vendor.baseUrl, { id: 'own', patterns: [] }),
      ],
    },
  });
  const client = clientOf(app);
  await client.images.generate({ model: 'both/imagen-4', prompt: 'A yard' });
  expect(vendor.requests.map(({ path }) => path)).toEqual(['/v1/images/generations']);
  const refused = await refusalOf(client.images.generate({ model: 'own/imagen-4', prompt: 'A yard' }));
  expect([refused.status, refused.param, vendor.requests.length]).toEqual([400, 'model', 1]);
});

it('frames a picture in the sandbox, and tells where it could not read it', async () => {
  const client = clientOf(await appForThisTest());
  const drawn = await client.images.generate({ model: 'sandbox', prompt: 'A yard', size: '128x128' });
  const png = Buffer.from(drawn.data?.[0]?.b64_json ?? '', 'base64');
  const framed = await client.images
    .edit({ model: 'sandbox', image: await toFile(png, 'a.png'), prompt: 'Snow' })
    .withResponse();
  expect(framed.response.headers.get('x-switchyard-warnings')).toBeNull();
  expect(
    Buffer.from(framed.data.data?.[0]?.b64_json ?? '', 'base64')
      .subarray(0, 8)
      .equals(pngSignature),
  ).toBe(true);
  const unread = await client.images
    .edit({
      model: 'sandbox',
      image: await toFile(Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'a.jpg'),
      prompt: 'Snow',
    })
    .withResponse();
  expect(unread.response.headers.get('x-switchyard-warnings')).toBe('content_adapted;param=image');
  const oversized = Buffer.concat([pngSignature, Buffer.alloc(9 * 1024 * 1024)]);
  for (const [bytes, message] of [
    [Buffer.from('text'), ''],
    [oversized, '8388608'],
  ] as const) {
    const image = await toFile(bytes, 'a.png');
    const refused = await refusalOf(client.images.edit({ model: 'sandbox', image, prompt: 'Snow' }));
    expect([refused.status, refused.param]).toEqual([400, 'image']);
    expect(refused.message).toContain(message);
  }
});

it('says in the sandbox what the recording is, in each form', async () => {
  const app = await appForThisTest();
  const client = clientOf(app);
  const file = await toFile(wav(32_000), 'yard.wav');
  const ask = { file, model: 'sandbox' } as const;
  const plain = await client.audio.transcriptions.create(ask);
  expect(plain.text).toMatch(/no model listened.*"yard\.wav" is a WAV file of 32,044 bytes/);
  expect(await client.audio.transcriptions.create({ ...ask, response_format: 'text' })).toContain('WAV');
  expect(await client.audio.transcriptions.create({ ...ask, response_format: 'srt' })).toMatch(
    /^1\n00:00:00,000 --> /,
  );
  const vtt = await client.audio.transcriptions.create({ ...ask, response_format: 'vtt' });
  expect(vtt).toMatch(/^WEBVTT\n/);
  const verbose = await client.audio.transcriptions.create({
    ...ask,
    response_format: 'verbose_json',
    timestamp_granularities: ['word'],
  });
  expect(verbose).toMatchObject({
    duration: 2,
    words: expect.arrayContaining([{ word: 'This', start: 0, end: expect.any(Number) }]),
  });
  expect(verbose.segments).toBeUndefined();
  const events = await client.audio.transcriptions.create({ ...ask, stream: true });
  let text = '';
  for await (const event of events) if (event.type === 'transcript.text.delta') text += event.delta;
  expect(text).toBe(plain.text);
  const translated = await client.audio.translations.create(ask);
  expect(translated.text).toBe(plain.text);
});

it('streams speech as it comes', async () => {
  let more: (() => void) | null = null;
  const { vendor, app, client } = await mediaVendor((_, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' });
    response.write(Buffer.alloc(1000, 1));
    more = () => response.end(Buffer.alloc(500, 2));
  });
  const speech = await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hello!' });
  expect(speech.headers.get('content-type')).toBe('audio/mpeg');
  const reader = (speech.body as ReadableStream<Uint8Array>).getReader();
  const first = await reader.read();
  expect(first.value?.[0]).toBe(1);
  await until(() => more !== null);
  (more as unknown as () => void)();
  const bytes = [Buffer.from(first.value ?? [])];
  for (let next = await reader.read(); !next.done; next = await reader.read())
    bytes.push(Buffer.from(next.value));
  expect(Buffer.concat(bytes).equals(Buffer.concat([Buffer.alloc(1000, 1), Buffer.alloc(500, 2)]))).toBe(
    true,
  );
  expect(vendor.requests[0]?.path).toBe('/v1/audio/speech');
  expect(await requestOf(app, speech.headers.get('x-request-id'))).toMatchObject({
    status: 'succeeded',
    usage: null,
  });
});

it('cuts the connection where sound breaks off, and writes nothing of its own into it', async () => {
  const { app, client } = await mediaVendor((_, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': '1000' });
    response.write(Buffer.alloc(100, 1), () => setImmediate(() => response.destroy()));
  });
  const speech = await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hello!' });
  const bytes: number[] = [];
  const read = async () => {
    for await (const chunk of speech.body as ReadableStream<Uint8Array>) bytes.push(...chunk);
  };
  await expect(read()).rejects.toThrow();
  expect(bytes.every((byte) => byte === 1)).toBe(true);
  expect(await requestOf(app, speech.headers.get('x-request-id'))).toMatchObject({
    status: 'failed',
    error_code: 'provider_stream_interrupted',
  });
});

it('passes speech as events', async () => {
  const stream =
    'data: {"type":"speech.audio.delta","audio":"AA=="}\n\ndata: {"type":"speech.audio.done","usage":{"input_tokens":14,"output_tokens":101,"total_tokens":115}}\n\n';
  const { app, client } = await mediaVendor((_, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream),
  );
  const speech = await client.audio.speech.create({
    model: 'gpt-4o-mini-tts',
    voice: 'alloy',
    input: 'Hello!',
    stream_format: 'sse',
  });
  expect(await speech.text()).toBe(stream);
  expect(await requestOf(app, speech.headers.get('x-request-id'))).toMatchObject({
    usage: { prompt_tokens: 14, completion_tokens: 101 },
  });
});

it.each([
  ['mp3', 'audio/mpeg', 'fff'],
  ['opus', 'audio/ogg', '4f676753'],
  ['wav', 'audio/wav', '52494646'],
  ['flac', 'audio/flac', '664c6143'],
] as const)('gives tones as %s in the sandbox', async (format, mediaType, head) => {
  const client = clientOf(await appForThisTest());
  const speech = await client.audio.speech.create({
    model: 'sandbox',
    voice: 'alloy',
    input: 'Hello there.',
    response_format: format,
  });
  expect(speech.headers.get('content-type')).toBe(mediaType);
  expect(Buffer.from(await speech.arrayBuffer()).toString('hex')).toMatch(new RegExp(`^${head}`));
});

const picture = (more: object) => (client: OpenAI) =>
  client.images.generate({ model: 'sandbox', prompt: 'A yard', ...more } as never);
const speech = (more: object) => (client: OpenAI) =>
  client.audio.speech.create({ model: 'sandbox', voice: 'alloy', input: 'Hi', ...more } as never);
const transcript = (file: Buffer | string | null, more: object) => async (client: OpenAI) => {
  const sent = file instanceof Buffer ? { file: await toFile(file, 'a.wav') } : file === null ? {} : { file };
  return client.audio.transcriptions.create({ model: 'sandbox', ...sent, ...more } as never);
};

it.each([
  ['a picture that is too small', picture({ size: '32x32' }), 'size'],
  ['a picture of no size', picture({ size: 'wide' }), 'size'],
  ['too many pictures', picture({ n: 11 }), 'n'],
  ['a picture in an unknown form', picture({ response_format: 'gif' }), 'response_format'],
  ['speech of too much', speech({ input: 'x'.repeat(4097) }), 'input'],
  ['speech that is too fast', speech({ speed: 9 }), 'speed'],
  ['speech in an unknown form', speech({ response_format: 'midi' }), 'response_format'],
  ['a transcript of a text', transcript(Buffer.from('Hello, I am text.'), {}), 'file'],
  ['a transcript of an empty file', transcript(Buffer.alloc(0), {}), 'file'],
  ['a transcript of no file', transcript(null, {}), 'file'],
  ['a transcript of what is no file', transcript('a.wav', {}), 'file'],
  ['a transcript by no model', transcript(wav(16_000), { model: undefined }), 'model'],
  [
    'a transcript in an unknown form',
    transcript(wav(16_000), { response_format: 'docx' }),
    'response_format',
  ],
])('names the field that is wrong of %s', async (_, ask, param) => {
  const refused = await refusalOf(Promise.resolve(ask(clientOf(await appForThisTest()))));
  expect([refused.status, refused.type, refused.param]).toEqual([400, 'invalid_request_error', param]);
});

it('judges by a vendor, also where no model is named, and flags in the sandbox only what asks for it', async () => {
  const { vendor, client, app } = await mediaVendor((_, response) =>
    replyJson(response, { id: 'modr-1', model: 'omni-moderation-latest', results: [{ flagged: true }] }),
  );
  const { data, response } = await client.moderations.create({ input: 'Hi' }).withResponse();
  expect(data.results[0]?.flagged).toBe(true);
  expect([vendor.requests[0]?.path, String(vendor.requests[0]?.body)]).toEqual([
    '/v1/moderations',
    expect.stringContaining('"input":"Hi"'),
  ]);
  expect(await requestOf(app, response.headers.get('x-request-id'))).toMatchObject({
    status: 'succeeded',
    usage: null,
  });
  const sandbox = await client.moderations
    .create({ model: 'sandbox', input: ['Hi', 'sandbox:flag:violence'] })
    .withResponse();
  expect(sandbox.data.results.map(({ flagged }) => flagged)).toEqual([false, true]);
  expect(sandbox.response.headers.get('x-switchyard-warnings')).toMatch(/sandbox_made_up/);
  const refused = await refusalOf(
    client.moderations.create({ model: 'sandbox', input: [{ type: 'video' }] as never }),
  );
  expect([refused.status, refused.param]).toEqual([400, 'input[0].type']);
});

it('asks for the scope `media`, which a key for `chat` lacks', async () => {
  const app = await appForThisTest();
  const { text } = await app.accounts.storedKeys.create({ tenantId: 'local', scopes: ['chat'] }, 'test');
  const client = clientOf(app, text);
  const refused = await refusalOf(client.images.generate({ model: 'sandbox', prompt: 'A yard' }));
  expect(refused.status).toBe(403);
  expect(refused.message).toContain('media');
  expect((await client.moderations.create({ model: 'sandbox', input: 'Hi' })).results).toHaveLength(1);
});

it('holds a tenant to its limits', async () => {
  const { client, vendor } = await mediaVendor(
    (_, response) => replyJson(response, { created: 1, data: [] }),
    {
      limits: { requestsPerMinute: 1 },
    },
  );
  await client.images.generate({ model: 'gpt-image-1', prompt: 'A yard' });
  const refused = await refusalOf(client.images.generate({ model: 'gpt-image-1', prompt: 'A yard' }));
  expect(refused.status).toBe(429);
  expect(vendor.requests).toHaveLength(1);
});

it('finds the interface where other clients look for it', async () => {
  const app = await appForThisTest();
  for (const path of ['/moderations', '/v1/v1/moderations', '/openai/v1/moderations']) {
    const reply = await fetch(app.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: '{"model":"sandbox","input":"Hi"}',
    });
    expect([path, reply.status]).toEqual([path, 200]);
  }
});
