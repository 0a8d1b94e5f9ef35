/** Servers that keep to nothing: each is a clear error for who calls it, and nobody else notices. */
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { mcpSource } from '../../../src/services/agents/tools/mcp.ts';
import { appForThisTest, startApp, type TestApp, testKey } from '../../helpers/app.ts';
import { settings as anySettings, forThisTest } from '../../helpers/mcp-client.ts';
import { serve, startMcpServer } from '../../helpers/mcp-server.ts';

type Tool = Readonly<Record<string, unknown>> & { readonly name: string };
interface Rpc {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly cursor?: string; readonly name?: string };
}

const object = { type: 'object' };
const fine = { content: [{ type: 'text', text: 'fine' }] };
const answer = (id: unknown, result: unknown = fine) => ({ jsonrpc: '2.0', id, result });
const events = (...messages: unknown[]) =>
  new Response(messages.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
/** As servers and proxies do that compress whatever they send. */
const compressed = (coding: string, bytes: Uint8Array, type = 'application/json') =>
  new Response(new Uint8Array(bytes), { headers: { 'content-type': type, 'content-encoding': coding } });
/** 20 MB of nothing. */
const bomb = gzipSync(Buffer.alloc(20_000_000, ' '), { level: 1 });
const inJson = (value: unknown) => Buffer.from(JSON.stringify(value));
/** A stream that breaks off after what it has said, and goes on where it is asked for again. */
const breaking = (said: string) => {
  let begun = false;
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (begun) return controller.error(new Error('It breaks off.'));
        begun = true;
        controller.enqueue(Buffer.from(said));
      },
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  );
};
const numbers = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

/** How a tool answers, and what its caller reads. */
const calls: Record<
  string,
  readonly [given: (id: number) => Response | Promise<Response>, told: string, tool?: object]
> = {
  'with another id': [(id) => Response.json(answer(id + 1)), 'failed: It sent no answer to the call.'],
  'with another id in a stream': [(id) => events(answer(id + 1)), 'failed: It ended without an answer.'],
  'with nothing': [() => new Response(null, { status: 202 }), 'failed: It ended without an answer.'],
  twice: [(id) => events(answer(id), answer(id, { content: [] })), 'fine'],
  'after what it wants of its client': [
    (id) => events({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {} }, answer(id)),
    'fine',
  ],
  'too late': [
    () => pause(60_000, Response.json({}), { ref: false }),
    'failed: There was no answer within 2 seconds.',
  ],
  'too much': [
    (id) => Response.json(answer(id, { content: [], x: 'x'.repeat(5_000_000) })),
    'larger than 4 MiB',
  ],
  'too much in a stream': [
    (id) => events(answer(id, { content: [], x: 'x'.repeat(5_000_000) })),
    'larger than 4 MiB',
  ],
  'too deep': [
    (id) =>
      new Response(`{"id":${id},"result":${'['.repeat(9000)}${']'.repeat(9000)}}`, {
        headers: { 'content-type': 'application/json' },
      }),
    'failed: It sent no answer to the call.',
  ],
  'with a page': [
    () => new Response('<h1>Oh no</h1>', { status: 502 }),
    'failed: HTTP status 502: <h1>Oh no</h1>',
  ],
  'with what is no content': [
    (id) => Response.json(answer(id, { content: 'fine' })),
    '`content` is no list of blocks',
  ],
  'with neither result nor error': [
    (id) => Response.json({ jsonrpc: '2.0', id, error: 'no' }),
    'failed: It answered the call with no result.',
  ],
  'in gzip': [(id) => compressed('gzip', gzipSync(inJson(answer(id)))), 'fine'],
  'in deflate': [(id) => compressed('Deflate', deflateSync(inJson(answer(id)))), 'fine'],
  'in a stream in gzip': [
    (id) => compressed('x-gzip', gzipSync(`data: ${JSON.stringify(answer(id))}\n\n`), 'text/event-stream'),
    'fine',
  ],
  'in Brotli': [
    (id) => compressed('br', brotliCompressSync(inJson(answer(id)))),
    'failed: It answered in the coding "br", which it was not asked for.',
  ],
  'in gzip that is none': [
    (id) => compressed('gzip', inJson(answer(id))),
    'failed: It sent what cannot be decompressed.',
  ],
  'in half of gzip': [
    (id) => compressed('gzip', gzipSync(inJson(answer(id))).subarray(0, 30)),
    'failed: It sent what cannot be decompressed.',
  ],
  'in gzip, too much': [() => compressed('gzip', bomb), 'larger than 4 MiB'],
  'in a stream that breaks off, and goes on in another': [
    (id) => breaking(`id: ${id} goes on\nretry: 1\ndata:\n\n`),
    'fine',
  ],
  'in a stream that breaks off, and never goes on': [
    () => breaking('id: is-over\nretry: 1\ndata:\n\n'),
    'failed: It ended without an answer.',
  ],
  'in a stream that breaks off without an id': [() => breaking('retry: 1\ndata:\n\n'), 'failed: '],
  'with a question': [
    (id) => Response.json(answer(id, { resultType: 'input_required' })),
    'of the kind "input_required", which is not passed on',
  ],
  'otherwise than its schema says': [
    (id) => Response.json(answer(id, { content: [], structuredContent: { n: 'no' } })),
    'for its results: structuredContent.n must be number.',
    { outputSchema: numbers },
  ],
  'without what its schema says': [
    (id) => Response.json(answer(id)),
    'failed: The result does not fit the schema',
    { outputSchema: numbers },
  ],
  'by a schema that is none': [
    (id) => Response.json(answer(id)),
    "failed: The schema of the tool's results is none",
    { outputSchema: { type: 'object', properties: { n: { type: 'banana' } } } },
  ],
  'by a pattern that never ends': [
    (id) => Response.json(answer(id, { ...fine, structuredContent: { s: `${'a'.repeat(60)}!` } })),
    'fine',
    { outputSchema: { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } } },
  ],
};

