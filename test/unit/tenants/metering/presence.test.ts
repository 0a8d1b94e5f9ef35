/** Who counts as gone, and who does not. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import type { About } from '../../../../src/lib/server-about.ts';
import type { Store } from '../../../../src/store/store.ts';
import { hostOfProcess, Presence } from '../../../../src/tenants/metering/presence.ts';
import { onEveryStore } from '../../../helpers/store.ts';
import { tenantOn, testAccounts } from '../../../helpers/store-accounts.ts';
import { openTestAgents, startRun } from '../../../helpers/store-agents.ts';
import { startProcess, startProcessWith } from '../../../helpers/store-process.ts';
import { TestClock } from '../../../helpers/test-database.ts';

/** A number that no process has: those of Linux end before. */
const nobody = 2 ** 22 + 1;

async function row({ db, clock }: Store, id: string, host: string, pid: number): Promise<void> {
  const now = clock.now();
  await db
    .insertInto('instances')
    .values({ id, host, pid, started_at: now, expires_at: now + 15_000 })
    .execute();
}

const idsIn = async ({ db }: Store) =>
  (await db.selectFrom('instances').select('id').orderBy('id').execute()).map(({ id }) => id);

onEveryStore('a process on the database', (on) => {
  it('is not gone because a machine of the same name has no process of its number', async () => {
    const store = await on.open(await on.database());
    await row(store, 'version 1.0', hostname(), nobody);
    await row(store, 'version 1.0 here', hostname(), process.pid);
    const own = hostOfProcess(process.pid);
    await row(store, 'other machine', own.replace(/boot:\S+/, 'boot:other'), nobody);
    await row(store, 'other container', own.replace(/pid:\[\d+\]/, 'pid:[1]'), nobody);
    await row(store, 'another system', 'unknown:', nobody);
    const before = await idsIn(store);
    await new Presence(store, 'judge').sweep();
    expect(await idsIn(store)).toEqual(before);
  });

  it('has a row by which version 1.0 cannot tell that it has ended', async () => {
    const { store } = await testAccounts(on);
    const [found] = await store.db.selectFrom('instances').selectAll().execute();
    expect(found?.host).not.toBe(hostname());
  });

  it('tells of itself each time that it shows itself, and since when it runs when it was taken for gone, too', async () => {
    const clock = new TestClock();
    const store = await on.open(await on.database(), clock);
    let state: About['state'] = 'starting';
    const about = () => ({ name: 'host', version: '1.2.3', state, config: null });
    const presence = new Presence(store, 'self', about);
    const startedAt = clock.now();
    const shown = () => store.db.selectFrom('instances').selectAll().executeTakeFirstOrThrow();
    await presence.renew();
    expect(await shown()).toMatchObject({ ...about(), started_at: startedAt });
    clock.time += 60_000;
    state = 'ready';
    await presence.renew();
    expect(await shown()).toMatchObject({ state: 'ready', started_at: startedAt });
    await store.db.deleteFrom('instances').execute();
    await presence.showQuickly();
    expect(await shown()).toMatchObject({ ...about(), started_at: startedAt });
  });

  it('is gone at once when it has ended here, and when its number is another’s by now', async () => {
    const store = await on.open(await on.database());
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    await row(store, 'child', hostOfProcess(pid), pid);
    await row(store, 'before', `${hostOfProcess(pid)}0`, pid);
    const judge = new Presence(store, 'judge');
    await judge.sweep();
    expect(await idsIn(store)).toEqual(['child']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await judge.sweep();
    expect(await idsIn(store)).toEqual([]);
  });

  it('in another container is left alone though their machines are called the same', async ({ skip }) => {
    const within = [
      'unshare',
      '--user',
      '--map-root-user',
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
    ];
    const trial = spawn(within[0] ?? '', [...within.slice(1), 'true'], { stdio: 'ignore' });
    const [code] = (await Promise.race([once(trial, 'exit'), once(trial, 'error')])) as [unknown];
    skip(code !== 0, 'this machine allows no PID namespaces');
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    await tenantOn(accounts, 'acme', 'enterprise');
    const agents = await openTestAgents(accounts);
    on.cleanUp(() => agents.close());
    const key = await startRun(agents, 'slow');
    const [here, there] = [
      await startProcess(on, database, 'verify'),
      await startProcessWith(on, { within }, database, 'verify'),
    ];
    expect(await idsIn(accounts.store)).toHaveLength(3);
    expect(['running', 'succeeded']).toContain((await agents.record(key)).status);
    here.child.kill('SIGKILL');
    await here.ended;
    await accounts.beat();
    // The local process is known to have ended; the remote one may still run.
    expect(await idsIn(accounts.store)).toHaveLength(2);
    there.child.kill('SIGKILL');
    await there.ended;
    await accounts.beat();
    expect(await idsIn(accounts.store)).toHaveLength(2);
  });
});
