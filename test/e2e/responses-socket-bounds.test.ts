/**
 * Sockets of clients that are not let in, go too far, or are to go: each gets an error, and no other notices. And those of vendors.
 */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { appForThisTest, noProviders, scopelessKey, type TestAppOptions, testKey } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import {
  countingVendor,
  messageSaying,
  openSocket,
  responseBegun,
  responseEnded,
  type SocketReply,
  socketVendor,
} from '../helpers/responses-socket.ts';
import { keyOfAnotherTenant } from '../helpers/store-accounts.ts';
import { testEvery } from '../helpers/test-every.ts';
import { providerOf, until, vendorFor } from '../helpers/vendor-gateway.ts';
import type { VendorScript } from '../lib/vendor.ts';

async function appWith(script: VendorScript = countingVendor(), more: TestAppOptions = {}) {
  const vendor = await vendorFor(script);
  const app = await appForThisTest({
    models: { providers: [providerOf('responses', vendor.baseUrl)], maxAttempts: 1 },
    sockets: {},
    ...more,
  });
  return { app, vendor };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const hello = { model: 'gpt-4o', input: 'Hello', store: false };
const create = { type: 'response.create', ...hello };

/** A vendor whose answers end when they are let go. */
function holding() {
  const held: { readonly end: () => void; readonly closed: Promise<void> }[] = [];
  const script: VendorScript = (reply) => {
    const id = `resp_${reply.index + 1}`;
    reply.eventStream();
    reply.chunk(responseBegun(id));
    const end = () => {
      reply.chunk(responseEnded(id, []));
      reply.lastChunk();
    };
    held.push({ end, closed: reply.closed });
  };
  return { held, script };
}

it('lets in who may send the request, with the key in any of its places, and refuses all else before 101', async () => {
  const { app } = await appWith(undefined, { sockets: { maxSockets: 3, maxPerKey: 2 } });
  const refusals: [headers: Record<string, string>, path: string, status: number, code: string][] = [
    [{}, '/v1/responses', 401, 'invalid_api_key'],
    [bearer('wrong'), '/v1/responses', 401, 'invalid_api_key'],
    [bearer(scopelessKey), '/v1/responses', 403, 'insufficient_permissions'],
    [{ ...bearer(testKey), origin: 'https://evil.example' }, '/v1/responses', 400, 'host_not_allowed'],
    [bearer(testKey), '/v1/chat/completions', 426, 'websocket_unsupported'],
    [bearer(testKey), '/v1/nothing', 426, 'websocket_unsupported'],
  ];
  for (const [headers, path, status, code] of refusals)
    await expect(openSocket(app, headers, path), `${status} ${code}`).rejects.toMatchObject({
      status,
      error: { code },
    });
  await expect(openSocket(app, {}, '/v1/models')).rejects.toMatchObject({ status: 401 });
  const first = await openSocket(app, { 'x-api-key': testKey, origin: app.url }, '/openai/v1/responses');
  expect(await first.ask(hello)).toMatchObject({ type: 'response.completed' });
  await openSocket(app, {}, `/responses?key=${testKey}`);
  const full = { status: 426, error: { code: 'websocket_unsupported' } };
  await expect(openSocket(app)).rejects.toMatchObject(full);
  const other = await openSocket(app, bearer(await keyOfAnotherTenant(app)));
  await expect(openSocket(app)).rejects.toMatchObject(full);
  other.ws.close();
  first.ws.close();
  await first.closed;
  while (!(await openSocket(app).then(Boolean, () => false)));
});

const handshake = (more: string) =>
  `GET /v1/responses HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${testKey}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${more}\r\n`;

testEvery(
  'answers what is no handshake with 400',
  [
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
    'Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
    'Sec-WebSocket-Version: 13\r\n',
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n',
  ],
  async (lines) => {
    const app = await appForThisTest({ sockets: {} });
    const socket = connect(app.port, '127.0.0.1');
    socket.write(handshake(lines));
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"malformed_request"');
  },
  { idOf: (lines) => JSON.stringify(lines) },
);

it('closes the sockets of a key that is revoked, with what runs on them, and no other', async () => {
  const { held, script } = holding();
  const { app } = await appWith(script);
  const key = await keyOfAnotherTenant(app);
  const socket = await openSocket(app, bearer(key));
  const bystander = await openSocket(app);
  const open = async () =>
    (await (await fetch(`${app.url}/metrics`)).text()).match(/^switchyard_responses_sockets (\d+)$/m)?.[1];
  expect(await open()).toBe('2');
  socket.send(create);
  bystander.send(create);
  await socket.next('response.created');
  await bystander.next('response.created');
  const [kept] = (await app.accounts.storedKeys.list('other')).items;
  await app.accounts.storedKeys.revoke({ tenantId: 'other', id: kept?.id ?? '' }, 'test');
  expect(await socket.next('error')).toMatchObject({ status: 401, error: { code: 'invalid_api_key' } });
  expect(await socket.closed).toEqual([1008, 'The API key is not valid any more.']);
  await expect.poll(open).toBe('1');
  await Promise.race(held.map(({ closed }) => closed));
  await expect(openSocket(app, bearer(key))).rejects.toMatchObject({ status: 401 });
  for (const { end } of held) end();
  expect(await bystander.next('response.completed')).toBeDefined();
});

it('lets what runs finish when the server stops, and takes nothing new', async () => {
  const { held, script } = holding();
  const { app, vendor } = await appWith(script);
  const idle = await openSocket(app);
  const busy = await openSocket(app);
  busy.send(create);
  await busy.next('response.created');
  const drained = app.listener.drain(60_000);
  expect((await idle.closed)[0]).toBe(1001);
  busy.send({ ...create, stream_id: 'late' });
  expect(await busy.next('error')).toMatchObject({ status: 503, stream_id: 'late' });
  held[0]?.end();
  expect(await busy.next('response.completed')).toBeDefined();
  expect((await busy.closed)[0]).toBe(1001);
  await drained;
  expect(vendor.requests.length).toBe(1);
});

it('tells a request that a stopping server cannot finish, and ends', async () => {
  const { script } = holding();
  const { app } = await appWith(script);
  const socket = await openSocket(app);
  socket.send(create);
  await socket.next('response.created');
  await app.listener.drain(0);
  expect(socket.events.at(-1)?.type).toBe('response.failed');
  expect((await socket.closed)[0]).toBe(1001);
});

it('closes a socket that is not used, and one that has been open for an hour', async () => {
  const { app } = await appWith(undefined, { sockets: { idleMs: 30 } });
  const idle = await openSocket(app);
  expect(await idle.closed).toEqual([1000, 'idle']);
  const { held, script } = holding();
  const old = await appWith(script, { sockets: { maxAgeMs: 200 } });
  const limit = { type: 'error', status: 400, error: { code: 'websocket_connection_limit_reached' } };
  const unused = await openSocket(old.app);
  expect(await unused.next('error')).toMatchObject(limit);
  expect((await unused.closed)[0]).toBe(1001);
  const used = await openSocket(old.app);
  used.send(create);
  await used.next('response.created');
  const refused = used.next('error');
  const asking = setInterval(() => used.send({ ...create, stream_id: 'late' }), 20);
  expect(await refused).toMatchObject({ ...limit, stream_id: 'late' });
  clearInterval(asking);
  // Those that were taken before are answered.
  const ending = setInterval(() => {
    for (const { end } of held.splice(0)) end();
  }, 5);
  expect((await used.closed)[0]).toBe(1001);
  clearInterval(ending);
});

it('gives up who answers no ping, as one does that has sent half a frame', async () => {
  const { app } = await appWith(undefined, { sockets: { pingMs: 30 } });
  const lively = await openSocket(app);
  let pings = 0;
  lively.ws.on('ping', () => {
    pings += 1;
  });
  const socket = connect(app.port, '127.0.0.1');
  socket.write(handshake('Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'));
  socket.once('data', () => socket.write(Buffer.from([0x81, 0xfe, 0x01, 0x00, 1, 2, 3, 4, 65])));
  await text(socket).catch(() => '');
  await until(() => pings > 5);
  expect(await lively.ask(hello)).toMatchObject({ type: 'response.completed' });
});

it('closes a socket whose message is too large, is no text, or finds no memory, with the code for it', async () => {
  const { app } = await appWith(undefined, { bufferMemory: 8 * 1024 * 1024 });
  const bystander = await openSocket(app);
  const large = await openSocket(app);
  large.send('a'.repeat(100 * 1024 * 1024));
  expect((await large.closed)[0]).toBe(1009);
  const broken = await openSocket(app);
  broken.ws.send(Buffer.from([0xff, 0xfe]), { binary: false });
  expect((await broken.closed)[0]).toBe(1007);
  const greedy = await openSocket(app);
  greedy.send('a'.repeat(20 * 1024 * 1024));
  expect((await greedy.closed)[0]).toBe(1013);
  expect(greedy.events).toMatchObject([{ status: 503, error: { code: 'server_is_overloaded' } }]);
  // What was taken for them is given back.
  await until(() => app.budget.held === 0);
  expect(await bystander.ask(hello)).toMatchObject({ type: 'response.completed' });
});

it('has the vendor wait for a slow reader, and gives up who reads nothing', async () => {
  let sent = 0;
  let more = () => undefined as undefined | boolean;
  const { app, vendor } = await appWith(
    (reply) => {
      reply.eventStream();
      const piece = `event: x\ndata: ${JSON.stringify({ type: 'x', text: 'a'.repeat(64 * 1024) })}\n\n`;
      more = () => {
        if (reply.socket.destroyed || sent > 200 * 1024 * 1024) return false;
        reply.chunk(piece);
        sent += piece.length;
        return true;
      };
      const pour = () => {
        while (more() && !reply.socket.writableNeedDrain);
        reply.socket.once('drain', pour);
      };
      pour();
    },
    { writeTimeoutMs: 500 },
  );
  const slow = await openSocket(app);
  slow.ws.pause();
  slow.send(create);
  await until(() => vendor.requests.length === 1);
  await until(() => vendor.openSockets === 0);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
  slow.ws.resume();
  expect((await slow.closed)[0]).toBe(1006);
  await until(() => app.running.size === 0);
});

const user = (content: string) => ({ type: 'message', role: 'user', content });

describe("a vendor's own socket", () => {
  async function appBeside(script: (reply: SocketReply) => void, refused?: () => number | null) {
    const vendor = await socketVendor(script, refused);
    const providers = [providerOf('responses', vendor.baseUrl, { responsesSocket: true })];
    const models = { providers, maxAttempts: 1 };
    const app = await appForThisTest({ models, modelsGraceMs: 0, sockets: {} });
    return { app, vendor, models, socket: await openSocket(app) };
  }
  const saying = ({ index, answer }: SocketReply) => answer(messageSaying(`${index + 1}`));
  const body = { model: 'gpt-4o', store: false };
  const whole = [user('a'), messageSaying('1'), user('b')];

  it('takes the requests of one of a client, each with only what is new', async () => {
    const { app, vendor, socket } = await appBeside(saying);
    await socket.ask({ ...body, input: 'a', seed: 7 });
    const second = await socket.ask({ ...body, input: 'b', previous_response_id: 'resp_1' });
    expect(second).toMatchObject({ type: 'response.completed', response: { id: 'resp_2' } });
    await socket.ask({ ...body, input: 'c' });
    expect(socket.events.map(({ type }) => type)).toEqual(
      [1, 2, 3].flatMap(() => ['response.created', 'response.completed']),
    );
    expect(vendor.turns.map(({ socket, json }) => [socket, json])).toEqual([
      [1, { type: 'response.create', ...body, input: 'a', seed: 7 }],
      [1, { type: 'response.create', ...body, input: [user('b')], previous_response_id: 'resp_1' }],
      [1, { type: 'response.create', ...body, input: 'c' }],
    ]);
    expect(vendor.turns[0]?.headers).toMatchObject({ authorization: expect.stringMatching(/^Bearer /) });
    expect(JSON.stringify(vendor.turns)).not.toContain(testKey);
    await app.accounts.admissions.flush();
    const line = app.log.find(({ transport }) => transport === 'websocket');
    const { json } = await ask(`${app.url}/v1/requests/${line?.['request_id']}`);
    expect(json).toMatchObject({ status: 'succeeded', usage: { prompt_tokens: 11, completion_tokens: 5 } });
    // Over HTTP nothing goes on a socket.
    await ask(`${app.url}/v1/responses`, { body: { ...body, input: 'd' } });
    expect(vendor.turns.at(-1)?.socket).toBe(0);
    socket.ws.close();
    await until(() => vendor.sockets.size === 0);
  });

  it('is one for each lane, each with its own conversation', async () => {
    const { vendor, socket } = await appBeside(saying);
    const lanes = ['plan', 'test'];
    for (const stream_id of lanes) await socket.ask({ ...body, input: stream_id, stream_id });
    for (const [n, stream_id] of lanes.entries())
      await socket.ask({ ...body, input: 'b', stream_id, previous_response_id: `resp_${n + 1}` });
    expect(
      vendor.turns.map(({ socket, json }) => [socket, json['previous_response_id'], json['input']]),
    ).toEqual([
      [1, undefined, 'plan'],
      [2, undefined, 'test'],
      [1, 'resp_1', [user('b')]],
      [2, 'resp_2', [user('b')]],
    ]);
    expect(JSON.stringify(vendor.turns)).not.toContain('stream_id');
  });

  it('gets the whole conversation where it lost it, or has been open for too long', async () => {
    const errors = ['previous_response_not_found', 'websocket_connection_limit_reached'];
    const { vendor, socket } = await appBeside((reply) => {
      const code = reply.json['previous_response_id'] && errors.shift();
      if (code) reply.send({ type: 'error', status: 400, error: { type: 'invalid_request_error', code } });
      else saying(reply);
    });
    await socket.ask({ ...body, input: 'a' });
    const { response } = await socket.ask({ ...body, input: 'b', previous_response_id: 'resp_1' });
    expect(response.id).toBe('resp_3');
    const next = await socket.ask({ ...body, input: 'c', previous_response_id: 'resp_3' });
    expect(next).toMatchObject({ type: 'response.completed', response: { id: 'resp_5' } });
    expect(vendor.turns.map(({ socket, json }) => [socket, json['input']])).toEqual([
      [1, 'a'],
      [1, [user('b')]],
      [1, whole],
      [1, [user('c')]],
      [2, [...whole, messageSaying('3'), user('c')]],
    ]);
  });

  it('closes when the configuration is exchanged, after what runs, and the next request gets another', async () => {
    const held: SocketReply[] = [];
    const { app, vendor, models, socket } = await appBeside((reply) => {
      if (reply.index === 1) held.push(reply);
      else saying(reply);
    });
    await socket.ask({ ...body, input: 'a', stream_id: 'idle' });
    socket.send({ type: 'response.create', ...body, input: 'x', stream_id: 'busy' });
    await until(() => held.length === 1);
    app.models.prepare({ ...noProviders, ...models })();
    held[0]?.answer(messageSaying('x'));
    expect(await socket.next('response.completed')).toMatchObject({ stream_id: 'busy' });
    await until(() => vendor.sockets.size === 0);
    const next = { ...body, input: 'b', stream_id: 'idle', previous_response_id: 'resp_1' };
    expect(await socket.ask(next)).toMatchObject({ type: 'response.completed', response: { id: 'resp_3' } });
    expect(vendor.turns.map(({ socket, json }) => [socket, json['input']])).toEqual([
      [1, 'a'],
      [2, 'x'],
      [3, whole],
    ]);
  });

  it.each([
    ['has none', 404, 1],
    ['opens none now', 503, 2],
  ])('is HTTP where it %s', async (_, status, times) => {
    let asked = 0;
    const { vendor, socket } = await appBeside(saying, () => {
      asked += 1;
      return status;
    });
    await socket.ask({ ...body, input: 'a' });
    await socket.ask({ ...body, input: 'b', previous_response_id: 'resp_1' });
    expect(vendor.turns.map(({ socket, json }) => [socket, json['input']])).toEqual([
      [0, 'a'],
      [0, whole],
    ]);
    expect(asked).toBe(times);
  });

  it("says what it refuses as over HTTP, breaks off as there, and ends with its client's requests", async () => {
    const steps: ((reply: SocketReply) => void)[] = [
      ({ send }) =>
        send({
          ...{ type: 'error', status: 429, headers: { 'retry-after': '7' } },
          error: { type: 'requests', code: 'rate_limit_exceeded', message: 'Slow down.' },
        }),
      ({ send, ws }) => {
        send({ type: 'response.created', response: { id: 'resp_2', output: [] } });
        ws.terminate();
      },
      ({ send }) => {
        send({ type: 'response.created', response: { id: 'resp_3', output: [] } });
        send({ type: 'error', error: { type: 'server_error', code: 'server_error', message: 'Broken.' } });
      },
      saying,
      ({ send }) => send({ type: 'response.created', response: { id: 'resp_5', output: [] } }),
    ];
    const { vendor, socket } = await appBeside((reply) => steps.shift()?.(reply));
    const request = { ...body, input: 'a' };
    const refused = await socket.ask(request);
    expect(refused).toMatchObject({ type: 'error', status: 429, headers: { 'retry-after': '7' } });
    await socket.ask(request);
    expect((await socket.next('response.failed')).response.error.message).toMatch(/broke off/);
    expect(await socket.ask(request)).toMatchObject({ type: 'error', error: { message: 'Broken.' } });
    expect(await socket.ask(request)).toMatchObject({ type: 'response.completed' });
    socket.send({ type: 'response.create', ...request });
    await socket.next('response.created');
    socket.ws.terminate();
    await until(() => vendor.sockets.size === 0);
    expect(vendor.turns.map(({ socket }) => socket)).toEqual([1, 1, 2, 2, 2]);
  });
});
