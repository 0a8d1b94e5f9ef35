/** A server is killed at random moments under load: what its clients were told is what the ledger says, whatever ends then. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { eventually } from '../helpers/factory.ts';
import { type ServerProcess, startServer } from '../helpers/server-process.ts';
import { onEveryStore } from '../helpers/store.ts';
import { type Database, openDatabase } from '../helpers/test-database.ts';

const key = 'settled-test-key-0123456789';
/** Fewer on a developer's machine: each costs a start of the server. */
const kills = Number(process.env['KILLS'] ?? (process.env['CI'] ? 21 : 4));
const workers = 16;

/** One thing that a client asks for, and what the row of its answer must have. */
interface Kind {
  readonly path: string;
  readonly body: object;
  /** Whether the whole body tells of an end, and of which. */
  readonly end: (status: number, text: string) => 'succeeded' | 'failed' | null;
  readonly usage: boolean;
}

const chat = { model: 'sandbox/echo', message: 'Say this back to me, word by word, as it is.' };
const whole = (status: number) => (status === 200 ? 'succeeded' : status === 502 ? 'failed' : null);
const streamed = (_: number, text: string) => {
  const last = text.trimEnd().split('\n\n').at(-1) ?? '';
  return /^(id: \d+\n)?event: end\n/m.test(last)
    ? 'succeeded'
    : last.startsWith('event: error')
      ? 'failed'
      : null;
};
const kinds: readonly Kind[] = [
  { path: '/v1/chat', body: chat, end: whole, usage: true },
  { path: '/v1/chat', body: { ...chat, stream: true }, end: streamed, usage: true },
  { path: '/v1/chat', body: { ...chat, model: 'sandbox/error' }, end: whole, usage: false },
  {
    path: '/v1/chat',
    body: { ...chat, model: 'sandbox/cut-stream', stream: true },
    end: streamed,
    usage: true,
  },
  { path: '/v1/agents/assistant/run', body: { input: 'Hello!' }, end: whole, usage: true },
  { path: '/v1/agents/assistant/run', body: { input: 'Hello!', stream: true }, end: streamed, usage: true },
  { path: '/v1/ai/summarize', body: { input: { text: 'One. Two.' } }, end: whole, usage: false },
];

interface Told {
  readonly kind: Kind;
  readonly end: 'succeeded' | 'failed';
}

onEveryStore('a server that is killed under load', (on) => {
  it(`has the end of every answer in the ledger, after ${kills} kills`, {
    timeout: 300_000 + kills * 15_000,
  }, async () => {
    const database = await on.database();
    const config = path.join(database.dataDir, 'settled.yaml');
    const price = '{ prompt: 1, completion: 2, cached_prompt: 1 }';
    await writeFile(
      config,
      `prices:\n${['sandbox', 'sandbox/echo', 'sandbox/cut-stream'].map((name) => `  sandbox/${name}: ${price}\n`).join('')}`,
    );
    const told = new Map<string, Told>();
    for (let round = 0; round < kills; round += 1) {
      const server = await startServer(envOf(database, config));
      const loads = Array.from({ length: workers }, (_, n) => load(server, `r${round}w${n}`, told));
      // Each life lasts until another kind of answer was given in it.
      const next = kinds[round % kinds.length];
      await eventually(() =>
        [...told].some(([id, { kind }]) => id.startsWith(`r${round}w`) && kind === next),
      );
      await sleep(Math.random() * 500);
      await server.end('SIGKILL');
      await Promise.all(loads);
    }
    // The next server closes what the last one left open.
    const server = await startServer(envOf(database, config));
    expect(await server.end('SIGTERM')).toBe(0);

    const store = await openDatabase(database);
    on.cleanUp(() => store.close());
    const rows = new Map(
      (await store.db.selectFrom('ledger_rows').selectAll().execute()).map((row) => [row.request_id, row]),
    );
    const wrong: string[] = [];
    for (const [id, { kind, end }] of told) {
      const row = rows.get(id);
      const priced = !kind.usage || (row?.usage_source !== null && row?.cost_micro_usd !== null);
      if (row?.status !== end || !priced) wrong.push(`${kind.path} ${end}, in the ledger ${row?.status}`);
    }
    expect(wrong, `of ${told.size} answers`).toEqual([]);
    expect(told.size).toBeGreaterThan(kills * 5);
  });
});

function envOf({ dataDir, databaseUrl }: Database, config: string): Record<string, string> {
  return {
    DATA_DIR: dataDir,
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
    SWITCHYARD_CONFIG: config,
    API_KEYS: key,
    LOG_LEVEL: 'silent',
  };
}

/** Asks one after the other until the server is gone, and notes which ends were told. */
async function load(server: ServerProcess, name: string, told: Map<string, Told>): Promise<void> {
  for (let n = 0; ; n += 1) {
    const kind = kinds[Math.floor(Math.random() * kinds.length)] as Kind;
    const id = `${name}n${n}`;
    const answer = await ask(server, kind, id).catch(() => null);
    if (answer === null) return;
    const end = kind.end(answer.status, answer.text);
    if (end !== null) told.set(id, { kind, end });
  }
}

async function ask({ url }: ServerProcess, { path, body }: Kind, id: string) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-request-id': id },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}
