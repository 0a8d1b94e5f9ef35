/** Lists that change: what the servers say of it is heeded, and told to clients that listen. */
import { createMcpHandler, type McpServer, Server } from '@modelcontextprotocol/server';
import { expect, it, onTestFinished } from 'vitest';
import { mcpSource } from '../../../src/services/agents/tools/mcp.ts';
import { appForThisTest, testKey } from '../../helpers/app.ts';
import { anything, clientOf, forThisTest, settings } from '../../helpers/mcp-client.ts';
import { serve, startMcpSessions } from '../../helpers/mcp-server.ts';

const tool = (server: McpServer, name: string) =>
  server.registerTool(name, { inputSchema: anything }, () => ({ content: [] }));

async function listening(url: string, key = testKey) {
  const client = await clientOf(url, { mode: { pin: '2026-07-28' }, key });
  let heard = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    heard += 1;
  });
  const subscription = await client.listen({ toolsListChanged: true });
  return { client, subscription, heard: () => heard };
}

it('clients that listen are told, at the address of the server and of all, if their key may use it', async () => {
  const sessions = await forThisTest(startMcpSessions((server) => void tool(server, 'hello')));
  const rule = { keys: null, tenants: null, plans: null, tags: {} };
  const app = await appForThisTest({
    agents: {
      mcpServers: [settings('lab', sessions.url)],
      mcpAccess: [{ ...rule, id: 'others', tenants: ['acme'], allow: ['switchyard/*'], deny: [] }],
    },
  });
  await app.accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
  const { text } = await app.accounts.storedKeys.create({ tenantId: 'acme', scopes: ['mcp'] }, 'test');
  const [all, one, own, other] = await Promise.all([
    listening(`${app.url}/mcp`),
    listening(`${app.url}/mcp/lab`),
    listening(`${app.url}/mcp/switchyard`),
    listening(`${app.url}/mcp`, text),
  ]);
  // Each session is told by a stream that its client opens in its own time.
  const streams = () => sessions.seen.filter((method) => method === 'GET').length;
  await expect.poll(streams).toBe(1);
  tool(sessions.servers[0] as McpServer, 'added');
  await expect.poll(() => [all.heard(), one.heard()]).toEqual([1, 1]);
  expect((await all.client.listTools()).tools.map(({ name }) => name)).toContain('lab_added');
  expect([own.heard(), other.heard()]).toEqual([0, 0]);

  // The servers themselves are exchanged: whoever listens is told, and hears of the new ones from then on.
  app.agents.prepare({ agents: [], fetchUrl: null, mcpServers: [settings('lab', sessions.url)] })();
  await expect.poll(() => [all.heard(), other.heard()]).toEqual([2, 1]);
  await expect.poll(streams).toBe(2);
  tool(sessions.servers[1] as McpServer, 'again');
  await expect.poll(() => all.heard()).toBe(3);
});

it('a stream ends when its key is revoked, and no other', async () => {
  const app = await appForThisTest();
  await app.accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
  const { text, key } = await app.accounts.storedKeys.create({ tenantId: 'acme', scopes: ['mcp'] }, 'test');
  const revoked = await listening(`${app.url}/mcp`, text);
  const other = await listening(`${app.url}/mcp`);
  await app.accounts.storedKeys.revoke({ tenantId: 'acme', id: key.id }, 'test');
  expect(await revoked.subscription.closed).toBe('remote');
  app.agents.prepare({ agents: [], fetchUrl: null, mcpServers: [] })();
  await expect.poll(other.heard).toBe(1);
});

it('a client that opens 1,000 streams gets a few, and others get theirs', async () => {
  const app = await appForThisTest();
  await app.accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
  const { text } = await app.accounts.storedKeys.create({ tenantId: 'acme', scopes: ['mcp'] }, 'test');
  const { client, subscription } = await listening(`${app.url}/mcp`);
  const others: Promise<unknown>[] = [];
  for (let n = 0; n < 1000; n += 1) others.push(client.listen({ toolsListChanged: true }));
  const results = await Promise.allSettled(others);
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(results.length - refused.length).toBe(15);
  expect(String((refused[0] as PromiseRejectedResult).reason)).toContain('Subscription limit reached');
  expect((await listening(`${app.url}/mcp`, text)).subscription.honoredFilter).toEqual({
    toolsListChanged: true,
  });
  // One that ends leaves its place.
  await subscription.close();
  await expect
    .poll(() =>
      client.listen({ toolsListChanged: true }).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
});

it('a list holds as long as a server of 2026-07-28 says, unless it says that it has changed', async () => {
  const tools = [{ name: 'hello', inputSchema: { type: 'object' as const } }];
  let asked = 0;
  const handler = createMcpHandler(() => {
    const server = new Server(
      { name: 'modern', version: '1' },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.setRequestHandler('tools/list', async () => {
      asked += 1;
      return { tools, ttlMs: 600_000, cacheScope: 'private' as const };
    });
    return server;
  });
  const http = await serve((request) => handler.fetch(request));
  onTestFinished(async () => {
    await handler.close();
    await http.close();
  });
  const changes: unknown[] = [];
  const source = mcpSource(settings('modern', http.url), () => undefined, {
    onChange: (change) => changes.push(change),
  });
  onTestFinished(() => source.close());
  for (let n = 0; n < 3; n += 1) await source.refresh();
  expect(asked).toBe(1);
  tools.push({ name: 'added', inputSchema: { type: 'object' } });
  // The subscription is there by the time that somebody is told.
  const telling = setInterval(() => handler.notify.toolsChanged(), 10);
  onTestFinished(() => clearInterval(telling));
  await expect.poll(() => source.tools().length, { timeout: 20_000 }).toBe(2);
  expect(changes).toEqual([{ server: 'modern', kind: 'tools' }]);
});
