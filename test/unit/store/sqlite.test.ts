import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ConfigError } from '../../../src/lib/config-error.ts';
import { toStoreError } from '../../../src/store/errors.ts';
import type { Settlement } from '../../../src/store/ledger.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { endNames, endOf } from '../../../src/store/sqlite/ledger.ts';
import type { Admission } from '../../../src/tenants/metering/admission.ts';
import { onSqlite } from '../../helpers/store.ts';
import { admitted, success, tenantOn, testAccounts } from '../../helpers/store-accounts.ts';
import { type Database, openDatabase } from '../../helpers/test-database.ts';

const fileOf = ({ dataDir }: Database) => join(dataDir, 'switchyard.db');
const openStoreModule = new URL('../../../src/store/open-store.ts', import.meta.url).href;

onSqlite('a failing database', (on) => {
  it('that is none stops the start and stays as it is', async () => {
    const database = await on.emptyDatabase();
    await writeFile(fileOf(database), 'this is not a database, however long it may be '.repeat(50));
    const error = await openDatabase(database).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toMatch(
      /switchyard\.db is damaged \(file is not a database\)\. Stop all servers .*`switchyard restore <backup file>`/,
    );
    expect(await readFile(fileOf(database), 'utf8')).toMatch(/^this is not/);
  });

  it('in a place that is no directory stops the start', async () => {
    const database = await on.emptyDatabase();
    await writeFile(join(database.dataDir, 'file'), '');
    await expect(openDatabase({ ...database, dataDir: join(database.dataDir, 'file') })).rejects.toThrow(
      /file is no directory; set DATA_DIR to one\./,
    );
  });

  it('that can only be read stops the start', async () => {
    const database = await on.database();
    await (await openDatabase(database)).close();
    await chmod(fileOf(database), 0o444);
    await chmod(database.dataDir, 0o555);
    on.cleanUp(() => chmod(database.dataDir, 0o755));
    // Root may write everything, so it becomes another user first, and loads before that what only root may read.
    const script = `import { openStore } from ${JSON.stringify(openStoreModule)};
      await (await openStore(${JSON.stringify(await on.database())})).close();
      if (process.getuid() === 0) process.setuid(65534);
      await openStore(${JSON.stringify(database)}).then(() => console.log('opened'), (error) => console.log(String(error)));`;
    const run = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
    expect(run.stdout).toMatch(/switchyard\.db cannot be opened \(EACCES\); give the server the rights/);
  });

  it('that another process holds is waited for without blocking the event loop', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const ask = await tenantOn(accounts, 'acme', 'free');
    const other = new DatabaseSync(fileOf(database));
    other.exec('begin immediate');
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    }, 5);
    setTimeout(() => other.exec('commit'), 200);
    await Promise.all([ask().then(admitted), accounts.tenants.change('acme', { name: 'Acme' }, 'test')]);
    clearInterval(turning);
    other.close();
    expect(turns).toBeGreaterThan(10);
  });

  it('that fails at a commit fails the request, which then did not happen', async () => {
    const accounts = await testAccounts(on);
    const ask = await tenantOn(accounts, 'acme', 'free');
    const { ledger } = accounts.store;
    const commit = ledger.commit.bind(ledger);
    ledger.commit = () => Promise.reject(toStoreError(diskFull()));
    await expect(ask()).rejects.toMatchObject({
      failure: 'disk_full',
      message: /the disk of the database is full/,
    });
    ledger.commit = commit;
    expect(admitted(await ask()).state[0]).toMatchObject({ remaining: 9 });
  });

  it('that cannot be written for a while still gets every settlement', async () => {
    const accounts = await testAccounts(on);
    const ask = await tenantOn(accounts, 'acme', 'free');
    const admission = admitted(await ask({ requestId: 'req_x' }));
    const { ledger } = accounts.store;
    const commit = ledger.commit.bind(ledger);
    ledger.commit = () => Promise.reject(toStoreError(diskFull()));
    const settled = admission.settle(success);
    await accounts.admissions.flush();
    ledger.commit = commit;
    await settled;
    const rows = await accounts.store.db.selectFrom('ledger_rows').select(['request_id', 'status']).execute();
    expect(rows).toEqual([{ request_id: 'req_x', status: 'succeeded' }]);
  });

  it('that is full refuses what it cannot keep, goes on reading, and takes up again when there is room', async () => {
    const connections = await connectionsOf(async () => {
      const accounts = await testAccounts(on);
      const ask = await tenantOn(accounts, 'acme', 'enterprise');
      return { accounts, ask };
    });
    const { accounts, ask } = connections.result;
    const { page_count } = (connections.all[0] as DatabaseSync).prepare('pragma page_count').get() as {
      page_count: number;
    };
    for (const connection of connections.all) connection.exec(`pragma max_page_count = ${page_count}`);
    const running: Admission[] = [];
    const failure = await (async () => {
      for (;;) running.push(admitted(await ask({ requestId: 'x'.repeat(60) })));
    })().catch((error: unknown) => error);
    expect(failure).toMatchObject({ failure: 'disk_full', message: /the disk of the database is full/ });
    const written = () => accounts.store.db.selectFrom('ledger_rows').select('status').execute();
    expect(await written()).toHaveLength(running.length);
    const full = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        accounts.tenants.create({ id: `tenant-${n}`, plan: 'free' }, 'test').catch((error: unknown) => error),
      ),
    );
    expect(full).toContainEqual(expect.objectContaining({ failure: 'disk_full' }));
    const settled = running.map((admission) =>
      admission.settle({ ...success, finishReason: 'x'.repeat(500) }),
    );
    await accounts.admissions.flush();
    for (const connection of connections.all) connection.exec('pragma max_page_count = 1000000');
    await Promise.all(settled);
    expect((await written()).map(({ status }) => status)).toEqual(running.map(() => 'succeeded'));
    admitted(await ask());
  });

  it('is locked by a transaction from its beginning, so that what it has read stays true', async () => {
    const database = await on.database();
    const { db } = await on.open(database);
    const other = new DatabaseSync(fileOf(database));
    on.cleanUp(() => other.close());
    await db.transaction().execute(async (transaction) => {
      const { version } = await transaction.selectFrom('changes').select('version').executeTakeFirstOrThrow();
      expect(() => other.exec('update changes set version = version + 1')).toThrow(/locked/);
      await transaction
        .updateTable('changes')
        .set({ version: version + 1 })
        .execute();
    });
    other.exec('update changes set version = version + 1');
  });

  it('is recognised by the codes of SQLite', () => {
    expect(toStoreError(diskFull()).failure).toBe('disk_full');
    expect(toStoreError(new Error('anything')).failure).toBe('failed');
  });
});

