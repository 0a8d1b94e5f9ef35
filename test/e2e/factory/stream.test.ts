/** The events of a build: on the wire, to the end, from anywhere, to slow readers too. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { BuildReport } from '../../../src/factory/builder.ts';
import { followSettings } from '../../../src/services/builds/follow.ts';
import { appForThisTest, startApp, type TestApp } from '../../helpers/app.ts';
import {
  askJobs,
  beginBuild,
  eventsIn,
  eventually,
  everyReport,
  faultsOf,
  finalJob,
  gate,
  latestBuild,
  postDemo,
  scripted,
  storedIn,
  tinyApp,
  ways,
} from '../../helpers/factory.ts';
import { ask, open, readAll } from '../../helpers/http.ts';
import { onEveryStore } from '../../helpers/store.ts';

const demoEvents = (app: TestApp, id: string, after = 0, headers: Record<string, string> = {}) =>
  ask(`${app.url}/api/factory/public-demo/${id}/events?after=${after}`, { key: null, headers });

onEveryStore('the stream of a build', (on) => {
  async function app(options: Parameters<typeof startApp>[0] = {}) {
    const started = await startApp({ database: await on.database(), ...options });
    on.cleanUp(() => started.close());
    return started;
  }

  it('by the embedded engine has every event in order and ends with an app that can be had', async () => {
    const server = await app();
    const { status, headers, text } = await postDemo(server, 'an expense tracker');
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(headers['ratelimit-policy']).toBe('"demo";q=100000;w=300');
    const events = eventsIn(text);
    expect(faultsOf(events)).toEqual([]);
    const job = finalJob(events);
    expect(job).toMatchObject({
      id: headers['x-job-id'],
      status: 'succeeded',
      title: 'Expense Tracker',
      engine: { mode: 'embedded', template_id: 'tracker@1' },
      progress: { percent: 100, stage_index: 4, stage_count: 4 },
      // Where a build takes long, heartbeats come in between.
      last_seq: storedIn(events).length,
      attempt: 1,
    });
    const archive = await ask(job.artifact?.url ?? '', { key: null });
    expect(archive.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="expense-tracker.zip"',
      'content-length': String(job.artifact?.bytes),
      etag: `"${job.artifact?.sha256}"`,
    });
    expect((await ask(job.links.self, { key: null })).json).toEqual({ ...job });
    const body = { prompt: ' an expense\ttracker ', template_id: 'tracker' };
    const again = finalJob(eventsIn((await postDemo(server, null, { body })).text));
    expect(again.id).not.toBe(job.id);
    expect(again.artifact?.sha256).toBe(job.artifact?.sha256);
  });

  it('can be read on from every number, and past the end gives the final event again', async () => {
    const server = await app({ factory: { loadBuilder: async () => scripted() } });
    const all = eventsIn((await postDemo(server, 'a scripted build')).text);
    const id = finalJob(all).id;
    for (let after = 0; after < all.length; after += 1) {
      expect(eventsIn((await demoEvents(server, id, after)).text, true)).toEqual(all.slice(after));
    }
    for (const after of [all.length, all.length + 1, 1_000_000]) {
      expect(eventsIn((await demoEvents(server, id, after)).text, true)).toEqual(all.slice(-1));
    }
    const byHeader = await demoEvents(server, id, 1, { 'last-event-id': String(all.length - 2) });
    expect(eventsIn(byHeader.text, true)).toEqual(all.slice(-2));
    const byNonsense = await demoEvents(server, id, all.length - 1, { 'last-event-id': 'nonsense' });
    expect(eventsIn(byNonsense.text, true)).toEqual(all.slice(-1));
  });

  it('is the same for a hundred who watch one build, from its middle on and with some leaving', async () => {
    const [reached, half] = [gate(), gate()];
    const server = await app({
      factory: {
        loadBuilder: async () =>
          scripted((report) => {
            if (report.type !== 'repair') return undefined;
            reached.open();
            return half.opened;
          }),
      },
    });
    const posted = postDemo(server, 'a build that many watch');
    await reached.opened;
    const id = await latestBuild(server);
    const leaving = new AbortController();
    const left = Array.from({ length: 10 }, () =>
      ask(`${server.url}/api/factory/public-demo/${id}/events`, { key: null, signal: leaving.signal }).catch(
        () => 'left',
      ),
    );
    const watching = Array.from({ length: 100 }, (_, n) => demoEvents(server, id, n % 8));
    await eventually(() => server.running.size >= 111);
    leaving.abort();
    expect(await Promise.all(left)).toEqual(left.map(() => 'left'));
    half.open();
    const all = storedIn(eventsIn((await posted).text));
    expect(faultsOf(all)).toEqual([]);
    for (const [n, { text }] of (await Promise.all(watching)).entries()) {
      expect(storedIn(eventsIn(text, true))).toEqual(all.slice(n % 8));
    }
  });
});

it('is refused while too many are open, from one reader or in all, and costs no seat when it is over', async () => {
  const half = gate();
  const server = await appForThisTest({
    trustedProxies: 1,
    factory: { streams: { all: 2, reader: 1 }, loadBuilder: async () => scripted(() => half.opened) },
  });
  const from = (client: string) => ({ 'x-forwarded-for': client });
  /** A stream of which something has come. */
  const begun = async (address: string, init: RequestInit) => {
    const reader = ((await fetch(server.url + address, init)).body as ReadableStream).getReader();
    await reader.read();
    return reader;
  };
  const posted = await begun('/api/factory/public-demo', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...from('10.0.0.1') },
    body: JSON.stringify({ prompt: 'a build that is watched' }),
  });
  const id = await latestBuild(server);
  const refused = await demoEvents(server, id, 0, from('10.0.0.1'));
  expect([refused.status, refused.error.code, refused.headers['retry-after']]).toEqual([
    503,
    'too_many_streams',
    '10',
  ]);
  const other = await begun(`/api/factory/public-demo/${id}/events`, { headers: from('10.0.0.2') });
  expect((await demoEvents(server, id, 0, from('10.0.0.3'))).status).toBe(503);
  expect((await postDemo(server, 'another build', { headers: from('10.0.0.4') })).status).toBe(503);
  await Promise.all([posted.cancel(), other.cancel()]);
  await eventually(() => server.running.size === 0);
  half.open();
  expect((await demoEvents(server, id, 0, from('10.0.0.1'))).status).toBe(200);
});

