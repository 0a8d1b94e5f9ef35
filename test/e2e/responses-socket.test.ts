/** `/v1/responses` over a WebSocket: requests are those of `POST /v1/responses`, and conversations continue within a connection. */
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { describe, expect, it } from 'vitest';
import { appForThisTest, type TestAppOptions, testKey } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import {
  countingVendor,
  messageSaying,
  openSocket,
  responseBegun,
  responseEnded,
  type SocketEvent,
} from '../helpers/responses-socket.ts';
import { anthropicFixture, responsesFixture } from '../helpers/vendor-fixtures.ts';
import { providerOf, until, vendorFor } from '../helpers/vendor-gateway.ts';
import type { VendorRequest, VendorScript } from '../lib/vendor.ts';

async function appWith(wire: 'responses' | 'anthropic', script: VendorScript, more: TestAppOptions = {}) {
  const vendor = await vendorFor(script);
  const app = await appForThisTest({
    models: { providers: [providerOf(wire, vendor.baseUrl)], maxAttempts: 1 },
    sockets: {},
    ...more,
  });
  return { app, vendor };
}

const inputOf = ({ json }: VendorRequest) => json['input'] as Record<string, unknown>[];
const user = (content: string) => ({ type: 'message', role: 'user', content });
const textsOf = (events: readonly SocketEvent[]) =>
  events.flatMap(({ type, delta }) => (type === 'response.output_text.delta' ? [delta] : [])).join('');

describe('a request over a socket', () => {
  it("is answered to OpenAI's own client as over HTTP, several after one another, and stands in the ledger as these do", async () => {
    const { app } = await appWith('anthropic', ({ events }) => events(anthropicFixture.stream));
    const client = new OpenAI({ apiKey: testKey, baseURL: `${app.url}/v1`, maxRetries: 0 });
    const body = { model: anthropicFixture.model, input: 'Hello', store: false } as const;
    const kinds: string[] = [];
    for await (const { type } of await client.responses.create({ ...body, stream: true })) kinds.push(type);
    const socket = new ResponsesWS(client);
    const events = socket.stream();
    for (const _ of [1, 2]) {
      socket.send({ type: 'response.create', ...body });
      const seen: string[] = [];
      let text = '';
      while (seen.at(-1) !== 'response.completed') {
        const { value } = await events.next();
        if (value?.type === 'error') throw value.error;
        if (value?.type !== 'message') continue;
        seen.push(value.message.type);
        if (value.message.type === 'response.output_text.delta') text += value.message.delta;
      }
      expect(seen).toEqual(kinds);
      expect(text).toBe(anthropicFixture.text);
    }
    socket.close();
    await until(() => app.running.size === 0);
    const lines = app.log.filter(({ msg, operation }) => msg === 'request' && operation === 'createResponse');
    expect(lines.map(({ method, status, transport }) => [method, status, transport])).toEqual([
      ['POST', 200, undefined],
      ['GET', 101, undefined],
      ['POST', 200, 'websocket'],
      ['POST', 200, 'websocket'],
    ]);
    expect(new Set(lines.map(({ key_id }) => key_id)).size).toBe(1);
    const posts = lines.filter(({ status }) => status === 200);
    const ledger = await Promise.all(
      posts.map(async ({ request_id }) => {
        await app.accounts.admissions.flush();
        const { json } = await ask(`${app.url}/v1/requests/${request_id}`);
        const { request_id: _, created_at: _c, settled_at: _s, timings: _t, attempts: _a, ...rest } = json;
        return rest;
      }),
    );
    expect(ledger[0]).toMatchObject({ operation: 'createResponse', status: 'succeeded' });
    for (const row of ledger) expect(row).toEqual(ledger[0]);
  });

  it('meets the limits of its key, and is told when to ask again', async () => {
    const { app } = await appWith('responses', countingVendor(), { limits: { requestsPerMinute: 1 } });
    const socket = await openSocket(app);
    expect(await socket.ask({ model: 'gpt-4o', input: 'a' })).toMatchObject({ type: 'response.completed' });
    const refused = await socket.ask({ model: 'gpt-4o', input: 'b', stream_id: 'main' });
    expect(refused).toMatchObject({
      ...{ type: 'error', status: 429, stream_id: 'main' },
      error: {
        type: 'requests',
        code: 'rate_limit_exceeded',
        message: expect.stringMatching(/try again in \d/i),
      },
      headers: { 'retry-after': expect.stringMatching(/^\d+$/), 'x-ratelimit-remaining-requests': '0' },
    });
    // The key's limits are those of all of its requests.
    const { status } = await ask(`${app.url}/v1/responses`, { body: { model: 'gpt-4o', input: 'c' } });
    expect(status).toBe(429);
  });

  it('tells of a vendor that breaks off, of one that refuses, and of what is wrong, and the next is answered', async () => {
    const { app } = await appWith('responses', (reply) => {
      if (reply.index === 0) {
        reply.eventStream();
        reply.chunk(responsesFixture.firstHalf);
        return reply.end();
      }
      if (reply.index === 1)
        return reply.json(responsesFixture.errorReply('invalid_request_error', 'No.'), 400);
      return countingVendor()(reply);
    });
    const socket = await openSocket(app);
    const body = { model: 'gpt-4o', input: [user('Hello')], store: false };
    await socket.ask(body);
    const broken = await socket.next('response.failed');
    expect(broken.response.error.message).toMatch(/broke/);
    expect(await socket.ask(body)).toMatchObject({ type: 'error', status: 400, error: { message: 'No.' } });
    expect(await socket.ask({ ...body, model: 'unheard-of' })).toMatchObject({
      ...{ type: 'error', status: 404 },
      error: {
        type: 'invalid_request_error',
        code: 'model_not_found',
        request_id: expect.stringMatching(/^req_/),
      },
    });
    expect(await socket.ask({ ...body, model: 7 })).toMatchObject({
      ...{ type: 'error', status: 400 },
      error: { param: 'model' },
    });
    expect(await socket.ask(body)).toMatchObject({ type: 'response.completed' });
  });

  it('is cancelled at the vendor and in the ledger when its client has gone', async () => {
    let cancelled: Promise<void> | null = null;
    const { app } = await appWith('responses', (reply) => {
      cancelled = reply.closed;
      reply.eventStream();
      reply.chunk(responsesFixture.firstHalf);
    });
    const socket = await openSocket(app);
    socket.send({ type: 'response.create', model: 'gpt-4o', input: 'Hello' });
    await socket.next('response.output_text.delta');
    socket.ws.terminate();
    await cancelled;
    await until(() => app.running.size === 0);
    const line = app.log.find(({ transport }) => transport === 'websocket');
    expect(line).toMatchObject({ status: 499 });
    await app.accounts.admissions.flush();
    const { json } = await ask(`${app.url}/v1/requests/${line?.['request_id']}`);
    expect(json.status).toBe('cancelled');
  });
});

