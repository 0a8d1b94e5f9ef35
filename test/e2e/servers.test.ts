/** What servers on one database tell of themselves, to each other and to the operator. */
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { Reloads } from '../../src/config/reloads.ts';
import { digestForTests, startApp, type TestApp, testAdminPassword } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';
import { onEveryStore } from '../helpers/store.ts';

interface Shown {
  readonly id: string;
  readonly version: string | null;
  readonly state: string | null;
  readonly config_digest: string | null;
  readonly current: boolean;
}

async function serversOf({ url }: TestApp): Promise<readonly Shown[]> {
  const { status, json } = await ask(`${url}/api/admin/servers`, { key: testAdminPassword });
  expect(status).toBe(200);
  return json.data;
}

/** What each tells of itself, without the one that is asked. */
const others = async (app: TestApp) => (await serversOf(app)).filter(({ current }) => !current);

/** A configuration whose file can be written. */
async function configOf(first: string) {
  const file = { text: first };
  const read = () => readConfig({ SWITCHYARD_CONFIG: '/etc/switchyard.yaml' }, async () => file.text);
  const config = new Reloads({
    config: await read(),
    file: '/etc/switchyard.yaml',
    read,
    apply: async () => undefined,
    pseudonym: digestForTests,
    now: Date.now,
  });
  return { file, config };
}

onEveryStore('servers on one database', (on) => {
  it('are seen from each, with what they tell, until they are gone', async () => {
    const database = await on.database();
    const same = 'aliases: {one: sandbox/echo, two: sandbox/echo}';
    const [a, b] = [await configOf(same), await configOf('aliases: {two: sandbox/echo, one: sandbox/echo}')];
    const one = await startApp({ database, config: a.config });
    const other = await startApp({ database, config: b.config });
    on.cleanUp(() => one.close());
    const [own] = (await serversOf(one)).filter(({ current }) => current);
    await expect.poll(async () => (await serversOf(one)).find(({ current }) => current)?.state).toBe('ready');
    const shownByOther = async () => {
      await other.accounts.beat();
      return (await others(one)).map(({ state }) => state);
    };
    await expect.poll(shownByOther).toEqual(['ready']);
    expect(await others(one)).toMatchObject([
      { id: other.accounts.instanceId, version: 'test', state: 'ready', config_digest: own?.config_digest },
    ]);
    expect((await others(other)).map(({ id }) => id)).toEqual([one.accounts.instanceId]);

    a.file.text = 'aliases: {one: sandbox/echo}';
    const reload = `${one.url}/api/admin/config/reload`;
    const { json } = await ask(reload, { method: 'POST', key: testAdminPassword });
    const now = (await serversOf(one)).find(({ current }) => current)?.config_digest;
    expect([now, now !== own?.config_digest]).toEqual([json.config.digest, true]);
    await one.accounts.beat();
    expect((await others(other))[0]?.config_digest).toBe(now);
    expect((await others(one))[0]?.config_digest).toBe(own?.config_digest);

    await other.close();
    expect(await others(one)).toEqual([]);
  });

  it('tell when they are stopping', async () => {
    const database = await on.database();
    const one = await startApp({ database });
    on.cleanUp(() => one.close());
    const other = await startApp({ database });
    on.cleanUp(() => other.close());
    other.lifecycle.draining = true;
    await other.accounts.beat();
    expect((await others(one)).map(({ state }) => state)).toEqual(['draining']);
  });

  it('of an older version tell nothing, and are listed', async () => {
    const one = await startApp({ database: await on.database() });
    on.cleanUp(() => one.close());
    const { clock, db } = one.accounts.store;
    await db
      .insertInto('instances')
      .values({ id: '0', host: 'other', pid: 7, started_at: 1, expires_at: clock.now() + 15_000 })
      .execute();
    const unknown = { name: null, version: null, state: null, config_digest: null };
    expect(await others(one)).toMatchObject([{ id: '0', pid: 7, ...unknown }]);
    const { token } = await one.accounts.sessions.begin(null);
    const page = await ask(`${one.url}/admin/factory/settings/api-keys?view=servers`, {
      key: null,
      headers: { cookie: `switchyard_admin=${token}` },
    });
    expect([page.status, page.text.includes('unknown')]).toEqual([200, true]);
  });
});
