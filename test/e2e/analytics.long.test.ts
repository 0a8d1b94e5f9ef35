import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pythonTools } from '../../scripts/clients/run.ts';
import { appForThisTest } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { startServer } from '../helpers/server-process.ts';
import { onPostgres } from '../helpers/store.ts';

/** Servers on PostgreSQL with pg-boss and a sink, one of them killed: each settled request leaves, and builds come to an end. */
describe('sinks', () => {
  const key = 'analytics-test-key-0123456789';

  async function idsIn(folder: string): Promise<string[]> {
    const texts = (await readdir(folder))
      .filter((name) => name.startsWith('requests-'))
      .map(async (name) => {
        const bytes = await readFile(path.join(folder, name));
        return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
      });
    const lines = (await Promise.all(texts)).flatMap((text) =>
      text.split('\n').filter((line) => line !== ''),
    );
    return lines.map((line) => JSON.parse(line).id);
  }

  /** A receiver in place of ClickHouse, which is away until the test starts it. */
  async function receiver() {
    const taken = new Map<string, string[]>();
    const state = { isAway: true };
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      if (state.isAway) return response.writeHead(503).end('away');
      const token = new URL(request.url ?? '', 'http://localhost').searchParams.get(
        'insert_deduplication_token',
      );
      const lines = gunzipSync(Buffer.concat(parts)).toString().trimEnd().split('\n');
      taken.set(
        token ?? '',
        lines.map((line) => JSON.parse(line).id),
      );
      return response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      state,
      port: (server.address() as AddressInfo).port,
      ids: () => [...taken.values()].flat(),
      close: () => new Promise((resolve) => server.close(resolve)),
    };
  }

  onPostgres('servers with pg-boss and sinks of analytics', (on) => {
    it('lose no row and no build when one is killed and a sink is away', async () => {
      const { databaseUrl } = await on.database();
      const root = await mkdtemp(path.join(tmpdir(), 'switchyard-analytics-'));
      on.cleanUp(() => rm(root, { recursive: true, force: true }));
      const clickHouse = await receiver();
      on.cleanUp(() => clickHouse.close());
      const folder = path.join(root, 'analytics');
      const env = (name: string) => ({
        DATA_DIR: path.join(root, name),
        DATABASE_URL: databaseUrl ?? '',
        KEY_SECRET: 'a-secret-of-this-test-0123456789abcdef',
        API_KEYS: key,
        QUEUE: 'pg-boss',
        ANALYTICS_DIR: folder,
        ANALYTICS_CLICKHOUSE_URL: `http://127.0.0.1:${clickHouse.port}/default`,
      });
      const [first, second] = await Promise.all([startServer(env('first')), startServer(env('second'))]);
      on.cleanUp(async () => {
        await first.end('SIGKILL');
        await second.end('SIGKILL');
      });
      const chat = (url: string) => ask(`${url}/v1/chat`, { key, body: { message: 'Hello!' } });
      const build = async (url: string): Promise<string> => {
        const { json, status } = await ask(`${url}/api/v1/factory/jobs`, {
          key,
          keyAs: 'x-api-key',
          body: { prompt: 'a tracker for books that I have read' },
        });
        expect(status).toBe(202);
        return json.id;
      };
      const both = [first, second];
      for (let n = 0; n < 40; n += 1) expect((await chat(both[n % 2]?.url ?? '')).status).toBe(200);
      const jobs = await Promise.all(Array.from({ length: 8 }, (_, n) => build(both[n % 2]?.url ?? '')));
      await first.end('SIGKILL');
      for (let n = 0; n < 20; n += 1) expect((await chat(second.url)).status).toBe(200);
      for (const id of jobs) {
        await expect
          .poll(
            async () =>
              (await ask(`${second.url}/api/v1/factory/jobs/${id}`, { key, keyAs: 'x-api-key' })).json.status,
            {
              timeout: 120_000,
            },
          )
          .toBe('succeeded');
      }
      const client = new pg.Client(databaseUrl ?? '');
      await client.connect();
      const settled = async () => {
        const { rows } = await client.query(
          'select id from ledger_rows where settled_at is not null order by id',
        );
        return rows.map(({ id }) => id as string);
      };
      await expect.poll(async () => (await settled()).length).toBe(68);
      expect(clickHouse.ids()).toEqual([]);
      clickHouse.state.isAway = false;
      await expect
        .poll(async () => [...new Set(clickHouse.ids())].sort(), { timeout: 120_000 })
        .toEqual(await settled());
      await expect.poll(async () => [...new Set(await idsIn(folder))].sort()).toEqual(await settled());
      const { text } = await ask(`${second.url}/metrics`);
      expect(text).toMatch(/switchyard_analytics_lag_seconds\{sink="clickhouse"\} 0\n/);
      expect(text).toMatch(/switchyard_analytics_failures_total\{sink="clickhouse"\} [1-9]/);
      await client.end();
      expect(await second.end('SIGTERM')).toBe(0);
      // All of it is in files that are whole.
      expect((await readdir(folder)).every((name) => name.endsWith('.ndjson.gz'))).toBe(true);
      expect([...new Set(await idsIn(folder))]).toHaveLength(68);
      expect(second.output()).not.toContain('"level":50,"where":"queue"');
    });
  });
});

