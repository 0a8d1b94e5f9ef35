/** The server as a server of MCP, by the official client in both generations of the protocol. */
import { ProtocolError } from '@modelcontextprotocol/server';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { appForThisTest, testAdminPassword, testKey } from '../../helpers/app.ts';
import { ask } from '../../helpers/http.ts';
import {
  anything,
  authorization,
  clientOf,
  forThisTest,
  post,
  rows,
  settings,
  withSameNames,
  withServer,
  withSessions,
} from '../../helpers/mcp-client.ts';
import { serve, startMcpServer } from '../../helpers/mcp-server.ts';

const generations = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', 'auto'],
] as const;

describe.each(generations)('a client of %s', (version, mode) => {
  it('lists the tools of all servers and calls them', async () => {
    const { app, docs } = await withServer();
    const client = await clientOf(`${app.url}/mcp`, { mode });
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'docs_weather_of',
        'calculator',
        'features_summarize',
        'agents_assistant',
        'build_app',
      ]),
    );
    expect(await client.callTool({ name: 'docs_weather_of', arguments: { city: 'Oslo' } })).toMatchObject({
      content: [{ type: 'text', text: 'Rain in Oslo' }],
    });
    expect(await client.callTool({ name: 'calculator', arguments: { expression: '6*7' } })).toMatchObject({
      content: [{ text: expect.stringContaining('42') }],
    });
    // The server gets its own credentials, and never the client's.
    expect(new Set(docs.seen.map((one) => one.authorization))).toEqual(
      new Set(['Bearer secret-of-the-server']),
    );
  });

  it('has the tools of one server under their own names', async () => {
    const { app } = await withServer();
    const client = await clientOf(`${app.url}/mcp/docs`, { mode });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['weather.of', 'fails', 'hangs', 'huge']);
    expect(tools[0]).toMatchObject({ inputSchema: { required: ['city'] } });
    expect(await client.callTool({ name: 'fails', arguments: { city: 'x' } })).toMatchObject({
      content: [{ text: 'no such city' }],
      isError: true,
    });
    const own = await clientOf(`${app.url}/mcp/switchyard`, { mode });
    expect((await own.listTools()).tools.map(({ name }) => name)).not.toContain('docs_weather_of');
  });

  it('hears of progress and of an error of the server', async () => {
    const { app } = await withSessions((server) => {
      server.registerTool('slow', { inputSchema: anything }, async (_, { mcpReq }) => {
        const { progressToken = 0 } = mcpReq._meta ?? {};
        for (const progress of [1, 2])
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 2 },
          });
        return { content: [{ type: 'text', text: 'done' }] };
      });
      server.server.setRequestHandler('tools/list', async () => ({
        tools: [
          { name: 'slow', inputSchema: { type: 'object' } },
          { name: 'refuses', inputSchema: { type: 'object' } },
        ],
      }));
    });
    const client = await clientOf(`${app.url}/mcp`, { mode });
    const heard: unknown[] = [];
    const result = await client.callTool(
      { name: 'lab_slow', arguments: {} },
      { onprogress: (progress) => heard.push(progress.progress) },
    );
    expect([result.content, heard]).toEqual([[{ type: 'text', text: 'done' }], [1, 2]]);
    await expect(client.callTool({ name: 'lab_nothing', arguments: {} })).rejects.toThrow(
      'There is no tool "lab_nothing"',
    );
  });

  it('carries features, agents and builds out, each as its own operation', async () => {
    const { app } = await withServer();
    const client = await clientOf(`${app.url}/mcp`, { mode });
    const summary = await client.callTool({
      name: 'features_detect-language',
      arguments: { text: 'Das ist ein deutscher Satz über das Wetter.' },
    });
    expect(summary).toMatchObject({ structuredContent: { language: 'de' } });
    const told: unknown[] = [];
    const run = await client.callTool(
      { name: 'agents_assistant', arguments: { input: 'Hello' } },
      { onprogress: ({ message }) => told.push(message) },
    );
    expect(told).toContain('Step model is done.');
    expect(run).toMatchObject({ structuredContent: { status: 'succeeded', run_id: expect.any(String) } });
    const build = await client.callTool({
      name: 'build_app',
      arguments: { prompt: 'A list of books that I have read' },
    });
    expect(build).toMatchObject({
      structuredContent: { status: 'succeeded', links: { self: expect.any(String) } },
    });
    const { job_id, links } = build.structuredContent as { job_id: string; links: { artifact: string } };
    const uri = `ui://switchyard/builds/${job_id}`;
    expect(build.content).toContainEqual(expect.objectContaining({ type: 'resource_link', uri }));
    expect(build._meta).toMatchObject({ ui: { resourceUri: uri } });
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, mimeType: 'text/html;profile=mcp-app' }]);
    const page = contents[0] && 'text' in contents[0] ? contents[0].text : '';
    expect(page).toMatch(/^<!doctype html>/i);
    expect(await archived(app.url + new URL(links.artifact).pathname, 'index.html')).toBe(page);
    const revised = await client.callTool({
      name: 'revise_app',
      arguments: { job_id, instruction: 'call it Shelf' },
    });
    expect(revised).toMatchObject({ structuredContent: { status: 'succeeded', title: 'Shelf' } });
    expect(await client.callTool({ name: 'get_build', arguments: { job_id } })).toMatchObject({
      structuredContent: { object: 'factory.job', id: job_id },
    });
    expect((await rows(app)).map(({ operation }) => operation)).toEqual([
      'createFactoryRevision',
      'createFactoryJob',
      'runAssistant',
      'detectLanguage',
    ]);
  });
});