/** Breaks off again, is away for a moment, and has the answer in the end. */
function goingOn() {
  let away = true;
  return ([id = '', ...words]: readonly string[]): Response => {
    if (words.join(' ') === 'goes on') return breaking(`id: ${id} at last\ndata:\n\n`);
    if (words.join(' ') !== 'at last') return new Response(null, { status: 405 });
    if (!away) return events(answer(Number(id)));
    away = false;
    return new Response(null, { status: 503 });
  };
}

/** A server of 2025-11-25 that does as it likes. */
async function rawServer(
  list: (cursor: string | undefined) => object | Promise<object>,
  call: (name: string, id: number) => Response | Promise<Response>,
  initialize: () => Promise<void> | void = () => undefined,
) {
  const seen: string[] = [];
  const goesOn = goingOn();
  const http = await serve(async (request) => {
    const lastEventId = request.headers.get('last-event-id');
    if (lastEventId !== null) return goesOn(lastEventId.split(' '));
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    const { id, method, params = {} } = (await request.json()) as Rpc;
    seen.push(method ?? 'an answer');
    if (id === undefined || method === undefined) return new Response(null, { status: 202 });
    const about = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'raw', version: '1' },
    };
    if (method === 'initialize') await initialize();
    if (method === 'initialize') return Response.json(answer(id, about));
    if (method === 'tools/list') return Response.json(answer(id, await list(params.cursor)));
    if (method === 'tools/call') return call(params.name ?? '', id);
    return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
  });
  return { ...http, seen };
}

const settings = (id: string, url: string) => ({ ...anySettings(id, url), timeoutMs: 2000 });

