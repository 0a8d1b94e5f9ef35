/** Revisions of builds: made by patch, spec, instruction and restoring, in their order, compared, and followed. */
import { describe, expect, it } from 'vitest';
import type { BuildEvent, FactoryJob } from '../../../generated/types.gen.ts';
import { appForThisTest, startApp, type TestApp } from '../../helpers/app.ts';
import { contract } from '../../helpers/contract.ts';
import {
  built,
  demoSide,
  eventsIn,
  eventually,
  finalJob,
  gate,
  loans,
  revised,
  scripted,
  sides,
  tenantSide,
} from '../../helpers/factory.ts';
import { ask } from '../../helpers/http.ts';
import { onEveryStore } from '../../helpers/store.ts';

const nameOf = (job: FactoryJob) => job.plan?.spec?.name;

onEveryStore('a revision', (on) => {
  /** Each on one of the stores: which side asks makes no difference to what is stored. */
  const sidesHere = on.dialect === 'sqlite' ? [tenantSide] : [demoSide];

  async function app(options: Parameters<typeof startApp>[0] = {}) {
    const started = await startApp({ database: await on.database(), ...options });
    on.cleanUp(() => started.close());
    return started;
  }

  it('keeps entries under the name that the first build has, which no other app has', async () => {
    const server = await app();
    const keptIn = async ({ id }: FactoryJob) => {
      const { json } = await tenantSide.get(server, `/${id}/files`);
      const page: string = json.data.find(({ path }: { path: string }) => path === 'src/index.html').text;
      const found = (name: string) => new RegExp(`"${name}": "([^"]+)"`).exec(page)?.[1];
      return { name: found('family') ?? found('id'), line: found('line') };
    };
    const first = await built(tenantSide, server, { spec: loans });
    const second = await revised(tenantSide, server, first.id, { instruction: 'make it a board' });
    const third = await revised(tenantSide, server, second.id, { instruction: 'make it a quiz' });
    const other = await built(tenantSide, server, { spec: loans });
    const changed = await revised(tenantSide, server, other.id, { patch: { name: 'Shelf' } });
    const { name } = await keptIn(first);
    const { line } = await keptIn(second);
    expect([name, line]).toEqual([expect.any(String), expect.any(String)]);
    expect(await keptIn(third)).toEqual({ name, line });
    expect(await keptIn(changed)).toEqual({ name, line: expect.not.stringMatching(line ?? '') });
  });

  it.each(sidesHere)(
    'of a build of the $name is a build of its own that knows where it comes from',
    async (side) => {
      const server = await app();
      const first = await built(side, server, { spec: loans });
      expect(first.revision).toEqual({
        number: 1,
        root_id: first.id,
        base_id: null,
        change: { type: 'first', instruction: null, restored: null },
        understood: [],
        not_understood: [],
      });
      const second = await revised(side, server, first.id, { patch: { name: 'Shelf', tagline: null } });
      expect([second.status, nameOf(second), second.prompt]).toEqual(['succeeded', 'Shelf', '']);
      expect(second.revision).toMatchObject({ number: 2, root_id: first.id, base_id: first.id });
      expect(second.revision.change.type).toBe('patch');
      const third = await revised(side, server, second.id, {
        spec: { palette: { mode: 'dark' }, features: ['csv'] },
      });
      expect(third.plan?.spec).toMatchObject({
        name: 'Shelf',
        palette: { accent: '#2f7d4f', mode: 'dark', look: second.plan?.spec?.palette?.look },
        features: ['csv'],
        seed: [{ f0: 'Dune', f1: 'Ana', f2: '@+7' }],
      });
      const fourth = await revised(side, server, third.id, { instruction: 'call it Zap' });
      expect([nameOf(fourth), fourth.revision.change]).toEqual([
        'Zap',
        { type: 'instruction', instruction: 'call it Zap', restored: null },
      ]);
      expect(fourth.revision.understood).toHaveLength(1);
      const fifth = await revised(side, server, fourth.id, { restore: 1 });
      expect(fifth.plan?.spec).toEqual(first.plan?.spec);
      expect(fifth.artifact?.sha256).toBe(first.artifact?.sha256);
      expect(fifth.revision).toMatchObject({ number: 5, change: { type: 'restore', restored: 1 } });

      const list = await side.get(server, `/${second.id}/revisions?limit=3`);
      expect(list.json.data.map(({ id }: FactoryJob) => id)).toEqual([fifth.id, fourth.id, third.id]);
      const rest = await side.get(server, `/${first.id}/revisions?limit=3&cursor=${list.json.next_cursor}`);
      expect(rest.json.data.map(({ id }: FactoryJob) => id)).toEqual([second.id, first.id]);
      expect(rest.json.next_cursor).toBeNull();
      const links = { key: side === demoSide ? null : undefined, keyAs: 'x-api-key' } as never;
      expect((await ask(first.links.newest, links)).json.id).toBe(fifth.id);
      expect((await ask(third.links.revisions, links)).json.data).toHaveLength(5);
      const page = await ask(fifth.preview?.url ?? '', { key: null });
      expect(page.status).toBe(200);
    },
  );

  it.each(sidesHere)('of the $name can only be of the newest: of two at once one wins', async (side) => {
    const server = await app();
    const first = await built(side, server, { spec: loans });
    const answers = await Promise.all(
      ['One', 'Two', 'Three', 'Four'].map((name) =>
        side.post(server, { patch: { name } }, `/${first.id}/revisions`),
      ),
    );
    const won = answers.filter(({ status }) => status < 300);
    expect(won).toHaveLength(1);
    const second = await side.finished(server, won[0] as (typeof answers)[0]);
    expect(second.revision.number).toBe(2);
    for (const lost of answers.filter((answer) => answer !== won[0])) {
      expect([lost.status, lost.error.code, lost.error.param]).toEqual([409, 'conflict', 'job_id']);
      expect(lost.error.details).toEqual([
        { path: 'job_id', code: 'newest_id', message: second.id },
        { path: 'job_id', code: 'newest_number', message: '2' },
      ]);
    }
    const rows = await server.accounts.store.db.selectFrom('factory_jobs').select('revision').execute();
    expect(rows.map(({ revision }) => revision).sort()).toEqual([1, 2]);
  });
});

