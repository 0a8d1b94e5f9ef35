/** What the guide says about one server and many, run as it is printed, with the databases of this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../helpers/contract.ts';
import { blocksIn, readMarkdown } from '../helpers/guides.ts';
import { ask } from '../helpers/http.ts';
import { redisForThisTest } from '../helpers/redis.ts';
import { onPostgres, onSqlite } from '../helpers/store.ts';
import type { Database } from '../helpers/test-database.ts';

const printed = blocksIn(readMarkdown('docs/guides/scaling.md')).find(({ notRun }) =>
  notRun?.includes('scaling.long'),
);
const lines = printed?.text.split('\n') ?? [];
const password = 'the password of the administrator';

/** Runs printed lines, of which the last starts a server, until the test is over; resolves with the server's address. */
async function started(script: readonly string[], dataDir: string): Promise<string> {
  const child = spawn('bash', ['-ec', script.join('\n')], {
    cwd: root,
    // A group of its own: what the lines start ends with them.
    detached: true,
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      PORT: '0',
      ADMIN_PASSWORD: password,
      DRAIN_DELAY_MS: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await exited;
  });
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const url = /Switchyard listens on (\S+)/.exec(output)?.[1];
      if (url) resolve(url);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    exited.then(() => reject(new Error(`the server ended:\n${output}`)), reject);
  });
}

/** A key of a tenant that may ask ten times a minute. */
async function keyOfTen(url: string): Promise<string> {
  const administer = (path: string, body: object) => ask(`${url}/api/admin${path}`, { key: password, body });
  await administer('/tenants', { id: 'acme', plan: 'pro', overrides: { requests_per_minute: 10 } });
  const { json } = await administer('/keys', { tenant_id: 'acme', scopes: ['chat'] });
  return json.secret;
}

async function expectTenOf(urls: readonly string[], key: string): Promise<void> {
  const asked = Array.from({ length: 40 }, (_, n) =>
    ask(`${urls[n % urls.length]}/v1/chat`, { key, body: { message: 'Hello!' } }),
  );
  const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(10).fill(200), ...Array(30).fill(429)]);
}

/** The printed lines with the address of a database of ours in place of the example's. */
function linesFor({ databaseUrl }: Database): string[] {
  return lines.map((line) => line.replace(/postgres:\/\/\S+/, databaseUrl ?? ''));
}

onSqlite('the first line', (on) => {
  it('starts one server', async () => {
    expect(lines).toHaveLength(3);
    const { dataDir } = await on.database();
    const url = await started(lines.slice(0, 1), dataDir);
    await expectTenOf([url], await keyOfTen(url));
  });
});

onPostgres('the lines after it', (on) => {
  it('start servers that hold a limit together', async () => {
    const database = await on.database();
    const [, settings = '', start = ''] = linesFor(database);
    const first = await started([settings, start], database.dataDir);
    const second = await started([settings, start], database.dataDir);
    await expectTenOf([first, second], await keyOfTen(first));
  });

  it('start them with Redis', async ({ skip }) => {
    const redis = await redisForThisTest(skip);
    const database = await on.database();
    const [, settings = '', start = ''] = linesFor(database);
    const setting = /REDIS_URL=\S+/.exec(start)?.[0].replace(/redis:\S+/, redis.url);
    const withRedis = [settings, `export ${setting}`, start];
    const first = await started(withRedis, database.dataDir);
    const second = await started(withRedis, database.dataDir);
    for (const url of [first, second]) {
      const ready = async () => (await ask(`${url}/readyz`, { key: null })).json.checks.redis.status;
      await expect.poll(ready).toBe('ok');
    }
    await expectTenOf([first, second], await keyOfTen(first));
  });
});
