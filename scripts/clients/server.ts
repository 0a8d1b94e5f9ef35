import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const adminPassword = 'live-test-admin-password';

/** A server of its own for the live tests. */
export interface LiveServer {
  readonly url: string;
  /** A key of a tenant without limits. */
  readonly apiKey: string;
  readonly adminPassword: string;
  /** A new key of a tenant that may send one request a minute. */
  limitedKey(): Promise<string>;
  /** Ends the server. Throws if it logged an error, which it does when a reply does not fit the contract. */
  close(): Promise<void>;
}

/** Starts the server on a free port, with an empty database, checking its replies against the contract. */
export async function startLiveServer(env: Readonly<Record<string, string>> = {}): Promise<LiveServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-live-'));
  const apiKey = 'live-test-key-0123456789';
  const child = spawn(process.execPath, [path.join(root, 'src/server.ts')], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      PORT: '0',
      DATA_DIR: dataDir,
      API_KEYS: apiKey,
      ADMIN_PASSWORD: adminPassword,
      ...env,
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
  return {
    url,
    apiKey,
    adminPassword,
    async limitedKey() {
      const id = `limited-${++tenants}`;
      await administer('tenants', { id, plan: 'enterprise', overrides: { requests_per_minute: 1 } });
      const { secret } = await administer('keys', { tenant_id: id });
      if (!secret) throw new Error('the server made no key');
      return secret;
    },
    async close() {
      child.kill('SIGTERM');
      await exited;
      await rm(dataDir, { recursive: true });
      const errors = output.split('\n').filter((line) => line.includes('"level":50'));
      if (errors.length > 0) throw new Error(`the server logged errors:\n${errors.join('\n')}`);
    },
  };
}