const momentOf = (report: BuildReport) => (report.type === 'stage' ? report.stage : report.type);

describe.each(ways)('every kind of event of a %s', (way) => {
  it('comes, in a queue, with silence, repairs and a step down', async () => {
    const [first, second] = [gate(), gate()];
    const gates = [first, second];
    const server = await appForThisTest({
      factory: {
        concurrency: 1,
        follow: { ...followSettings, heartbeatMs: 40, pollMs: 10 },
        loadBuilder: async () => {
          return scripted((report) => (report.type === 'file' ? gates.shift()?.opened : undefined));
        },
      },
    });
    await beginBuild(server, way, 'the first build');
    await eventually(() => server.factory.runner.running === 1);
    await beginBuild(server, way, 'the second build');
    const { streams, texts } = await beginBuild(server, way, 'the third build');
    const allShow = (event: RegExp) => eventually(() => texts.every((text) => event.test(text)));
    await allShow(/"type":"queue.position".*"ahead":1/);
    await allShow(/"type":"heartbeat"/);
    first.open();
    await allShow(/"type":"queue.position".*"ahead":0/);
    second.open();
    for (const events of await Promise.all(streams)) {
      expect(faultsOf(events)).toEqual([]);
      const kinds = new Set(events.map(({ type }) => type));
      expect([...kinds].toSorted()).toEqual(
        [
          'artifact.ready',
          'check.completed',
          'file.completed',
          'heartbeat',
          'job.queued',
          'job.started',
          'job.succeeded',
          'notice',
          'plan.ready',
          'preview.ready',
          'queue.position',
          'repair.completed',
          'repair.started',
          'stage.completed',
          'stage.started',
        ].toSorted(),
      );
      const positions = events.flatMap((event) => (event.type === 'queue.position' ? [event.ahead] : []));
      expect(positions).toEqual([1, 0]);
      expect(finalJob(events)).toMatchObject({
        engine: { mode: 'model', model: 'gpt-test', degraded_from: 'gpt-test' },
        usage: { llm_calls: 1, input_tokens: 100, output_tokens: 20, cost_usd: 0.01 },
      });
    }
  });

  it('comes for a build that fails, and shows nothing of why inside', async () => {
    const server = await appForThisTest({
      errorsExpected: true,
      factory: {
        loadBuilder: async () => async (context) => {
          await context.report({ type: 'stage', stage: 'planning' });
          throw new Error('an internal detail');
        },
      },
    });
    const { streams } = await beginBuild(server, way, 'a build that fails');
    for (const events of await Promise.all(streams)) {
      expect(faultsOf(events)).toEqual([]);
      expect(finalJob(events)).toMatchObject({
        status: 'failed',
        error: { code: 'build_failed', stage: 'planning', retryable: true },
        artifact: null,
      });
      expect(JSON.stringify(events)).not.toContain('internal detail');
    }
    expect(JSON.stringify(server.log)).toContain('an internal detail');
  });

  it('comes for a build that is cancelled while it waits', async () => {
    const never = gate();
    const server = await appForThisTest({
      factory: { concurrency: 1, loadBuilder: async () => scripted(() => never.opened) },
    });
    await beginBuild(server, way, 'a build before it');
    const { id, owner, streams } = await beginBuild(server, way, 'a build that waits');
    expect(await server.factory.service.cancel(id, owner)).toMatchObject({ status: 'cancelled', attempt: 0 });
    for (const events of await Promise.all(streams)) {
      expect(faultsOf(events)).toEqual([]);
      expect(events.map(({ type }) => type).filter((type) => type !== 'queue.position')).toEqual([
        'job.queued',
        'job.cancelled',
      ]);
    }
  });

  it('comes for a build that is cancelled, whatever it is doing', async () => {
    const moments = new Set(everyReport.map(momentOf));
    const reached = new Map([...moments].map((moment) => [`stop at ${moment}`, gate()]));
    const server = await appForThisTest({
      factory: {
        concurrency: moments.size,
        loadBuilder: async () =>
          scripted((report, { prompt }) => {
            if (prompt !== `stop at ${momentOf(report)}`) return undefined;
            reached.get(prompt)?.open();
            return gate().opened;
          }),
      },
    });
    const cancelled = [...reached].map(async ([prompt, { opened }]) => {
      const { id, owner, streams } = await beginBuild(server, way, prompt);
      await opened;
      await server.factory.service.cancel(id, owner);
      for (const events of await Promise.all(streams)) {
        expect(faultsOf(events), prompt).toEqual([]);
        expect(events.at(-1)?.type, prompt).toBe('job.cancelled');
      }
      expect(await server.factory.service.cancel(id, owner)).toMatchObject({ status: 'cancelled' });
    });
    await Promise.all(cancelled);
  });

  it('comes when the server stops, and the next start finishes the build', async () => {
    const [reached, never] = [gate(), gate()];
    const server = await appForThisTest({
      factory: {
        loadBuilder: async () =>
          scripted((report) => {
            if (report.type !== 'file') return undefined;
            reached.open();
            return never.opened;
          }),
      },
    });
    const { id, streams } = await beginBuild(server, way, 'a build that is interrupted');
    await reached.opened;
    server.factory.stop();
    for (const events of await Promise.all(streams)) {
      expect(events.at(-1)).toMatchObject({ type: 'stream.closing', reason: 'shutdown', seq: null });
      expect((events.at(-1) as { resume_url: string }).resume_url).toContain(`${id}/events?after=`);
    }
    const refused =
      way === 'demo'
        ? await postDemo(server, 'one more')
        : await askJobs(server, '', { body: { prompt: 'one more' } });
    expect([refused.status, refused.error.code]).toEqual([503, 'shutting_down']);
    await server.factory.close();
    const row = await server.accounts.store.db
      .selectFrom('factory_jobs')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ status: 'queued', worker_id: null, attempt: 1 });
  });
});