describe.each(sides)('a revision of the $name', (side) => {
  const rename = { op: 'replace', path: '/name', value: 'Shelf' };
  it('by a JSON Patch is made whole or not at all, and a test that fails is a conflict', async () => {
    const app = await appForThisTest({});
    const { id } = await built(side, app, { spec: loans });
    const tested = (value: string) => [
      rename,
      { op: 'test', path: '/entity/fields/2/label', value },
      { op: 'move', from: '/entity/fields/2', path: '/entity/fields/0' },
      { op: 'add', path: '/entity/fields/-', value: { label: 'Returned', type: 'checkbox' } },
    ];
    const stale = await side.post(app, { json_patch: tested('Day') }, `/${id}/revisions`);
    expect([stale.status, stale.error.code, stale.error.details]).toEqual([
      409,
      'conflict',
      [
        {
          path: 'json_patch[1].path',
          code: 'test_failed',
          message: 'is "/entity/fields/2/label", which does not have the tested value',
        },
      ],
    ]);
    const { plan, revision } = await revised(side, app, id, { json_patch: tested('Due date') });
    expect([revision.number, revision.change.type, plan?.spec?.name]).toEqual([2, 'patch', 'Shelf']);
    expect(plan?.spec?.entity?.fields.map(({ key, label }) => [key, label])).toEqual([
      ['f2', 'Due date'],
      ['f0', 'Book'],
      ['f1', 'Lent to'],
      ['f3', 'Returned'],
    ]);
    expect(plan?.spec?.seed?.[0]).toMatchObject({ f0: 'Dune', f2: '@+7' });
  });

  it('waits for nobody: while its base runs, or when it did not succeed, it is refused', async () => {
    const half = gate();
    const app = await appForThisTest({
      errorsExpected: true,
      factory: {
        loadBuilder: async () =>
          scripted(async (report, { prompt }) => {
            if (prompt.includes('fails')) throw new Error('as the test wants it');
            if (report.type === 'repair') await half.opened;
          }),
      },
    });
    const failed = await built(side, app, { prompt: 'a build that fails' });
    const refused = await side.post(app, { patch: {} }, `/${failed.id}/revisions`);
    expect([refused.status, refused.error.message]).toEqual([
      409,
      'The build did not succeed, so there is nothing to revise.',
    ]);
    const posted = side.post(app, { prompt: 'a build that takes its time' });
    const id = await runningOf(app);
    const early = await side.post(app, { patch: { name: 'Early' } }, `/${id}/revisions`);
    expect([early.status, early.error.message]).toEqual([
      409,
      'The build is not done yet. Revise it when it is.',
    ]);
    expect((await side.get(app, `/${id}/newest`)).json.id).toBe(id);
    expect((await side.get(app, `/${id}/diff`)).status).toBe(409);
    expect((await side.get(app, `/${id}/files`)).status).toBe(409);
    half.open();
    await side.finished(app, await posted);
  });

  it('after one that failed is made from the one before it', async () => {
    const app = await appForThisTest({
      errorsExpected: true,
      factory: {
        loadBuilder: async () => {
          const { embeddedBuilder } = await import('../../../src/factory/embedded-builder.ts');
          return (context) =>
            context.options.spec?.name === 'Broken'
              ? Promise.reject(new Error('as the test wants it'))
              : embeddedBuilder(context);
        },
      },
    });
    const first = await built(side, app, { spec: loans });
    const broken = await revised(side, app, first.id, { patch: { name: 'Broken' } });
    expect([broken.status, broken.revision.number]).toEqual(['failed', 2]);
    expect((await side.get(app, `/${first.id}/newest`)).json.id).toBe(first.id);
    expect((await side.post(app, { patch: {} }, `/${broken.id}/revisions`)).status).toBe(409);
    const third = await revised(side, app, first.id, { patch: { name: 'Whole' } });
    expect([third.status, third.revision.number, third.revision.base_id]).toEqual(['succeeded', 3, first.id]);
  });

  it('is compared with the one that it was made from, or with any of its app', async () => {
    const app = await appForThisTest();
    const first = await built(side, app, { spec: loans });
    const fields = [...(first.plan?.spec?.entity?.fields ?? [])];
    fields.splice(1, 0, { label: 'Author', type: 'text' });
    const second = await revised(side, app, first.id, {
      spec: { name: 'Shelf', entity: { singular: 'loan', plural: 'loans', fields } },
    });
    expect(second.plan?.spec?.entity?.fields.map(({ key, label }) => [key, label])).toEqual([
      ['f0', 'Book'],
      ['f3', 'Author'],
      ['f1', 'Lent to'],
      ['f2', 'Due date'],
    ]);
    const { json: diff } = await side.get(app, `/${second.id}/diff`);
    expect([diff.from, diff.to]).toEqual([
      { id: first.id, number: 1 },
      { id: second.id, number: 2 },
    ]);
    expect(diff.spec).toEqual([
      { path: 'name', before: 'Loans', after: 'Shelf' },
      { path: 'entity.fields[1]', before: null, after: { key: 'f3', label: 'Author', type: 'text' } },
    ]);
    const readme = diff.files.find(({ path }: { path: string }) => path === 'README.md');
    expect(readme).toMatchObject({ status: 'changed' });
    expect(readme.diff).toMatch(/^--- README\.md\n\+\+\+ README\.md\n@@[\s\S]*\n-# Loans\n\+# Shelf\n/);
    const index = diff.files.find(({ path }: { path: string }) => path === 'index.html');
    expect([index.status, index.diff]).toEqual(['changed', null]);
    for (const against of ['1', first.id])
      expect((await side.get(app, `/${second.id}/diff?against=${against}`)).json).toEqual(diff);
    const { json: whole } = await side.get(app, `/${first.id}/diff`);
    expect(whole.from).toBeNull();
    expect(whole.files.every(({ status }: { status: string }) => status === 'added')).toBe(true);
    expect((await side.get(app, `/${second.id}/diff?against=9`)).error.code).toBe('not_found');
    const other = await built(side, app, { spec: { kind: 'notes' } });
    expect((await side.get(app, `/${second.id}/diff?against=${other.id}`)).status).toBe(404);
    expect((await side.get(app, `/${second.id}/diff?against=last`)).error).toMatchObject({
      code: 'invalid_request',
      param: 'against',
    });

    const { json: files } = await side.get(app, `/${second.id}/files`);
    expect(files.data.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['README.md', 'index.html', 'manifest.json']),
    );
    const text = files.data.find(({ path }: { path: string }) => path === 'README.md').text;
    expect(text).toContain('# Shelf');
  });

  it('expires like any build, and so does the link to the newest', async () => {
    const app = await appForThisTest();
    const first = await built(side, app, { spec: loans });
    const second = await revised(side, app, first.id, { patch: { name: 'Shelf' } });
    await expire(app, first.id);
    expect((await side.get(app, `/${first.id}/newest`)).json.id).toBe(second.id);
    expect((await side.get(app, `/${second.id}/diff`)).status).toBe(410);
    expect((await side.get(app, `/${first.id}/files`)).status).toBe(410);
    const gone = await side.post(app, { restore: 1 }, `/${second.id}/revisions`);
    expect(gone.error.message).toContain('whose spec has been deleted');
    await expire(app, second.id);
    const newest = await side.get(app, `/${first.id}/newest`);
    expect([newest.status, newest.error.code]).toEqual([410, 'expired']);
    const late = await side.post(app, { patch: {} }, `/${second.id}/revisions`);
    expect([late.status, late.error.code]).toEqual([410, 'expired']);
    expect((await side.get(app, `/${second.id}`)).json.revision).toMatchObject({
      number: 2,
      change: { type: 'patch', instruction: null },
    });
  });

  it('of nothing is not found', async () => {
    const app = await appForThisTest();
    const none = `job_${'0'.repeat(26)}`;
    const own = await built(side, app, { spec: loans });
    const foreign = side === demoSide ? tenantSide : demoSide;
    for (const [asked, id] of [
      [side, none],
      [foreign, own.id],
    ] as const) {
      for (const look of ['/newest', '/diff', '/files', '/revisions'])
        expect((await asked.get(app, `/${id}${look}`)).error.code).toBe('not_found');
      expect((await asked.post(app, { patch: {} }, `/${id}/revisions`)).error.code).toBe('not_found');
    }
  });
});