describe('a server that answers a call', () => {
  let app: TestApp;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const tools = Object.entries(calls).map(([name, [, , tool]]) => ({ name, inputSchema: object, ...tool }));
    const raw = await rawServer(
      () => ({ tools: [...tools, { name: 'good', inputSchema: object }] }),
      (name, id) => (calls[name]?.[0] ?? ((same) => Response.json(answer(same))))(id),
    );
    const docs = await startMcpServer();
    app = await startApp({ agents: { mcpServers: [settings('raw', raw.url), settings('docs', docs.url)] } });
    closing.push(
      () => app.close(),
      () => raw.close(),
      () => docs.close(),
    );
    await rpc(app, 'docs', 'tools/list', {});
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  it.each(Object.entries(calls))('%s', async (name, [, told]) => {
    // The one before may have cost the connection.
    await rpc(app, 'raw', 'tools/list', {});
    const call = rpc(app, 'raw', 'tools/call', { name, arguments: {} });
    const [neighbour, same] = await Promise.all([
      rpc(app, 'docs', 'tools/call', { name: 'weather.of', arguments: { city: 'Oslo' } }),
      rpc(app, 'raw', 'tools/call', { name: 'good', arguments: {} }),
    ]);
    expect(JSON.stringify(neighbour)).toContain('Rain in Oslo');
    expect(same).toMatchObject({ id: 7, result: fine });
    const { id, result } = (await call) as {
      id: number;
      result: { isError?: true; content: [{ text: string }] };
    };
    expect([id, result.isError ?? false]).toEqual([7, told !== 'fine']);
    expect(result.content[0].text).toContain(told);
    expect(app.running.size).toBe(0);
  });
});

