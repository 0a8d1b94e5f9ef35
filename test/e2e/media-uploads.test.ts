/** What OpenAI's clients upload: forms with pictures and recordings, on their way to a vendor, and forms that are wrong. */
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { toFile } from 'openai';
import { expect, it } from 'vitest';
import { appForThisTest, type TestApp, testKey } from '../helpers/app.ts';
import { wav } from '../helpers/audio.ts';
import {
  contentOf,
  mediaVendor,
  pngSignature,
  refusalOf,
  replyJson,
  requestOf,
} from '../helpers/media-vendor.ts';
import { canaryKey, until } from '../helpers/vendor-gateway.ts';

it('takes a form to a vendor with every part, in order and byte by byte, but for the name of the model', async () => {
  const { vendor, app, client } = await mediaVendor((_, response) =>
    replyJson(response, {
      created: 1,
      data: [{ b64_json: 'AA==' }],
      usage: {
        input_tokens: 30,
        output_tokens: 9,
        total_tokens: 39,
        input_tokens_details: { image_tokens: 20, text_tokens: 10 },
      },
    }),
  );
  const first = Buffer.concat([pngSignature, Buffer.from('\r\n--boundary\r\n\0\xff', 'latin1')]);
  const second = Buffer.from('RIFF0000WEBP');
  const { data, response } = await client.images
    .edit({
      image: [await toFile(first, 'Größe "1".png', { type: 'image/png' }), await toFile(second, 'b.webp')],
      prompt: 'Schnee, bitte: ❄',
      model: 'eyes',
      quality: 'high',
    })
    .withResponse();
  expect(data.data).toEqual([{ b64_json: 'AA==' }]);
  const request = vendor.requests[0];
  const form = [...((await request?.form()) ?? new FormData()).entries()];
  // The client puts its files last.
  expect(form.map(([name]) => name)).toEqual(['prompt', 'model', 'quality', 'image[]', 'image[]']);
  const [one, two] = form.slice(3).map(([, value]) => value as File);
  expect([one?.name, one?.type, (await contentOf(one)).equals(first)]).toEqual([
    'Größe "1".png',
    'image/png',
    true,
  ]);
  expect([two?.name, (await contentOf(two)).equals(second)]).toEqual(['b.webp', true]);
  expect(form.slice(0, 3).map(([, value]) => value)).toEqual(['Schnee, bitte: ❄', 'gpt-image-1', 'high']);
  expect(request?.headers['content-length']).toBe(String(request?.body.length));
  expect(await requestOf(app, response.headers.get('x-request-id'))).toMatchObject({
    usage: { prompt_tokens: 30, completion_tokens: 9 },
  });
});

it.each([
  ['in memory', 1000],
  ['on the disk', 2 * 1024 * 1024],
])('finds the model behind a file that lies %s, and leaves the order of the parts', async (_, length) => {
  const { vendor, app } = await mediaVendor((_, response) => replyJson(response, { text: 'Hello!' }));
  const form = new FormData();
  const bytes = Buffer.alloc(length, '\r\n--');
  form.append('language', 'de');
  form.append('file', new Blob([bytes], { type: 'audio/wav' }), 'a.wav');
  form.append('timestamp_granularities[]', 'word');
  form.append('timestamp_granularities[]', 'segment');
  form.append('model', 'ears');
  form.append('unheard_of', '');
  const reply = await fetch(`${app.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}` },
    body: form,
  });
  expect(reply.status).toBe(200);
  const sent = [...((await vendor.requests[0]?.form()) ?? new FormData()).entries()];
  expect(sent.map(([name, value]) => [name, typeof value === 'string' ? value : value.name])).toEqual([
    ['language', 'de'],
    ['file', 'a.wav'],
    ['timestamp_granularities[]', 'word'],
    ['timestamp_granularities[]', 'segment'],
    ['model', 'gpt-4o-transcribe'],
    ['unheard_of', ''],
  ]);
  expect((await contentOf(sent[1]?.[1])).equals(bytes)).toBe(true);
});

it('names the model in a form that has none, and sends a form again where a vendor fails', async () => {
  const { vendor, client } = await mediaVendor(
    (_, response, index) =>
      index === 0
        ? replyJson(response, { error: { message: 'Oops', type: 'server_error' } }, 500)
        : replyJson(response, { created: 1, data: [] }),
    {},
    2,
  );
  const large = Buffer.concat([pngSignature, Buffer.alloc(3 * 1024 * 1024, 'x')]);
  await client.images.edit({ image: await toFile(large, 'a.png'), prompt: 'Snow' });
  expect(vendor.requests).toHaveLength(2);
  const forms = await Promise.all(vendor.requests.map((request) => request.form()));
  for (const form of forms) {
    expect(form.get('model')).toBe('gpt-image-1');
    expect(Buffer.from(await (form.get('image') as File).arrayBuffer()).equals(large)).toBe(true);
  }
});