describe('a call', () => {
  it('is one request of the plan and one row of the ledger', async () => {
    const { app } = await withServer();
    const client = await clientOf(`${app.url}/mcp`);
    await client.listTools();
    expect(await rows(app)).toEqual([]);
    await client.callTool({ name: 'docs_weather_of', arguments: { city: 'Oslo' } });
    expect(await rows(app)).toMatchObject([
      { operation: 'callMcp', status: 'succeeded', provider: 'docs', model: 'weather.of' },
    ]);
    const line = app.log.findLast((entry) => entry['mcp_tool'] === 'docs_weather_of');
    expect(line).toMatchObject({ operation: 'callMcp', status: 200 });
  });

  it('is refused in words where the plan is used up', async () => {
    const { app } = await withServer({ limits: { requestsPerMinute: 1 } });
    const client = await clientOf(`${app.url}/mcp`);
    const call = () => client.callTool({ name: 'docs_weather_of', arguments: { city: 'Oslo' } });
    await call();
    await expect(call()).rejects.toMatchObject({
      data: { code: 'rate_limited', retryable: true, retry_after: expect.any(Number) },
    });
    expect((await client.listTools()).tools).not.toEqual([]);
  });

  it('is refused in words where a budget of its key is used up', async () => {
    const { app } = await withServer();
    await app.accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
    const { text: key, key: kept } = await app.accounts.storedKeys.create({ tenantId: 'acme' }, 'test');
    const scope = { key_id: kept.id };
    const budget = { tenant_id: 'acme', unit: 'requests', window: 'month', limit: 2, scope };
    const made = await ask(`${app.url}/api/admin/budgets`, { key: testAdminPassword, body: budget });
    expect(made.status).toBe(201);
    const client = await clientOf(`${app.url}/mcp`, { key });
    const calls = [
      { name: 'docs_weather_of', arguments: { city: 'Oslo' } },
      { name: 'calculator', arguments: { expression: '6*7' } },
    ];
    for (const call of calls) await client.callTool(call);
    for (const call of calls)
      await expect(client.callTool(call)).rejects.toThrow('The limit of 2 requests a month');
  });

  it('tells the model of arguments that do not fit, of a server that is away and of one that says too much', async () => {
    const { app } = await withServer();
    const client = await clientOf(`${app.url}/mcp`);
    const call = (name: string, values: object) =>
      client.callTool({ name, arguments: values as Record<string, unknown> });
    expect(await call('calculator', { expression: 5 })).toMatchObject({
      isError: true,
      content: [{ text: 'The arguments do not fit: expression must be string.' }],
    });
    expect(await call('docs_huge', { city: 'x' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('larger than 4 MiB') }],
    });
    const away = await appForThisTest({
      errorsExpected: true,
      agents: { mcpServers: [settings('gone', 'http://127.0.0.1:9/mcp')] },
    });
    const other = await clientOf(`${away.url}/mcp`);
    const names = (await other.listTools()).tools.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('gone'))).toEqual([]);
    expect(names).toContain('calculator');
    // It may be one that the client has listed before.
    const one = await clientOf(`${away.url}/mcp/gone`);
    for (const [asked, name] of [[other, 'gone_fishing'] as const, [one, 'fishing'] as const])
      expect(await asked.callTool({ name, arguments: {} })).toMatchObject({
        isError: true,
        content: [{ text: 'The server "gone" cannot be reached at the moment.' }],
      });
    await expect(other.callTool({ name: 'fishing', arguments: {} })).rejects.toThrow('There is no tool');
  });

  it('never goes to another server whose tool would have that name while its own is away', async () => {
    const { servers, mcpServers } = await withSameNames((server, name) => {
      server.registerTool(name, { inputSchema: anything }, () => ({
        content: [{ type: 'text', text: `This is ${name}.` }],
      }));
    });
    const app = await appForThisTest({ errorsExpected: true, agents: { mcpServers } });
    const client = await clientOf(`${app.url}/mcp`);
    const namesNow = async () =>
      (await client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith('a_'));
    const [first = '', second = ''] = await namesNow();
    expect(first).toBe('a_b_c');
    servers[0]?.setAway(true);
    expect(await namesNow()).toEqual([second]);
    expect(await client.callTool({ name: first, arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: 'The server "a" cannot be reached at the moment.' }],
    });
    expect(await client.callTool({ name: second, arguments: {} })).toMatchObject({
      content: [{ text: 'This is c.' }],
    });
  });

  it('passes an error of the protocol on as the server said it', async () => {
    const { app } = await withSessions((server) => {
      server.server.registerCapabilities({ tools: {} });
      server.server.setRequestHandler('tools/list', async () => ({
        tools: [{ name: 'refuses', inputSchema: { type: 'object' } }],
      }));
      server.server.setRequestHandler('tools/call', async () => {
        throw new ProtocolError(-32_050, 'Not on a Sunday.', { day: 0 });
      });
    });
    const client = await clientOf(`${app.url}/mcp/lab`);
    await expect(client.callTool({ name: 'refuses', arguments: {} })).rejects.toMatchObject({
      code: -32_050,
      message: expect.stringMatching(/Not on a Sunday\.$/),
      data: { day: 0 },
    });
  });

  it('ends at the server when its client gives up', async () => {
    const { app, docs } = await withServer();
    const client = await clientOf(`${app.url}/mcp`);
    await client.listTools();
    const before = docs.seen.length;
    const gone = new AbortController();
    const call = client.callTool({ name: 'docs_hangs', arguments: { city: 'x' } }, { signal: gone.signal });
    await expect.poll(() => docs.seen.length).toBeGreaterThan(before);
    gone.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(async () => (await rows(app)).map(({ status }) => status)).toEqual(['cancelled']);
  });

  it('is for the keys that the operator lets call the tool', async () => {
    const rule = { id: 'all', keys: null, tenants: null, plans: null, tags: {} };
    const { app } = await withServer({
      agents: {
        mcpAccess: [
          { ...rule, tenants: ['other'], allow: [], deny: [] },
          { ...rule, allow: ['docs/*', 'switchyard/calculator'], deny: ['docs/h*'] },
        ],
      },
    });
    const client = await clientOf(`${app.url}/mcp`);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(['docs_weather_of', 'docs_fails', 'calculator']);
    await expect(client.callTool({ name: 'docs_huge', arguments: { city: 'x' } })).rejects.toThrow('no tool');
    const one = await clientOf(`${app.url}/mcp/docs`);
    await expect(one.callTool({ name: 'huge', arguments: { city: 'x' } })).rejects.toThrow('no tool');
  });

  it('keeps the digits of numbers that JavaScript would round, past the SDK and through it', async () => {
    const docs = await forThisTest(startMcpServer());
    const bodies: string[] = [];
    const front = await forThisTest(
      serve(async (request) => {
        bodies.push(await request.clone().text());
        return fetch(docs.url, request);
      }),
    );
    const app = await appForThisTest({ agents: { mcpServers: [settings('docs', front.url)] } });
    await post(app, '/mcp/docs', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    for (const meta of ['', ',"_meta":{"progressToken":1}']) {
      bodies.length = 0;
      const params = `{"name":"weather.of","arguments":{"city":"Oslo","n":12345678901234567890}${meta}}`;
      const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
      expect((await post(app, '/mcp/docs', call)).text).toContain('Rain in Oslo');
      expect(bodies.join()).toContain('"n":12345678901234567890');
    }
  });
});

