/** What the server answers as a server of MCP: prompts and resources, and requests that are wrong or bare. */
import { describe, expect, it } from 'vitest';
import { appForThisTest } from '../../helpers/app.ts';
import {
  anything,
  authorization,
  clientOf,
  post,
  rows,
  withSameNames,
  withServer,
  withSessions,
} from '../../helpers/mcp-client.ts';

it('shows the app of a build to nobody else', async () => {
  const app = await appForThisTest();
  await app.accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
  const { text: key } = await app.accounts.storedKeys.create({ tenantId: 'acme' }, 'test');
  const client = await clientOf(`${app.url}/mcp/switchyard`);
  const built = await client.callTool({ name: 'build_app', arguments: { prompt: 'A list of my books' } });
  const { job_id } = built.structuredContent as { job_id: string };
  const uri = `ui://switchyard/builds/${job_id}`;
  expect((await client.readResource({ uri })).contents.length).toBe(1);
  const other = await clientOf(`${app.url}/mcp`, { key });
  await expect(other.readResource({ uri })).rejects.toThrow('There is no app of this name');
  await expect(other.readResource({ uri: 'mcp://docs/file:///etc/passwd' })).rejects.toThrow('no resource');
});

it('passes prompts and resources of one server on, and at the address of all under names of their own', async () => {
  const { app } = await withSessions((server) => {
    server.registerTool('echo', { inputSchema: anything }, async () => ({ content: [] }));
    server.registerPrompt('greet', { description: 'Greets.' }, () => ({
      messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
    }));
    server.registerResource('notes', 'lab://notes', { mimeType: 'text/plain' }, async (uri) => ({
      contents: [{ uri: uri.href, text: 'Water the plants.' }],
    }));
  });
  const client = await clientOf(`${app.url}/mcp/lab`);
  expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'greet' }]);
  expect((await client.getPrompt({ name: 'greet' })).messages).toMatchObject([
    { content: { text: 'Say hello.' } },
  ]);
  expect((await client.listResources()).resources).toMatchObject([{ uri: 'lab://notes' }]);
  expect((await client.readResource({ uri: 'lab://notes' })).contents).toMatchObject([
    { text: 'Water the plants.' },
  ]);
  await expect(client.readResource({ uri: 'lab://none' })).rejects.toMatchObject({
    code: expect.any(Number),
  });
  const all = await clientOf(`${app.url}/mcp`);
  expect((await all.listPrompts()).prompts).toMatchObject([{ name: 'lab_greet' }]);
  expect((await all.getPrompt({ name: 'lab_greet' })).messages).toMatchObject([
    { content: { text: 'Say hello.' } },
  ]);
  const uri = 'mcp://lab/lab://notes';
  expect((await all.listResources()).resources).toMatchObject([{ uri }]);
  expect((await all.readResource({ uri })).contents).toMatchObject([{ uri, text: 'Water the plants.' }]);
  await expect(all.getPrompt({ name: 'greet' })).rejects.toThrow('There is no prompt');
});

it('has prompts of two servers whose names would be the same, each under one of its own', async () => {
  const { mcpServers } = await withSameNames((server, name) => {
    server.registerPrompt(name, {}, () => ({
      messages: [{ role: 'user', content: { type: 'text', text: `This is ${name}.` } }],
    }));
  });
  const client = await clientOf(`${(await appForThisTest({ agents: { mcpServers } })).url}/mcp`);
  const names = (await client.listPrompts()).prompts.map(({ name }) => name);
  expect(names).toEqual(['a_b_c', expect.stringMatching(/^a_b_c_[0-9a-f]{8}$/)]);
  const said = await Promise.all(names.map((name) => client.getPrompt({ name })));
  expect(said.map(({ messages }) => messages[0]?.content)).toMatchObject([
    { text: 'This is b_c.' },
    { text: 'This is c.' },
  ]);
});

it('passes no prompt and no resource of a server on to a key that may call no tool of it', async () => {
  const nothing = { id: 'none', keys: null, tenants: null, plans: null, tags: {}, allow: [], deny: [] };
  const read: string[] = [];
  const { app } = await withSessions(
    (server) => {
      server.registerTool('echo', { inputSchema: anything }, async () => ({ content: [] }));
      server.registerPrompt('greet', {}, () => ({ messages: [] }));
      server.registerResource('notes', 'lab://notes', {}, async (uri) => {
        read.push(uri.href);
        return { contents: [{ uri: uri.href, text: 'Water the plants.' }] };
      });
    },
    { agents: { mcpAccess: [nothing] } },
  );
  const one = await clientOf(`${app.url}/mcp/lab`);
  await expect(one.readResource({ uri: 'lab://notes' })).rejects.toThrow();
  await expect(one.getPrompt({ name: 'greet' })).rejects.toThrow();
  const all = await clientOf(`${app.url}/mcp`);
  await expect(all.readResource({ uri: 'mcp://lab/lab://notes' })).rejects.toThrow();
  expect((await all.listResources().catch(() => ({ resources: [] }))).resources).toEqual([]);
  expect(read).toEqual([]);
});