it('a stream is closed when it was open for long, and the rest can be read', async () => {
  const never = gate();
  const server = await appForThisTest({
    factory: {
      follow: { heartbeatMs: 1_000, pollMs: 10, maxDurationMs: 30 },
      loadBuilder: async () => scripted((report) => (report.type === 'file' ? never.opened : undefined)),
    },
  });
  const events = eventsIn((await postDemo(server, 'a long build')).text);
  expect(events.at(-1)).toMatchObject({ type: 'stream.closing', reason: 'max_duration' });
  never.open();
  const { resume_url } = events.at(-1) as { resume_url: string };
  const rest: string[] = [];
  await eventually(async () => {
    rest.push((await ask(resume_url, { key: null })).text);
    return rest.at(-1)?.includes('"final":true') ?? false;
  });
});

it('whoever goes away does not stop the build', async () => {
  const [reached, half] = [gate(), gate()];
  const server = await appForThisTest({
    factory: {
      loadBuilder: async () =>
        scripted((report) => {
          if (report.type !== 'file') return undefined;
          reached.open();
          return half.opened;
        }),
    },
  });
  const leaving = new AbortController();
  const posted = postDemo(server, 'a build that is left', { signal: leaving.signal }).catch(() => null);
  await reached.opened;
  leaving.abort();
  await posted;
  await eventually(() => server.running.size === 0);
  half.open();
  const { text } = await demoEvents(server, await latestBuild(server));
  expect(faultsOf(eventsIn(text, true))).toEqual([]);
});

it('a reader that takes nothing gets no more than there is room for, and the end when it reads on', async () => {
  const message = 'x'.repeat(50_000);
  const server = await appForThisTest({
    writeTimeoutMs: 3_000,
    factory: {
      loadBuilder: async () => async (context) => {
        for (const report of everyReport.slice(0, 6)) await context.report(report);
        for (let n = 0; n < 400; n += 1) {
          await context.report({ type: 'notice', code: 'prompt_truncated', message: `${n} ${message}` });
        }
        await context.report({ type: 'stage', stage: 'packaging' });
        return tinyApp;
      },
    },
  });
  const socket = await open(server.port);
  socket.pause();
  const body = JSON.stringify({ prompt: 'a build for a slow reader' });
  const head = ['POST /api/factory/public-demo HTTP/1.1', 'host: x', 'connection: close'];
  socket.write(
    `${[...head, 'content-type: application/json', `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`,
  );
  const id = await eventually(() => latestBuild(server).catch(() => null));
  const record = `${server.url}/api/factory/public-demo/${id}`;
  await eventually(async () => (await ask(record, { key: null })).json.status === 'succeeded');
  // It is given up by now, and not cut off yet.
  await sleep(3_500);
  const text = await readAll(socket);
  expect(text.length).toBeLessThan(15_000_000);
  expect(text).toContain('"reason":"slow_consumer"');
  const rest = await demoEvents(server, id);
  expect(faultsOf(eventsIn(rest.text, true))).toEqual([]);
  expect(rest.text.length).toBeGreaterThan(20_000_000);
});