onSqlite('commits', (on) => {
  it.each([
    ['normal', 1],
    ['full', 2],
  ] as const)('are as durable as %s says, on every connection', async (sqliteSynchronous, value) => {
    const { dataDir } = await on.database();
    const { result: store, all } = await connectionsOf(() =>
      openStore({ dataDir, databaseUrl: null, sqliteSynchronous }),
    );
    on.cleanUp(() => store.close());
    const values = all.map((connection) => connection.prepare('pragma synchronous').get()?.['synchronous']);
    expect(values).toEqual([value, value, value, value]);
  });
});

/** Runs an action and gives, beside its result, the connections to databases that were used meanwhile. */
async function connectionsOf<T>(
  action: () => Promise<T>,
): Promise<{ result: T; all: readonly DatabaseSync[] }> {
  const all = new Set<DatabaseSync>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...given) {
    all.add(this);
    return prepare.apply(this, given);
  };
  try {
    return { result: await action(), all: [...all] };
  } finally {
    DatabaseSync.prototype.prepare = prepare;
  }
}

/** What SQLite throws when there is no room. */
function diskFull(): unknown {
  const database = new DatabaseSync(':memory:');
  database.exec('pragma max_page_count = 3; create table t (x)');
  try {
    database.exec('insert into t values (zeroblob(100000))');
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
  throw new Error('there was room');
}

onSqlite('a backup', (on) => {
  it('is of one moment, while everything is written to', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    const other = await testAccounts(on, {}, database);
    const ask = await tenantOn(accounts, 'acme', 'enterprise', { requestsPerMonth: 1_000_000 });
    let running = true;
    const work = async () => {
      while (running) {
        await admitted(await ask()).settle(success);
        await other.tenants.change('acme', { name: `${Math.random()}` }, 'test');
      }
    };
    const working = Promise.all([work(), work(), work()]);
    await delay(50);
    const directory = join(database.dataDir, 'copies');
    const file = join(directory, 'backup.db');
    await mkdir(directory);
    await accounts.store.backup(file);
    await delay(20);
    running = false;
    await working;
    expect(await readdir(directory)).toEqual(['backup.db']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const copy = new DatabaseSync(file, { readOnly: true });
    expect(copy.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    const rows = Number(copy.prepare('select count(*) as rows from admitted').get()?.['rows']);
    const counted = copy.prepare("select used from limit_buckets where id = 'acme/requests/month'").get();
    copy.close();
    expect(rows).toBeGreaterThan(0);
    // Whoever is counted has a row, or was about to have one.
    expect(Number(counted?.['used'])).toBeGreaterThanOrEqual(rows);
    expect(Number(counted?.['used'])).toBeLessThan(rows + 1_000);
    await expect(accounts.store.backup(file)).rejects.toThrow(/backup\.db exists already/);
    await expect(accounts.store.backup('/nowhere/at/all/backup.db')).rejects.toThrow(
      /cannot be written \(ENOENT\)/,
    );
    const restored = join(database.dataDir, 'restored');
    await mkdir(restored);
    await writeFile(join(restored, 'switchyard.db'), await readFile(file));
    await (await openDatabase({ ...database, dataDir: restored })).close();
  });

  it('like the database holds no secret in clear', async () => {
    const database = await on.database();
    const accounts = await testAccounts(on, {}, database);
    await accounts.tenants.create({ id: 'acme', plan: 'pro' }, 'test');
    const made = await accounts.storedKeys.create({ tenantId: 'acme', label: 'canary' }, 'test');
    const next = await accounts.storedKeys.rotate({ id: made.key.id, tenantId: null }, 1_000, 'test');
    const link = await accounts.sessions.invite('acme', 'test');
    const session = await accounts.sessions.redeem(link.token);
    await accounts.keys.verify(next.text);
    const keys = [made.text, next.text, accounts.first.key ?? '-'];
    const secrets = [
      ...keys,
      ...keys.map((key) => key.split('_')[3] ?? '-'),
      link.token,
      session?.token ?? '-',
    ];
    secrets.push(
      (await readFile(join(database.dataDir, 'key-secret'), 'utf8')).trim(),
      'a password of tests',
    );
    const backup = join(database.dataDir, 'backup.db');
    await accounts.store.backup(backup);
    for (const name of await readdir(database.dataDir)) {
      if (name === 'key-secret') continue;
      const content = await readFile(join(database.dataDir, name));
      for (const secret of secrets) expect(content.includes(secret), `${name} holds a secret`).toBe(false);
    }
    // What is written is found this way: the label is there.
    expect((await readFile(backup)).includes('canary')).toBe(true);
  });
});

it('gives the values of a settlement in the order of the columns', () => {
  const named = new Proxy({}, { get: (_, name) => name }) as Settlement;
  expect(endOf(named, 'instance_id')).toEqual(endNames);
});