it('of a build from before there were revisions is the second of its app', async () => {
  const app = await appForThisTest();
  const first = await built(demoSide, app, { spec: loans });
  const { db } = app.accounts.store;
  await db.updateTable('factory_jobs').set({ root_id: null, revision: null }).execute();
  expect((await demoSide.get(app, `/${first.id}`)).json.revision).toEqual(first.revision);
  const second = await revised(demoSide, app, first.id, { patch: { name: 'Shelf' } });
  expect(second.revision).toMatchObject({ number: 2, root_id: first.id });
  expect((await demoSide.get(app, `/${second.id}/diff`)).json.from).toEqual({ id: first.id, number: 1 });
  expect((await demoSide.get(app, `/${first.id}/newest`)).json.id).toBe(second.id);
});

async function expire(app: TestApp, id: string): Promise<void> {
  const { db, clock } = app.accounts.store;
  await db
    .updateTable('factory_jobs')
    .set({ expires_at: clock.now() - 1 })
    .where('id', '=', id)
    .execute();
  expect(await app.factory.sweep()).toBe(1);
}

it('of a demo build tells all that a build can tell', async () => {
  const [held, ahead] = [gate(), gate()];
  const app = await appForThisTest({
    errorsExpected: true,
    factory: {
      concurrency: 1,
      follow: { heartbeatMs: 20, pollMs: 10, maxDurationMs: 60_000 },
      loadBuilder: async () =>
        scripted(async (report, { prompt, options }) => {
          if (prompt.includes('is ahead')) {
            ahead.open();
            await held.opened;
          }
          if (report.type !== 'repair') return;
          if (options.spec?.name === 'Broken') throw new Error('as the test wants it');
          if (options.spec?.name === 'Stopped') await new Promise(() => undefined);
        }),
    },
  });
  const first = await built(demoSide, app, { prompt: 'a scripted build' });
  const told = new Set<string>();
  const hear = (events: readonly BuildEvent[]) => {
    for (const { type } of events) told.add(type);
    return finalJob(events);
  };
  const blocking = demoSide.post(app, { prompt: 'a build that is ahead' });
  await ahead.opened;
  const before = demoSide.post(app, { prompt: 'a build that waits before it' });
  await eventually(async () => (await app.factory.status.read()).queue?.waiting === 1);
  const waiting = demoSide.post(app, { patch: { tagline: 'Waits' } }, `/${first.id}/revisions`);
  await eventually(async () => (await app.factory.status.read()).queue?.waiting === 2);
  // Its stream says that it waits, and that it is still there.
  await new Promise((resolve) => setTimeout(resolve, 200));
  held.open();
  await Promise.all([blocking, before]);
  const second = hear(eventsIn((await waiting).text));
  expect(second.revision.number).toBe(2);
  const broken = hear(
    eventsIn((await demoSide.post(app, { patch: { name: 'Broken' } }, `/${second.id}/revisions`)).text),
  );
  expect([broken.status, broken.revision.number]).toEqual(['failed', 3]);
  const stopped = demoSide.post(app, { patch: { name: 'Stopped' } }, `/${second.id}/revisions`);
  await runningOf(app);
  await app.factory.service.cancel(await runningOf(app), null);
  expect(hear(eventsIn((await stopped).text)).status).toBe('cancelled');
  const left = demoSide.post(app, { patch: { name: 'Stopped' } }, `/${second.id}/revisions`);
  await runningOf(app);
  app.factory.stop();
  for (const { type } of eventsIn((await left).text)) told.add(type);
  const kinds = contract.components['schemas'] as { BuildEvent: { discriminator: { mapping: object } } };
  // Only a first build asks what it should be.
  const tellable = Object.keys(kinds.BuildEvent.discriminator.mapping).filter(
    (type) => type !== 'job.unsure',
  );
  expect([...told].sort()).toEqual(tellable.sort());
});

async function runningOf(app: TestApp): Promise<string> {
  return eventually(async () => {
    const row = await app.accounts.store.db
      .selectFrom('factory_jobs')
      .select('id')
      .where('status', '=', 'running')
      .executeTakeFirst();
    return row?.id;
  });
}