/** The export in FOCUS against the validator of the FinOps Foundation, as PyPI has it: it knows version 1.0. */
describe('FOCUS', () => {
  const run = promisify(execFile);

  /**
   * What it says of any file of that version: it asks for four columns by names that the version before had, and for one that
   * no version has.
   */
  const itsOwn = [
    'InvoiceIssuer_Required',
    'Provider_Required',
    'Publisher_Required',
    'ResourceID_Required',
    'SkuPriceId_Nullable',
  ];

  /** The folder of its programs; null: it cannot be had here. */
  async function validator(): Promise<string | null> {
    const packages = ['focus-validator==1.0.0', 'multimethod<2', 'pandas<2.3', 'numpy<2'];
    try {
      return await pythonTools('switchyard-focus-validator', packages);
    } catch (error) {
      if (process.env['CI']) throw error;
      console.warn(`The validator of FOCUS cannot be installed here, so its test is skipped: ${error}`);
      return null;
    }
  }

  it('has nothing that the validator objects to but what it objects to in any', async ({ skip }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-focus-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const programs = await validator();
    if (programs === null) return skip('the validator cannot be installed here');
    const { url } = await appForThisTest({
      prices: { 'sandbox/sandbox': { prompt: 1, cachedPrompt: 1, completion: 2 } },
    });
    for (const tags of ['', 'team=search', 'team="=1+1, \\"x\\""']) {
      const reply = await ask(`${url}/v1/chat`, {
        headers: { 'x-switchyard-tags': tags },
        body: { model: 'sandbox', message: 'Hi' },
      });
      expect(reply.status).toBe(200);
    }
    await ask(`${url}/v1/ai/keywords`, { body: { input: { text: 'Trains run late in winter.' } } });
    const { text } = await ask(`${url}/v1/usage/export?format=focus`);
    const file = path.join(folder, 'focus.csv');
    await writeFile(file, text);
    // It looks for its list of currencies from the working directory.
    const where =
      'import focus_validator, pathlib; print(pathlib.Path(focus_validator.__file__).parent.parent)';
    const { stdout: cwd } = await run(path.join(programs, 'python'), ['-c', where]);
    const command = ['--data-file', file, '--validate-version', '1.0'];
    // It ends with an error for what it objects to.
    const { stdout } = await run(path.join(programs, 'focus-validator'), command, { cwd: cwd.trim() }).catch(
      (error: { stdout: string }) => error,
    );
    const objections = [...stdout.matchAll(/^(\w+) failed:$/gm)].map(([, rule]) => rule);
    expect(objections.sort()).toEqual(itsOwn);
  });
});
