/** Clients of the server's own MCP, and servers behind it. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import type { McpServerSettings } from '../../src/services/agents/settings.ts';
import { appForThisTest, type TestApp, type TestAppOptions, testKey } from './app.ts';
import { startMcpServer, startMcpSessions } from './mcp-server.ts';

interface Options {
  readonly mode?: 'legacy' | 'auto' | { readonly pin: '2026-07-28' };
  readonly key?: string;
}

/** The official client, connected until the test is over. */
export async function clientOf(url: string, { mode = 'auto', key = testKey }: Options = {}) {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

export const settings = (id: string, url: string): McpServerSettings => ({
  id,
  url,
  headers: { authorization: 'Bearer secret-of-the-server' },
  tools: null,
  timeoutMs: 5000,
});

/** Closes what is started when the test is over. */
export async function forThisTest<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  onTestFinished(() => started.close());
  return started;
}

export async function withServer({ agents, ...more }: TestAppOptions = {}) {
  const docs = await forThisTest(startMcpServer());
  const mcpServers = [settings('docs', docs.url)];
  const app = await appForThisTest({ ...more, agents: { ...agents, mcpServers } });
  return { app, docs };
}

/** A server with whatever a test needs, which keeps sessions. */
export async function withSessions(
  register: (server: McpServer) => void,
  { agents, ...more }: TestAppOptions = {},
) {
  const sessions = await forThisTest(startMcpSessions(register));
  const mcpServers = [settings('lab', sessions.url)];
  const app = await appForThisTest({ ...more, agents: { ...agents, mcpServers } });
  return { app, sessions };
}

/** Two servers, `a` and `a_b`, whose names with those of what they have, `b_c` and `c`, would be the same. */
export async function withSameNames(register: (server: McpServer, name: string) => void) {
  const of = (name: string) => forThisTest(startMcpSessions((server) => register(server, name)));
  const servers = await Promise.all([of('b_c'), of('c')]);
  return { servers, mcpServers: ['a', 'a_b'].map((id, n) => settings(id, servers[n]?.url ?? '')) };
}

export const anything = fromJsonSchema<Record<string, unknown>>({ type: 'object' });
export const authorization = `Bearer ${testKey}`;

export async function post(app: TestApp, path: string, body: unknown, headers: Record<string, string> = {}) {
  const reply = await fetch(app.url + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { reply, text: await reply.text() };
}

/** The requests of the tenant, latest first. */
export async function rows(app: TestApp) {
  const reply = await fetch(`${app.url}/v1/requests?limit=50`, { headers: { authorization } });
  const { data } = (await reply.json()) as { data: Record<string, unknown>[] };
  return data;
}