describe('a request that is none', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const about = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };

  it('without a key is told where to get one', async () => {
    const app = await appForThisTest();
    const { reply, text } = await post(app, '/mcp', list, { authorization: '' });
    expect(reply.status).toBe(401);
    const challenge = reply.headers.get('www-authenticate') ?? '';
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    expect(JSON.parse(text)).toMatchObject({ error: { data: { code: 'missing_api_key' } } });
    const found = await fetch(metadata);
    expect(await found.json()).toMatchObject({
      resource: `${app.url}/mcp`,
      scopes_supported: ['mcp'],
      bearer_methods_supported: ['header'],
    });
  });

  it('shows what the scopes of its key open, and no more', async () => {
    const app = await appForThisTest();
    await app.accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
    const fields = { tenantId: 'acme', scopes: ['mcp'] };
    const { text: key } = await app.accounts.storedKeys.create(fields, 'test');
    const client = await clientOf(`${app.url}/mcp`, { key });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(['calculator', 'current_time']);
    await expect(client.callTool({ name: 'build_app', arguments: { prompt: 'a list' } })).rejects.toThrow(
      'The tool "build_app" needs the scope "factory", which the API key does not hold.',
    );
  });

  it.each([
    ['of a foreign page', '/mcp', list, { origin: 'http://evil.example' }, 403, 'host_not_allowed'],
    ['for a server that is none', '/mcp/nothing', list, {}, 404, 'not_found'],
    ['of half a body', '/mcp', '{"jsonrpc":', {}, 400, 'malformed_json'],
    ['of several messages', '/mcp', [list], {}, 400, 'invalid_request'],
  ] as const)('%s is refused', async (_, path, body, headers, status, code) => {
    const app = await appForThisTest();
    const { reply, text } = await post(app, path, body, headers);
    expect([reply.status, JSON.parse(text)]).toMatchObject([status, { error: { data: { code } } }]);
  });

  it.each([
    ['tools/call', { name: 'calculator', arguments: 'x' }, 'params.arguments must be an object.'],
    [
      'tools/call',
      { name: 7, arguments: [] },
      'params.name must be a text; params.arguments must be an object.',
    ],
    ['tools/call', undefined, 'params must be an object.'],
    ['tools/list', { cursor: 7 }, 'params.cursor must be a text.'],
    ['resources/read', {}, 'params.uri must be a text.'],
    [
      'initialize',
      { protocolVersion: '2025-11-25', capabilities: {} },
      'params.clientInfo must be an object.',
    ],
  ])('with wrong parameters is told which, in words: %s %j', async (method, params, message) => {
    const app = await appForThisTest();
    const { reply, text } = await post(app, '/mcp', { jsonrpc: '2.0', id: 3, method, params });
    expect([reply.status, JSON.parse(text)]).toEqual([
      200,
      { jsonrpc: '2.0', id: 3, error: { code: -32_602, message } },
    ]);
  });

  it('of an unknown revision is told of all that there are', async () => {
    const app = await appForThisTest();
    const { reply, text } = await post(app, '/mcp', list, { 'mcp-protocol-version': '1999-01-01' });
    expect([reply.status, JSON.parse(text).error.message]).toEqual([
      400,
      expect.stringMatching(/1999-01-01 \(supported versions: 2026-07-28, 2025-11-25, .*2024-10-07\)/),
    ]);
  });

  it('whose headers say another thing than its body is refused, and calls nothing', async () => {
    const { app } = await withServer();
    const params = { name: 'docs_weather_of', arguments: { city: 'Oslo' }, _meta: about };
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
    const right = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'docs_weather_of',
    };
    for (const wrong of [{ 'mcp-method': 'tools/list' }, { 'mcp-name': 'calculator' }, { 'mcp-name': '' }]) {
      const { reply, text } = await post(app, '/mcp', call, { ...right, ...wrong });
      expect([reply.status, JSON.parse(text)]).toMatchObject([400, { error: { code: -32_020 } }]);
    }
    expect(await rows(app)).toEqual([]);
    expect((await post(app, '/mcp', call, right)).text).toContain('Rain in Oslo');
  });

  it('is answered in JSON where its client says nothing of streams', async () => {
    const app = await appForThisTest();
    const params = { name: 'calculator', arguments: { expression: '6*7' } };
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
    const plain = await post(app, '/mcp', call);
    expect(plain.reply.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(plain.text)).toMatchObject({ id: 7, result: { content: [{ text: '42' }] } });
    const accept = 'application/json, text/event-stream';
    expect((await post(app, '/mcp', call, { accept })).text).toMatch(/^event: message\ndata: \{/);
    expect((await post(app, '/mcp', list, { accept })).text).toMatch(/^\{/);
  });

  it('to hear of changes is answered at once, and ends with its client', async () => {
    const app = await appForThisTest();
    const method = 'subscriptions/listen';
    const gone = new AbortController();
    const reply = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      signal: gone.signal,
      headers: {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { notifications: { toolsListChanged: true }, _meta: about },
      }),
    });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/event-stream/),
    ]);
    const first = await reply.body?.getReader().read();
    expect(String(Buffer.from(first?.value ?? []))).toContain('subscriptions');
    gone.abort();
    await expect.poll(() => app.running.size).toBe(0);
  });

  it('for a tool with a long name is not logged whole', async () => {
    const app = await appForThisTest();
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x'.repeat(100_000) } };
    const { text } = await post(app, '/mcp', call);
    expect(text).toContain('There is no tool');
    expect(text.length + JSON.stringify(app.log).length).toBeLessThan(20_000);
  });

  it('of this machine is taken, whatever its page', async () => {
    const app = await appForThisTest();
    const { reply } = await post(app, '/mcp', list, { origin: 'http://localhost:6274' });
    expect(reply.status).toBe(200);
  });

  it('is answered with nothing where it is a notification, and is no GET', async () => {
    const app = await appForThisTest();
    const { reply, text } = await post(app, '/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([reply.status, text, reply.headers.get('content-type')]).toEqual([202, '', null]);
    expect((await fetch(`${app.url}/mcp`, { headers: { authorization } })).status).toBe(405);
  });
});