/** @param server none: at the address of all */
async function rpc(app: TestApp, server: string, method: string, params: object = {}): Promise<unknown> {
  const reply = await fetch(`${app.url}/mcp${server && `/${server}`}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
  });
  return reply.json();
}

it.each([
  ['callTool', 'callTool', 'in JSON', Response.json],
  ['callTool', 'callTool', 'in a stream', events],
  ['callTool', 'passTool', 'in a stream', events],
  ['passTool', 'callTool', 'in a stream', events],
] as const)(
  'the answer to one %s and its progress, on the reply to another %s %s, reach neither',
  async (waits, takes, _, reply) => {
    const asked = Promise.withResolvers<number>();
    const released = Promise.withResolvers<void>();
    const raw = await rawServer(
      () => ({ tools: [] }),
      async (name, id) => {
        if (name === 'takes') {
          const of = await asked.promise;
          const params = { progressToken: of, progress: 1 };
          const progress = { jsonrpc: '2.0', method: 'notifications/progress', params };
          const stolen = answer(of, { content: [] });
          return reply === events ? events(progress, stolen) : reply(stolen);
        }
        asked.resolve(id);
        await released.promise;
        return Response.json(answer(id));
      },
    );
    onTestFinished(() => raw.close());
    const source = mcpSource({ ...settings('raw', raw.url), timeoutMs: 5000 }, () => undefined);
    onTestFinished(() => source.close());
    await source.refresh();
    const { signal } = new AbortController();
    const heard: unknown[] = [];
    const onprogress = (progress: unknown) => heard.push(progress);
    const call = (by: 'callTool' | 'passTool', name: string) =>
      by === 'callTool'
        ? source.callTool(name, {}, { signal, onprogress })
        : source.passTool({ name, inputSchema: { type: 'object' } }, Buffer.from('{}'), { signal });
    const waiting = call(waits, 'waits');
    await expect(call(takes, 'takes')).rejects.toThrow(/the id of another request|ended without an answer/);
    released.resolve();
    expect(await waiting).toMatchObject(waits === 'callTool' ? fine : { result: fine });
    expect(heard).toEqual([]);
  },
);

const namesIn = async (app: TestApp) => {
  const { result } = (await rpc(app, '', 'tools/list')) as { result: { tools: { name: string }[] } };
  return result.tools.map(({ name }) => name);
};

it.each([{}, { progressToken: 1 }])(
  'a server that is there no more is told of without its address, with %j',
  async (_meta) => {
    const raw = await rawServer(
      () => ({ tools: [one] }),
      (_name, id) => Response.json(answer(id)),
    );
    const mcpServers = [settings('raw', raw.url)];
    const app = await appForThisTest({ errorsExpected: true, agents: { mcpServers } });
    await rpc(app, 'raw', 'tools/list');
    await raw.close();
    const call = { name: 'one', arguments: {}, _meta };
    expect(await rpc(app, 'raw', 'tools/call', call)).toMatchObject({
      result: { isError: true, content: [{ text: 'The server "raw" cannot be reached at the moment.' }] },
    });
  },
);

it('a server that never gives its lists keeps nobody waiting who asks for others', async () => {
  const held = Promise.withResolvers<object>();
  const raw = await rawServer(
    () => held.promise,
    (_name, id) => Response.json(answer(id)),
  );
  onTestFinished(() => raw.close());
  const docs = await forThisTest(startMcpServer());
  const slow = { ...settings('raw', raw.url), timeoutMs: 600_000 };
  const app = await appForThisTest({ agents: { mcpServers: [slow, settings('docs', docs.url)] } });
  const own = { name: 'calculator', arguments: { expression: '6*7' } };
  expect(await rpc(app, '', 'tools/call', own)).toMatchObject({ result: { content: [{ text: '42' }] } });
  const weather = { name: 'docs_weather_of', arguments: { city: 'Oslo' } };
  expect(JSON.stringify(await rpc(app, '', 'tools/call', weather))).toContain('Rain in Oslo');
  expect(raw.seen).toEqual([]);
  const names = await namesIn(app);
  expect(names).toEqual(expect.arrayContaining(['docs_weather_of', 'calculator']));
  expect(names).not.toContain('raw_one');
  for (const method of ['prompts/list', 'resources/list', 'resources/templates/list'])
    expect(await rpc(app, '', method), method).toHaveProperty('result');
  expect(raw.seen).toContain('tools/list');
  held.resolve({ tools: [one] });
  await expect.poll(() => namesIn(app)).toContain('raw_one');
});

it.each(['tools/list', 'initialize'])(
  'a server that never answers %s does not hold up the end',
  async (held) => {
    const asked = Promise.withResolvers<void>();
    const hangs = () => {
      asked.resolve();
      return new Promise<never>(() => undefined);
    };
    const raw = await rawServer(hangs, hangs, held === 'initialize' ? hangs : undefined);
    onTestFinished(() => raw.close());
    const errors: unknown[] = [];
    const slow = { ...settings('raw', raw.url), timeoutMs: 600_000 };
    const source = mcpSource(slow, (error) => errors.push(error));
    void source.refresh();
    await asked.promise;
    await source.close();
    expect(errors).toEqual([]);
  },
);

const many = Array.from({ length: 1000 }, (_, n) => ({ name: `tool_${n}`, inputSchema: object }));
const long = [128, 129, 5000].map((length) => ({ name: 'n'.repeat(length), inputSchema: object }));
const one = { name: 'one', inputSchema: object };
const unreadable = 'gives a list of tools that cannot be read';
it.each<[string, (cursor: string | undefined) => object, readonly Tool[], RegExp | null, string | null]>([
  ['that begins again', () => ({ tools: [one], nextCursor: 'again' }), [one], null, null],
  [
    'that has no end',
    (cursor = '0') => ({ tools: [{ ...one, name: `tool_${cursor}` }], nextCursor: `${Number(cursor) + 1}` }),
    [],
    /./,
    'gives a list of tools that has no end',
  ],
  ['of 1,000 tools', () => ({ tools: many }), many, /beyond 100 tools/, null],
  ['of long names', () => ({ tools: long }), long, null, null],
  ['with a schema that is none', () => ({ tools: [{ ...one, inputSchema: 5 }] }), [], /./, unreadable],
  ['that is none', () => ({ tools: 'none' }), [], /./, unreadable],
])('a list %s', async (_, list, tools, error, failure) => {
  const raw = await rawServer(list, (_name, id) => Response.json(answer(id)));
  onTestFinished(() => raw.close());
  const errors: unknown[] = [];
  const source = mcpSource({ ...settings('raw', raw.url), timeoutMs: 5000 }, (thrown) => errors.push(thrown));
  onTestFinished(() => source.close());
  await source.refresh();
  expect(source.tools().map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  expect(raw.seen.filter((method) => method === 'tools/list').length).toBeLessThan(100);
  expect(errors.map(String)).toEqual(error ? [expect.stringMatching(error)] : []);
  expect(source.failure).toBe(failure);
  const docs = await forThisTest(startMcpServer());
  const mcpServers = [settings('raw', raw.url), settings('docs', docs.url)];
  const app = await appForThisTest({ errorsExpected: true, agents: { mcpServers } });
  const names = await namesIn(app);
  expect(names.filter((name) => name.startsWith('raw_')).length).toBe(tools.length);
  expect(names).toEqual(expect.arrayContaining(['docs_weather_of', 'calculator']));
});