it.each([
  [
    'json',
    'application/json',
    '{"text":"Hello!","usage":{"type":"tokens","input_tokens":14,"output_tokens":2,"total_tokens":16}}',
  ],
  ['text', 'text/plain; charset=utf-8', 'Hello!\n'],
  ['srt', 'text/plain; charset=utf-8', '1\n00:00:00,000 --> 00:00:01,000\nHello!\n\n'],
  [
    'verbose_json',
    'application/json',
    '{"task":"transcribe","language":"english","duration":1,"text":"Hello!","usage":{"type":"duration","seconds":1}}',
  ],
] as const)(
  'takes a recording to a vendor and its transcript back as %s',
  async (format, mediaType, reply) => {
    const { vendor, app, client } = await mediaVendor((_, response) =>
      response.writeHead(200, { 'content-type': mediaType }).end(reply),
    );
    const sound = wav(48_000);
    const { data, response } = await client.audio.transcriptions
      .create({ file: await toFile(sound, 'yard.wav'), model: 'ears', response_format: format as 'json' })
      .withResponse();
    expect(typeof data === 'string' ? data : JSON.stringify(data)).toBe(reply);
    const form = await vendor.requests[0]?.form();
    expect([form?.get('model'), form?.get('response_format')]).toEqual(['gpt-4o-transcribe', format]);
    expect((await contentOf(form?.get('file'))).equals(sound)).toBe(true);
    const kept = await requestOf(app, response.headers.get('x-request-id'));
    expect(kept).toMatchObject({ status: 'succeeded', operation: 'createTranscription' });
    expect((kept['usage'] as { prompt_tokens: number } | null)?.prompt_tokens ?? null).toBe(
      format === 'json' ? 14 : null,
    );
  },
);

it('passes a streamed transcript', async () => {
  const { client, app } = await mediaVendor((_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(
        'data: {"type":"transcript.text.delta","delta":"Hello!"}\n\ndata: {"type":"transcript.text.done","text":"Hello!","usage":{"type":"tokens","input_tokens":14,"output_tokens":2,"total_tokens":16}}\n\n',
      ),
  );
  const { data, response } = await client.audio.transcriptions
    .create({ file: await toFile(wav(16_000), 'a.wav'), model: 'ears', stream: true })
    .withResponse();
  const types: string[] = [];
  for await (const event of data) types.push(event.type);
  expect(types).toEqual(['transcript.text.delta', 'transcript.text.done']);
  expect(await requestOf(app, response.headers.get('x-request-id'))).toMatchObject({
    usage: { prompt_tokens: 14, completion_tokens: 2 },
  });
});

it('hands on what a vendor says against a form, without any key', async () => {
  const { client } = await mediaVendor((_, response) =>
    replyJson(
      response,
      {
        error: {
          message: `Invalid file format, ${canaryKey}`,
          type: 'invalid_request_error',
          param: 'file',
          code: null,
        },
      },
      400,
    ),
  );
  const refused = await refusalOf(
    client.audio.transcriptions.create({ file: await toFile(wav(16_000), 'a.wav'), model: 'ears' }),
  );
  expect([refused.status, refused.param]).toEqual([400, 'file']);
  expect(refused.message).toContain('Invalid file format');
  expect(refused.message).not.toContain(canaryKey);
});

async function postForm(app: TestApp, body: string | Buffer, boundary: string | null = 'b') {
  const type = boundary === null ? 'multipart/form-data' : `multipart/form-data; boundary=${boundary}`;
  const reply = await fetch(`${app.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': type },
    body: body as never,
  });
  return {
    status: reply.status,
    error: ((await reply.json()) as { error: { code: string; message: string } }).error,
  };
}

const filePart = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';

it.each([
  ['without a boundary', 'x', null],
  ['that breaks off', `${filePart}abc`, 'b'],
  ['that is none', '{"model":"sandbox"}', 'b'],
  ['with a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n', 'b'],
])('refuses a form %s', async (_, body, boundary) => {
  const { status, error } = await postForm(await appForThisTest(), body, boundary);
  expect([status, error.code]).toEqual([400, 'malformed_request']);
  expect(error.message).toContain('multipart/form-data');
});

it('refuses a form that is too large, and one that is no form', async () => {
  const app = await appForThisTest({ maxUpload: 1024 * 1024 });
  const { status, error } = await postForm(
    app,
    Buffer.concat([Buffer.from(filePart), Buffer.alloc(1024 * 1024)]),
  );
  expect([status, error.code]).toEqual([413, 'payload_too_large']);
  expect(error.message).toContain('1048576');
  const reply = await fetch(`${app.url}/v1/images/edits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(reply.status).toBe(415);
  expect(await reply.text()).toContain('multipart/form-data');
});

it('leaves nothing of a form behind, whether it ends well or its client goes away in the middle', async () => {
  const { app, client } = await mediaVendor((_, response) => replyJson(response, { text: 'Hello!' }));
  const directory = join(app.dataDir, 'uploads');
  await client.audio.transcriptions.create({
    file: await toFile(Buffer.concat([wav(16_000), Buffer.alloc(4 * 1024 * 1024)]), 'a.wav'),
    model: 'ears',
  });
  expect(await readdir(directory)).toEqual([]);
  const socket = connect(app.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /v1/audio/transcriptions HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\nAuthorization: Bearer ${testKey}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000000\r\n\r\n${filePart}`,
  );
  socket.write(Buffer.alloc(3 * 1024 * 1024));
  await until(() => app.running.size > 0);
  socket.destroy();
  await until(() => app.running.size === 0);
  expect(await readdir(directory)).toEqual([]);
  expect(app.budget.held).toBe(0);
});
