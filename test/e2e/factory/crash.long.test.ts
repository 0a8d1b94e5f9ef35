/** The whole server is killed at random moments: every build that was accepted ends, once, as if nothing had happened. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FactoryJob } from '../../../generated/types.gen.ts';
import { packageApp } from '../../../src/factory/package.ts';
import { read } from '../../../src/factory/read/read.ts';
import { renderApp } from '../../../src/factory/render/render.ts';
import { verifyApp } from '../../../src/factory/verify/verify.ts';
import { askJobs, eventsIn, eventually, faultsOf, finalJob, loans, postDemo } from '../../helpers/factory.ts';
import { ask } from '../../helpers/http.ts';
import { type ServerProcess, startServer } from '../../helpers/server-process.ts';
import { onEveryStore } from '../../helpers/store.ts';

describe('crash', () => {
  const key = 'crash-test-key-0123456789';
  /** Fewer on a developer's machine: each costs a start of the server. */
  const kills = process.env['CI'] ? 30 : 3;

  async function hashOf(prompt: string): Promise<string> {
    const spec = read(prompt).spec;
    const files = renderApp(spec);
    const { html } = await verifyApp(files, spec);
    return packageApp(files, html ?? '', spec).sha256;
  }

  it(`after ${kills} sudden ends each accepted build has one end and the bytes of an uninterrupted one`, {
    timeout: 300_000 + kills * 10_000,
  }, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-crash-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const env = {
      DATA_DIR: folder,
      API_KEYS: key,
      LOG_LEVEL: 'error',
      TRUST_PROXY: '1',
      FACTORY_CONCURRENCY: '2',
    };
    const accepted = new Map<string, string>();
    const seen = new Map<string, string>();
    let asked = 0;

    /** Posts until the server has ended, and keeps the events so far. */
    async function load(server: ServerProcess): Promise<void> {
      for (;;) {
        asked += 1;
        const prompt = `build ${asked}: an expense tracker`;
        if (asked % 2 === 0) {
          const answer = await askJobs(server, '', { body: { prompt }, key }).catch(() => null);
          if (answer === null) return;
          if (answer.status === 202) accepted.set(answer.json.id, prompt);
          // As many as the lives between can build; the rest would only wait for the end.
          await sleep(600);
        } else {
          const headers = { 'x-forwarded-for': `10.0.${asked >> 8}.${asked & 255}` };
          const answer = await postDemo(server, prompt, { headers }).catch(() => null);
          if (answer === null) return;
          if (answer.status === 200) seen.set(String(answer.headers['x-job-id']), answer.text);
        }
      }
    }

    for (let n = 0; n < kills; n += 1) {
      const server = await startServer(env);
      const loads = [load(server), load(server)];
      // Every second life lasts until a build is done, so that the same ones are not interrupted for ever.
      const done = seen.size;
      while (n % 2 === 0 && seen.size === done) await sleep(10);
      await sleep(Math.random() * 800);
      await server.end('SIGKILL');
      await Promise.all(loads);
    }

    const server = await startServer(env);
    expect(accepted.size).toBeGreaterThan(kills);
    const interrupted: FactoryJob[] = [];
    for (const [id, prompt] of accepted) {
      const { text } = await askJobs(server, `/${id}/events`, { key });
      const events = eventsIn(text, true);
      expect(faultsOf(events)).toEqual([]);
      const job = finalJob(events);
      expect([job.status, job.error]).toEqual(['succeeded', null]);
      if (job.attempt > 1) {
        interrupted.push(job);
        expect(
          events.some((event) => event.type === 'notice' && event.code === 'recovered_after_restart'),
        ).toBe(true);
        // One is as good as all: they differ by a number in the prompt.
        if (interrupted.length === 1) expect(job.artifact?.sha256).toBe(await hashOf(prompt));
      }
    }
    // What was sent before an end is what is read after it.
    for (const [id, text] of seen) {
      const url = `${server.url}/api/factory/public-demo/${id}/events`;
      const again = (await (await fetch(url)).text()).replaceAll(/^id: \d+\n/gm, '');
      const sent = text.split('\n\n').filter((line) => line !== '' && !line.includes('"seq":null'));
      for (const line of sent) expect(again).toContain(line);
    }
    // Builds whose acceptance was lost have ended as well.
    const database = new DatabaseSync(path.join(folder, 'switchyard.db'), { readOnly: true });
    const kept = () => database.prepare('select status, attempt from factory_jobs').all();
    await eventually(() => kept().every(({ status }) => status !== 'queued' && status !== 'running'));
    expect(kept().filter(({ status }) => status !== 'succeeded')).toEqual([]);
    expect(kept().filter(({ attempt }) => Number(attempt) > 1).length).toBeGreaterThan(0);
    database.close();
    // Each has one row in the ledger, settled as it ended.
    const rows: { operation: string; status: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const response = await fetch(`${server.url}/v1/requests?limit=100${cursor && `&cursor=${cursor}`}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const page = (await response.json()) as { data: typeof rows; next_cursor: string | null };
      rows.push(...page.data);
      cursor = page.next_cursor;
    }
    const succeeded = rows.filter(({ status }) => status === 'succeeded');
    expect(succeeded.length).toBeGreaterThanOrEqual(accepted.size);
    expect(rows.filter(({ status }) => status === 'running')).toEqual([]);
    // An admission whose build was not yet stored when the server ended.
    expect(rows.length - succeeded.length).toBeLessThanOrEqual(kills * 2);
    expect(await server.end('SIGTERM')).toBe(0);
  });
});

/** The whole server is killed while it builds a revision: it is taken up again, ends once, and its request is settled once. */

describe('revisions crash', () => {
  const key = 'crash-test-key-0123456789';

  onEveryStore('a revision over a crash', (on) => {
    it('is resumed and ends once, and the next one is made from it', async () => {
      const { dataDir, databaseUrl } = await on.database();
      const env = {
        DATA_DIR: dataDir,
        ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
        API_KEYS: key,
        LOG_LEVEL: 'error',
      };
      let server = await startServer(env);
      const first = await askJobs(server, '', { body: { spec: loans }, key });
      await askJobs(server, `/${first.json.id}/events`, { key });
      let base: string = first.json.id;
      const attempts: number[] = [];
      for (const name of ['One', 'Two', 'Three']) {
        const asked = await askJobs(server, `/${base}/revisions`, { body: { patch: { name } }, key });
        expect([asked.status, asked.json.revision.base_id]).toEqual([202, base]);
        await server.end('SIGKILL');
        server = await startServer(env);
        const { text } = await askJobs(server, `/${asked.json.id}/events`, { key });
        const events = eventsIn(text, true);
        expect(faultsOf(events)).toEqual([]);
        const job = finalJob(events);
        expect([job.status, job.error, job.plan?.spec?.name]).toEqual(['succeeded', null, name]);
        attempts.push(job.attempt);
        // What was asked for at the same time in another life has not come through beside it.
        const again = await askJobs(server, `/${base}/revisions`, { body: { patch: { name: 'Late' } }, key });
        expect([again.status, again.error.details[0]?.message]).toEqual([409, job.id]);
        base = job.id;
      }
      // A server that ended before the build was begun leaves it at its first attempt.
      expect(attempts.every((attempt) => attempt >= 1)).toBe(true);
      const { data } = (await askJobs(server, `/${base}/revisions`, { key })).json;
      const numbers = data.map(({ revision }: { revision: { number: number } }) => revision.number);
      expect(numbers).toEqual([4, 3, 2, 1]);
      const { json } = await ask(`${server.url}/v1/requests?limit=100`, { key });
      const rows: { operation: string; status: string }[] = json.data;
      const settled = rows.map(({ operation, status }) => `${operation} ${status}`);
      expect(settled).toEqual([
        ...Array.from({ length: 3 }, () => 'createFactoryRevision succeeded'),
        'createFactoryJob succeeded',
      ]);
      await server.end('SIGKILL');
    });
  });
});
