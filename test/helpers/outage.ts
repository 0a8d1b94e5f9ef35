/** A server on PostgreSQL under mixed load, for tests that break its database. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { ask } from './http.ts';
import { type ServerProcess, startServer } from './server-process.ts';

export const key = 'outage-test-key-0123456789';

/** A server process on a database, in a data directory of its own; killed after the test. */
export async function serverOn(
  databaseUrl: string,
  more: Record<string, string> = {},
): Promise<ServerProcess> {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchyard-outage-'));
  onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }));
  // A full queue of builds has the same status as a database that is away.
  const queue = { FACTORY_QUEUE: '10000', FACTORY_TENANT_QUEUE: '10000' };
  const server = await startServer({ DATA_DIR, API_KEYS: key, DATABASE_URL: databaseUrl, ...queue, ...more });
  onTestFinished(() => server.end('SIGKILL').then(() => undefined));
  return server;
}

export interface Load {
  /** Answers by status; -1: the connection broke or nothing came within the time that a client waits. */
  readonly answers: ReadonlyMap<number, number>;
  /** The longest that an answer took, in milliseconds. */
  readonly slowest: number;
  count(status: number): number;
  /** Answers to chats alone. */
  chats(status: number): number;
  stop(): Promise<void>;
}

/** How long a client of the load waits for an answer, in milliseconds: longer means hung. */
export const patienceMs = 20_000;

/** Chats, lists, usage and builds without end, several at a time. */
export function mixedLoad(url: string): Load {
  const answers = new Map<number, number>();
  const chats = new Map<number, number>();
  let going = true;
  let slowest = 0;
  const work = async (
    asking: () => Promise<{ status: number }>,
    pauseMs: number,
    own = new Map<number, number>(),
  ) => {
    while (going) {
      const since = performance.now();
      const status = await asking().then(
        (answer) => answer.status,
        () => -1,
      );
      slowest = Math.max(slowest, performance.now() - since);
      for (const counts of [answers, own]) counts.set(status, (counts.get(status) ?? 0) + 1);
      await sleep(status === 200 || status === 202 ? pauseMs : Math.max(pauseMs, 20));
    }
  };
  const get = (at: string) => () => asTenant(`${url}${at}`);
  const post = (at: string, body: object) => () => asTenant(`${url}${at}`, body);
  const workers = [
    ...Array.from({ length: 6 }, () => work(post('/v1/chat', { message: 'Hello!' }), 1, chats)),
    ...Array.from({ length: 2 }, () => work(get('/v1/requests?limit=20'), 5)),
    work(get('/v1/usage'), 5),
    work(get('/api/v1/factory/jobs?limit=5'), 5),
    work(post('/api/v1/factory/jobs', { prompt: 'A list of books' }), 50),
  ];
  return {
    answers,
    get slowest() {
      return slowest;
    },
    count: (status) => answers.get(status) ?? 0,
    chats: (status) => chats.get(status) ?? 0,
    async stop() {
      going = false;
      await Promise.all(workers);
    },
  };
}

/** Whether a chat is answered with 200. */
export async function works(url: string): Promise<boolean> {
  const answer = await chat(url).catch(() => null);
  return answer?.status === 200;
}

export function chat(url: string) {
  return asTenant(`${url}/v1/chat`, { message: 'Hello!' });
}

/** Asks for a build. */
export function build(url: string) {
  return asTenant(`${url}/api/v1/factory/jobs`, { prompt: 'A list of books' });
}

/** One request of the load's tenant, given up after `patienceMs`. */
function asTenant(url: string, body?: object) {
  const signal = AbortSignal.timeout(patienceMs);
  const keyAs = url.includes('/factory/') ? 'x-api-key' : 'bearer';
  return ask(url, { key, keyAs, signal, direct: true, ...(body ? { body } : {}) });
}
