import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
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
  /** Ends the server, if it was started for this. Throws if it logged an error, which it does when a reply does not fit the contract. */
  close(): Promise<void>;
}

/** The server that SERVER_URL, API_KEY and ADMIN_PASSWORD name, or else one that is started for this. */
export function liveServer(): Promise<LiveServer> {
  const { SERVER_URL: url, API_KEY: apiKey, ADMIN_PASSWORD: password } = process.env;
  if (!url) return startServer();
  if (!apiKey || !password) throw new Error('beside SERVER_URL, API_KEY and ADMIN_PASSWORD are needed');
  return Promise.resolve({ url, apiKey, limitedKey: keyMaker(url, password), close: async () => {} });
}

/** Starts a server on a free port, with an empty database, that checks its replies against the contract. */
async function startServer(): Promise<LiveServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-live-'));
  const apiKey = 'live-test-key-0123456789';
  const child = spawn(process.execPath, [path.join(root, 'src/server.ts')], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      PORT: '0',
      DRAIN_DELAY_MS: '0',
      // Each language comes as a client of its own.
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
  const administer = async (place: string, body: object) => {
    const response = await fetch(`${url}/api/admin/${place}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminPassword}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${place}: ${response.status} ${await response.text()}`);
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
