/** The stores behind servers, each restarted: none of their own for SQLite, PostgreSQL, Redis beside it. */

import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../chaos/databases.ts';
import { runFolder } from '../chaos/proc.ts';
import { freePort, stop, temporaryFolder, watch } from '../lib/server.ts';

export type Stores = 'sqlite' | 'postgres' | 'redis';

export interface StartedStores {
  readonly env: Readonly<Record<string, string>>;
  /** Their processes, with those that serve connections. */
  readonly processes: readonly number[];
  stop(): Promise<void>;
}

/** `redis`: PostgreSQL keeps the book, Redis decides on limits. Throws where one is not installed. */
export async function startStores(stores: Stores): Promise<StartedStores> {
  if (stores === 'sqlite') return { env: {}, processes: [], stop: async () => undefined };
  const postgres = await startPostgres(runFolder(false), {
    fsync: 'on',
    shared_buffers: `'128MB'`,
    max_wal_size: `'1GB'`,
  });
  const database = await postgres.database();
  const env = { DATABASE_URL: `postgres://postgres@127.0.0.1:${postgres.port}/${database}` };
  if (stores === 'postgres') {
    return { env, processes: [postgres.pid()], stop: () => postgres.stop() };
  }
  const redis = await startRedis();
  return {
    env: { ...env, REDIS_URL: redis.url },
    processes: [postgres.pid(), redis.pid],
    async stop() {
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}

async function startRedis(): Promise<{ url: string; pid: number; stop: () => Promise<void> }> {
  const port = await freePort();
  const settings = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'].map(String);
  const child = watch(
    spawn('redis-server', [...settings, '--maxmemory-policy', 'noeviction'], {
      cwd: temporaryFolder(),
      stdio: 'ignore',
    }),
  );
  child.once('error', () => undefined);
  for (let tries = 0; !(await listens(port)); tries += 1) {
    if (tries === 500 || child.pid === undefined)
      throw new Error('Redis does not start (`apt-get install redis-server`).');
    await pause(10);
  }
  return { url: `redis://127.0.0.1:${port}`, pid: child.pid as number, stop: () => stop(child) };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