describe('a conversation over a socket', () => {
  const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{"n":1.0}' };
  const output = { type: 'function_call_output', call_id: 'call_1', output: 'seen' };
  const thought = (more: object) => ({ type: 'reasoning', id: 'rs_1', summary: [], ...more });

  it('goes on from a response that nobody keeps, with all that was said', async () => {
    const said = (n: number) =>
      n === 1 ? [thought({ encrypted_content: 'abc' }), call] : [messageSaying('Done')];
    const { app, vendor } = await appWith('responses', countingVendor(said));
    const headers = { 'openai-beta': 'responses_websockets=2026-02-06, other=v1', session_id: 'abc' };
    const socket = await openSocket(app, { authorization: `Bearer ${testKey}`, ...headers });
    const body = { model: 'gpt-4o', store: false };
    // Numbers keep their digits on the way.
    const first = `{"type":"response.create","model":"gpt-4o","store":false,"input":"Look","seed":12345678901234567890}`;
    socket.send(first);
    expect((await socket.next('response.completed')).response.id).toBe('resp_1');
    await socket.ask({ ...body, previous_response_id: 'resp_1', input: [output], instructions: 'Be brief.' });
    await socket.ask({ ...body, previous_response_id: 'resp_2', input: 'Thanks' });
    const [one, two, three] = vendor.requests;
    expect(one?.headers).toMatchObject({ ...headers, 'openai-beta': 'other=v1' });
    expect(one?.headers).not.toHaveProperty('sec-websocket-key');
    expect(one?.body).toBe(
      '{"stream":true,"model":"gpt-4o","store":false,"input":"Look","seed":12345678901234567890}',
    );
    const before = [user('Look'), thought({ encrypted_content: 'abc' }), call, output];
    expect(two && inputOf(two)).toEqual(before);
    expect(two?.json).toMatchObject({ instructions: 'Be brief.', stream: true });
    expect(two?.json).not.toHaveProperty('previous_response_id');
    expect(three && inputOf(three)).toEqual([...before, messageSaying('Done'), user('Thanks')]);
  });

  it('leaves out reasoning that only a vendor which keeps it could read', async () => {
    const said = (n: number) => (n === 1 ? [thought({}), call] : [messageSaying('Done')]);
    const { app, vendor } = await appWith('responses', countingVendor(said));
    const socket = await openSocket(app);
    const body = { model: 'gpt-4o', store: false };
    await socket.ask({ ...body, input: 'Look' });
    await socket.ask({ ...body, previous_response_id: 'resp_1', input: [output] });
    const { id: _, ...anonymous } = call;
    expect(inputOf(vendor.requests[1] as VendorRequest)).toEqual([user('Look'), anonymous, output]);
  });

  it('goes on at the vendor that keeps the response, and at any other from what is known here', async () => {
    const { app, vendor } = await appWith('responses', countingVendor());
    const socket = await openSocket(app);
    await socket.ask({ model: 'gpt-4o', input: 'a' });
    await socket.ask({ model: 'gpt-4o', input: 'b', previous_response_id: 'resp_1' });
    expect(vendor.requests[1]?.json).toMatchObject({ previous_response_id: 'resp_1', input: 'b' });
    // Another connection has it from the vendor too.
    const other = await openSocket(app);
    await other.ask({ model: 'gpt-4o', input: 'c', previous_response_id: 'resp_2', store: false });
    expect(vendor.requests[2]?.json).toMatchObject({ previous_response_id: 'resp_2' });

    const translated = await appWith('anthropic', ({ events }) => events(anthropicFixture.stream));
    const socketOfIt = await openSocket(translated.app);
    const body = { model: anthropicFixture.model };
    const { response } = await socketOfIt.ask({ ...body, input: 'Hello' });
    await socketOfIt.ask({ ...body, input: 'And?', previous_response_id: response.id });
    const messages = translated.vendor.requests[1]?.json['messages'] as { role: string }[];
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('is lost with the request that fails, in another lane, and on another connection, in the words that clients know', async () => {
    const { app, vendor } = await appWith('responses', (reply) =>
      reply.index === 1
        ? reply.json(responsesFixture.errorReply('server_error', 'Broken.'), 500)
        : countingVendor()(reply),
    );
    const socket = await openSocket(app);
    const body = { model: 'gpt-4o', store: false };
    await socket.ask({ ...body, input: 'a' });
    const next = { ...body, input: 'b', previous_response_id: 'resp_1' };
    const elsewhere = await openSocket(app);
    const lost = {
      ...{ type: 'error', status: 400 },
      error: {
        ...{
          type: 'invalid_request_error',
          code: 'previous_response_not_found',
          param: 'previous_response_id',
        },
        message: "Previous response with id 'resp_1' not found.",
      },
    };
    expect(await elsewhere.ask(next)).toMatchObject(lost);
    expect(await socket.ask(next)).toMatchObject({ type: 'error', status: 502 });
    expect(await socket.ask(next)).toMatchObject(lost);
    expect(vendor.requests.length).toBe(2);
    // A model of another vendor says the same.
    const translated = await appWith('anthropic', ({ events }) => events(anthropicFixture.stream));
    const other = await openSocket(translated.app);
    expect(await other.ask({ ...next, model: anthropicFixture.model })).toMatchObject({
      error: { code: 'previous_response_not_found' },
    });
  });

  it('begins with what was only prepared, for which no model is asked', async () => {
    const { app, vendor } = await appWith('responses', countingVendor());
    const socket = await openSocket(app);
    const body = { model: 'gpt-4o', store: false, instructions: 'Be brief.' };
    const refused = await socket.ask({ ...body, generate: false, model: 'unheard-of', input: 'a' });
    expect(refused).toMatchObject({ type: 'error', status: 404, error: { code: 'model_not_found' } });
    for (const input of ['a', [], undefined])
      expect(await socket.ask({ ...body, generate: false, input })).toMatchObject({
        type: 'response.completed',
        response: {
          id: expect.stringMatching(/^resp_/),
          status: 'completed',
          output: [],
          instructions: 'Be brief.',
        },
      });
    expect(vendor.requests).toEqual([]);
    const { response } = await socket.ask({ ...body, generate: false, input: 'a' });
    await socket.ask({ ...body, previous_response_id: response.id, input: 'b' });
    expect(inputOf(vendor.requests[0] as VendorRequest)).toEqual([user('a'), user('b')]);
    expect(vendor.requests.length).toBe(1);
  });
});

describe('lanes', () => {
  it('answer at the same time, each in the order of its requests, and say whose an event is', async () => {
    const held: (() => void)[] = [];
    const { app, vendor } = await appWith('responses', (reply) => {
      const id = `resp_${reply.index + 1}`;
      reply.eventStream();
      reply.chunk(responseBegun(id, { store: false }));
      held.push(() => {
        reply.chunk(responseEnded(id, [messageSaying(id)], { store: false }));
        reply.lastChunk();
      });
    });
    const socket = await openSocket(app);
    const create = (stream_id: string, input: string, more: object = {}) =>
      socket.send({ type: 'response.create', model: 'gpt-4o', store: false, stream_id, input, ...more });
    create('plan', 'first');
    create('plan', 'second');
    create('research', 'third');
    await until(() => vendor.requests.length === 2);
    expect(vendor.requests.map(({ json }) => json['input'])).toEqual(['first', 'third']);
    expect(JSON.stringify(vendor.requests.map(({ json }) => json))).not.toContain('stream_id');
    held[1]?.();
    const third = await socket.next('response.completed');
    expect(third).toMatchObject({ stream_id: 'research' });
    // A new lane continues from another one's answer.
    create('critic', 'fourth', { previous_response_id: third.response.id });
    await until(() => vendor.requests.length === 3);
    expect(inputOf(vendor.requests[2] as VendorRequest)[0]).toEqual(user('third'));
    held[0]?.();
    await until(() => vendor.requests.length === 4);
    expect(vendor.requests[3]?.json['input']).toBe('second');
    held[2]?.();
    held[3]?.();
    await until(() => socket.events.filter(({ type }) => type === 'response.completed').length === 4);
    expect(new Set(socket.events.map(({ stream_id }) => stream_id))).toEqual(
      new Set(['plan', 'research', 'critic']),
    );
  });

  it('are 32 at most, of which 16 answer, and so many requests wait as are worth holding', async () => {
    const { app, vendor } = await appWith('responses', (reply) => reply.eventStream());
    const socket = await openSocket(app);
    const create = (stream_id: string) =>
      socket.send({ type: 'response.create', model: 'gpt-4o', input: 'a', stream_id });
    for (let n = 1; n <= 33; n += 1) create(`lane-${n}`);
    expect(await socket.next('error')).toMatchObject({
      ...{ status: 400, stream_id: 'lane-33' },
      error: { code: 'websocket_stream_limit_reached', param: 'stream_id' },
    });
    await until(() => vendor.requests.length === 16);
    for (let n = 0; n < 48; n += 1) create('lane-1');
    create('lane-2');
    expect(await socket.next('error')).toMatchObject({
      ...{ status: 400, stream_id: 'lane-2' },
      error: { code: 'too_many_requests' },
    });
    expect(app.running.size).toBe(16);
    socket.ws.terminate();
    await until(() => app.running.size === 0);
    expect(vendor.requests.length).toBe(16);
  });
});

it('says what is wrong with a message, and answers the next', async () => {
  const { app } = await appWith('responses', countingVendor());
  const socket = await openSocket(app);
  const body = { type: 'response.create', model: 'gpt-4o', input: 'a' };
  const wrong: [
    message: string | Buffer | Record<string, unknown>,
    code: string,
    param: string | null,
    says?: RegExp,
  ][] = [
    ['garbage', 'malformed_json', null],
    ['', 'malformed_json', null],
    ['[]', 'malformed_json', null],
    ['null', 'malformed_json', null],
    ['['.repeat(100_000), 'malformed_json', null],
    [
      Buffer.from('{"type":"response.create"}'),
      'invalid_message',
      null,
      /binary data.* Send it as text: a JSON/,
    ],
    [{}, 'invalid_value', 'type'],
    [{ ...body, type: 'response.cancel' }, 'invalid_value', 'type'],
    [{ ...body, background: true }, 'unsupported_parameter', 'background'],
    [{ ...body, previous_response_id: 7 }, 'invalid_type', 'previous_response_id'],
    [{ ...body, stream_id: '' }, 'invalid_stream_id', 'stream_id'],
    [{ ...body, stream_id: 'a b' }, 'invalid_stream_id', 'stream_id'],
    [{ ...body, stream_id: 'a'.repeat(257) }, 'invalid_stream_id', 'stream_id'],
    [
      `{"type":"response.create","model":"gpt-4o","input":${'['.repeat(1000)}${']'.repeat(1000)}}`,
      'invalid_request',
      null,
    ],
  ];
  for (const [message, code, param, says = /./] of wrong) {
    socket.send(message);
    const event = await socket.next(() => true);
    expect([event.type, event['status'], event['error'].code], String(message).slice(0, 60)).toEqual([
      'error',
      400,
      code,
    ]);
    expect(event['error'].message).toMatch(says);
    if (param !== null) expect(event['error'].param).toBe(param);
  }
  socket.send({ type: 'response.steer', previous_response_id: 'resp_1', input: 'Stop' });
  expect(await socket.next(() => true)).toEqual({
    ...{ type: 'response.steer.failed', sequence_number: 0 },
    steer: { previous_response_id: 'resp_1', input: 'Stop' },
    error: {
      ...{ type: 'invalid_request_error', code: 'steering_not_supported' },
      message: expect.any(String),
    },
  });
  expect(await socket.ask({ model: 'gpt-4o', input: 'a', stream: false })).toMatchObject({
    type: 'response.completed',
  });
  expect(textsOf(socket.events)).toBe('');
});