/** A file of an archive. */
async function archived(address: string, name: string): Promise<string> {
  // It is packed when the build is over.
  const get = () => fetch(address, { headers: { 'x-api-key': testKey } });
  await expect.poll(async () => (await get()).status, { timeout: 20_000 }).toBe(200);
  const files = unzipSync(new Uint8Array(await (await get()).arrayBuffer()));
  const [, bytes] =
    Object.entries(files).find(([path]) => path.replace(/^[^/]*\//, '') === name || path === name) ?? [];
  return strFromU8(bytes ?? new Uint8Array());
}

it('a call that lasts is kept alive until its answer is there, past the SDK and through it', async () => {
  const finish: (() => void)[] = [];
  const { app } = await withSessions(
    (server) => {
      const result = { content: [{ type: 'text' as const, text: 'At last.' }] };
      server.registerTool(
        'slow',
        { inputSchema: anything },
        () => new Promise((resolve) => finish.push(() => resolve(result))),
      );
    },
    { pingMs: 10 },
  );
  await post(app, '/mcp/lab', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = {
    authorization,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  for (const _meta of [{}, { progressToken: 1 }]) {
    const params = { name: 'slow', arguments: {}, _meta };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
    const { body: stream } = await fetch(`${app.url}/mcp/lab`, { method: 'POST', headers, body });
    let said = '';
    for await (const chunk of stream ?? []) {
      said += Buffer.from(chunk);
      if (said.split(': ping').length > 3) finish.pop()?.();
    }
    const [data = ''] = /(?<=^data: ).*"result".*$/mu.exec(said) ?? [];
    expect(JSON.parse(data)).toMatchObject({ id: 7, result: { content: [{ text: 'At last.' }] } });
  }
});
