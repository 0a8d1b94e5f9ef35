import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const ownPassword = 'live-test-admin-password';

/** The server of the live tests. */
export interface LiveServer {
  readonly url: string;
  /** A key of a tenant without limits. */
  readonly apiKey: string;
  /** A new key of a tenant that may send one request a minute. */
  limitedKey(): Promise<string>;
  /**
   * What the ids of the contract's examples stand for on this server. The builds are new ones, as each can be revised only once
   * and a demo build only from the network that asked for it.
   *
   * @param way How the server is reached by those who get them, as a demo build belongs to their network.
   */
  examples(way: string): Promise<Examples>;
  /** Ends the server, if it was started for this. Throws if it logged an error, which it does when a reply does not fit the contract. */
  close(): Promise<void>;
}

/** Ids of what the contract's examples speak of. */
export interface Examples {
  readonly run: string;
  readonly build: string;
  readonly demo: string;
}

/** The server that SERVER_URL, API_KEY and ADMIN_PASSWORD name, or else one that is started for this. */
export function liveServer(): Promise<LiveServer> {
  const { SERVER_URL: url, API_KEY: apiKey, ADMIN_PASSWORD: password } = process.env;
  if (!url) return startServer();
  if (!apiKey || !password) throw new Error('beside SERVER_URL, API_KEY and ADMIN_PASSWORD are needed');
  const limitedKey = keyMaker(url, password);
  return Promise.resolve({
    url,
    apiKey,
    limitedKey,
    examples: examplesOf(url, apiKey),
    close: async () => {},
  });
}

/** Starts a server on a free port, with an empty database, that checks its replies against the contract. */
async function startServer(): Promise<LiveServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-live-'));
  const apiKey = 'live-test-key-0123456789';
  const child = spawn(process.execPath, [path.join(root, 'src/server/server.ts')], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      PORT: '0',
      DRAIN_DELAY_MS: '0',
      SIGNUP: 'open',
      TRUST_PROXY: '127.0.0.1',
      DATA_DIR: dataDir,
      API_KEYS: apiKey,
      ADMIN_PASSWORD: ownPassword,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const listening = /Switchyard listens on (\S+)/.exec(output)?.[1];
      if (listening) resolve(listening);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    exited.then(() => reject(new Error(`the server ended:\n${output}`)), reject);
  });
  return {
    url,
    apiKey,
    limitedKey: keyMaker(url, ownPassword),
    examples: examplesOf(url, apiKey),
    async close() {
      child.kill('SIGTERM');
      await exited;
      await rm(dataDir, { recursive: true });
      const errors = output.split('\n').filter((line) => line.includes('"level":50'));
      if (errors.length > 0) throw new Error(`the server logged errors:\n${errors.join('\n')}`);
    },
  };
}

function keyMaker(url: string, adminPassword: string): () => Promise<string> {
  const administer = async (path: string, body: object) => {
    const response = await fetch(`${url}/api/admin/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminPassword}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  let tenants = 0;
  return async () => {
    const id = `limited-${++tenants}`;
    await administer('tenants', { id, plan: 'enterprise', overrides: { requests_per_minute: 1 } });
    const { secret } = await administer('keys', { tenant_id: id });
    if (!secret) throw new Error('the server made no key');
    return secret;
  };
}

/** Makes what the contract's examples speak of: a request and a run, once, and builds that are done. */
function examplesOf(server: string, apiKey: string): (way: string) => Promise<Examples> {
  let ran: Promise<string> | undefined;
  const ask = async (url: string, body: object, header: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'x-api-key': apiKey, ...header };
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
    return response;
  };
  const run = async () => {
    const header = { 'x-request-id': 'req_01K9Z3V7Q4W8X2M6N5B1C0D9EF' };
    await ask(`${server}/v1/chat`, { message: 'Hello' }, header);
    const answer = await ask(`${server}/v1/agents/assistant/run`, { input: 'Hello' });
    return ((await answer.json()) as { id: string }).id;
  };
  return async (way) => {
    ran ??= run();
    const prompt = 'an expense tracker';
    const job = await ask(`${way}/api/v1/factory/jobs`, { prompt });
    const build = (await job.json()) as { id: string };
    const events = `${way}/api/v1/factory/jobs/${build.id}/events`;
    await (await fetch(events, { headers: { 'x-api-key': apiKey } })).text();
    const demo = await ask(`${way}/api/factory/public-demo`, { prompt });
    await demo.text();
    return { run: await ran, build: build.id, demo: demo.headers.get('x-job-id') ?? '' };
  };
}

/**
 * A way to the server that makes those who take it clients of an address of their own, as each address may start only so many
 * demo builds. DIRECT_URL is the server's own address, for archives, where SERVER_URL is that of a proxy that spoils them.
 */
export async function ownAddress(
  server: LiveServer,
  address: string,
): Promise<{ url: string; close(): void }> {
  const way = createServer((incoming, reply) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': address };
    const isArchive = incoming.url?.endsWith('/artifact') ?? false;
    const { hostname, port } = new URL((isArchive && process.env['DIRECT_URL']) || server.url);
    const options = { hostname, port, path: incoming.url, method: incoming.method, headers };
    const outgoing = request(options, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
      answer.on('error', () => reply.destroy());
    });
    outgoing.on('error', () => reply.destroy());
    reply.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await once(way.listen(0, '127.0.0.1'), 'listening');
  const close = () => {
    way.close();
    way.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(way.address() as AddressInfo).port}`, close };
}
