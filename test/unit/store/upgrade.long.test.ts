import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, it } from 'vitest';
import { tokenUsage } from '../../../src/model/usage.ts';
import { checkStore } from '../../../src/store/check/check-store.ts';
import { migrations } from '../../../src/store/migrate.ts';
import type { Store } from '../../../src/store/store.ts';
import { findRequest } from '../../../src/tenants/metering/requests.ts';
import { tokensOf } from '../../../src/tenants/metering/settlements.ts';
import { usageByDay } from '../../../src/tenants/metering/usage.ts';
import * as postgresStatements from '../../fixtures/first-release/postgres-statements.ts';
import { type Row, rows } from '../../fixtures/first-release/rows.ts';
import { prepareStatements } from '../../fixtures/first-release/sqlite-statements.ts';
import { onEveryStore, type StoreTests } from '../../helpers/store.ts';
import { type Database, openDatabase, TestClock } from '../../helpers/test-database.ts';

/**
 * From the schema of version 1.0, with data in it, to today's: nothing is lost, and a process of that version that still
 * runs goes on. The rule for migrations that follows from it: they only add. A new column has a default or may be null, a
 * new table or index forbids nothing that the old version writes, and nothing is renamed, narrowed or dropped.
 */
const fixtures = join(import.meta.dirname, '../../fixtures/first-release');
const soonAfter = () => new TestClock('2026-03-10T12:00:10Z');

onEveryStore('an upgrade from the first release', (on) => {
  it('keeps every row as it was', async () => {
    const database = await firstRelease(on);
    const store = await on.open(database, soonAfter());
    for (const [table, held] of Object.entries(rows))
      expect(await read(store, table, held), table).toEqual(sorted(held));
    expect(await stepsOf(store)).toEqual(Object.keys(migrations));
    expect(await checkStore(store)).toEqual([]);
  });

  it('takes all of a prompt that no cache held for what has the price of a prompt', async () => {
    const store = await on.open(await firstRelease(on), soonAfter());
    const record = await findRequest(store, 'acme', 'req_1');
    expect(record?.usage && tokensOf(record.usage)).toEqual(
      tokenUsage({ inputUncached: 60, cacheRead: 40, output: 20, reasoning: 5 }),
    );
    expect(record?.warnings).toEqual([]);
    const days = await usageByDay(store, 'acme', { from: '2026-03-10', to: '2026-03-10' });
    const answered = days.find(({ model }) => model === 'gpt-4o');
    expect(answered && tokensOf(answered)).toEqual(record?.usage && tokensOf(record.usage));
  });

  it('goes on counting days and months where they were', async () => {
    const store = await on.open(await firstRelease(on), soonAfter());
    const counted = (rows['counters'] ?? []).flatMap((row) => {
      const tenantId = String(row['tenant_id']);
      return [
        { id: `${tenantId}/requests/day`, used: row['day_used'] },
        { id: `${tenantId}/requests/month`, used: row['month_used'] },
      ];
    });
    const kept = await store.db.selectFrom('limit_buckets').select(['id', 'used']).orderBy('id').execute();
    expect(kept).toEqual(counted.filter(({ used }) => Number(used) > 0));
    expect(kept).not.toEqual([]);
    const day = { id: 'acme/requests/day', window: 'day', limit: 1_000 } as const;
    const asks = [[{ bucket: day, need: 1, want: 1 }]];
    const [reply] = await store.authority.take({ holder: 'i', asks, returns: [], seeds: [] });
    expect(reply).toMatchObject({
      grants: [{ standing: { used: Number(rows['counters']?.[0]?.['day_used']) + 1 } }],
    });
  });

  it('covers every table of the first release', async () => {
    const created = (await steps()).flatMap(([, statements]) =>
      statements.flatMap((statement) => /^create table "(\w+)"/.exec(statement)?.[1] ?? []),
    );
    // Its only row is made by the schema.
    expect([...Object.keys(rows), 'changes'].sort()).toEqual(created.sort());
  });

  for (const last of [1, 2, 3]) {
    it(`goes on from step ${last} of the first release`, async () => {
      const database = await firstRelease(on, last);
      const store = await on.open(database, soonAfter());
      expect(await stepsOf(store)).toEqual(Object.keys(migrations));
      expect(await read(store, 'ledger', rows['ledger'] ?? [])).toEqual(sorted(rows['ledger'] ?? []));
      expect(await checkStore(store)).toEqual([]);
    });
  }

  if (on.dialect === 'postgres')
    it('goes on when it has the tables that it changes, and nobody waits behind it until then', async () => {
      const database = await firstRelease(on);
      const connect = async () => {
        const client = new pg.Client({
          connectionString: database.databaseUrl ?? '',
          statement_timeout: 1_000,
        });
        await client.connect();
        on.cleanUp(() => client.end());
        return client;
      };
      const [holder, other] = [await connect(), await connect()];
      await holder.query('begin; lock table tenants in access share mode');
      let over = false;
      const opening = on.open(database, soonAfter()).finally(() => {
        over = true;
      });
      for (let turn = 0; turn < 30; turn += 1) {
        await other.query('select count(*) from tenants');
        await other.query('select count(*) from ledger');
        await sleep(50);
      }
      expect(over).toBe(false);
      await holder.query('commit');
      expect(await stepsOf(await opening)).toEqual(Object.keys(migrations));
    });

  it('happens once when several processes begin it together', async () => {
    const database = await firstRelease(on);
    const stores = await Promise.all(Array.from({ length: 4 }, () => openDatabase(database, soonAfter())));
    for (const store of stores) {
      on.cleanUp(() => store.close());
      expect(await stepsOf(store)).toEqual(Object.keys(migrations));
      expect(await checkStore(store)).toEqual([]);
    }
  });

  it('leaves a process of the first release what it reads and writes', async () => {
    const database = await firstRelease(on);
    // Open since before the upgrade, as a server that runs on.
    const old = await connect(on, database);
    const store = await on.open(database, soonAfter());
    for (const [table, held] of Object.entries(rows)) {
      for (const row of held) {
        const next = renamed(row);
        await old.run(...insertOf(table, next));
      }
      const both = [...held, ...held.map(renamed)];
      expect(await read(store, table, held), table).toEqual(sorted(both));
    }
    expect(await checkStore(store)).toEqual([]);
  });

  it('leaves a process of the first release its hot path', async () => {
    const database = await firstRelease(on);
    const old = await connect(on, database);
    const store = await on.open(database, soonAfter());
    await old.hotPath();
    const ledger = await store.db
      .selectFrom('ledger_rows')
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    expect(ledger.map(({ seq, status }) => [seq, status])).toEqual([
      [1, 'succeeded'],
      [2, 'interrupted'],
      [3, 'succeeded'],
      [4, 'running'],
    ]);
    expect(await checkStore(store)).toEqual([]);
  });
});

/** What each step of the first release ran, on either store. */
async function steps(): Promise<[step: string, statements: string[]][]> {
  return Object.entries(JSON.parse(await readFile(join(fixtures, 'steps.json'), 'utf8')));
}

/** A database as the first release left it, or as it was after a number of its steps. */
async function firstRelease(on: StoreTests, last = 4): Promise<Database> {
  const database = await on.emptyDatabase();
  await mkdir(database.dataDir, { recursive: true });
  const old = await connect(on, database);
  const taken = (await steps()).slice(0, last);
  const type = on.dialect === 'sqlite' ? 'text' : 'varchar(255)';
  await old.run(
    `create table kysely_migration (name ${type} not null primary key, timestamp ${type} not null)`,
  );
  await old.run(
    `create table kysely_migration_lock (id ${type} not null primary key, is_locked integer default 0 not null)`,
  );
  await old.run("insert into kysely_migration_lock values ('migration_lock', 0)");
  const tables = new Set<string>();
  for (const [step, statements] of taken) {
    for (const statement of statements) {
      await old.run(statement);
      tables.add(/^create table "(\w+)"/.exec(statement)?.[1] ?? '');
    }
    await old.run(...insertOf('kysely_migration', { name: step, timestamp: '2026-03-01T00:00:00.000Z' }));
  }
  for (const [table, held] of Object.entries(rows)) {
    if (!tables.has(table)) continue;
    for (const row of held) await old.run(...insertOf(table, row));
  }
  return database;
}

type Value = Row[string];

interface OldProcess {
  run(statement: string, values?: readonly Value[]): Promise<void>;
  /** Admits a request and settles another with the statements of the first release. */
  hotPath(): Promise<void>;
}

async function connect(on: StoreTests, { dataDir, databaseUrl }: Database): Promise<OldProcess> {
  if (databaseUrl === null) {
    const database = new DatabaseSync(join(dataDir, 'switchyard.db'), { timeout: 5_000 });
    on.cleanUp(() => database.close());
    database.exec('pragma journal_mode = wal');
    return {
      run: async (statement, values = []) => void database.prepare(statement).run(...values),
      hotPath: async () => sqliteHotPath(database),
    };
  }
  const client = new pg.Client(databaseUrl);
  await client.connect();
  on.cleanUp(() => client.end());
  return {
    run: async (statement, values = []) => {
      await client.query(numbered(statement), [...values]);
    },
    hotPath: () => postgresHotPath(client),
  };
}

const [, , running] = rows['ledger'] as readonly [Row, Row, Row];
const admittedAt = Number(running['created_at']) + 5;
const { day = 0, month = 0 } = rows['counters']?.[0] ?? {};
const to = { seq: 4, last_at: admittedAt, day, day_used: 4, month, month_used: 4 };
const key = ['acme', running['created_at'], 3, '01C'] as const;

function sqliteHotPath(database: DatabaseSync): void {
  const statements = prepareStatements(database);
  const run = (name: 'move' | 'insert' | 'settle' | 'addDay' | 'hold', ...values: readonly unknown[]) =>
    Number(statements[name].run(...(values as string[])).changes);
  statements.begin.run();
  const settled = [
    'succeeded',
    200,
    'gpt-4o',
    'openai',
    10,
    2,
    0,
    0,
    'provider',
    30,
    null,
    'stop',
    1,
    2,
    '[]',
    admittedAt,
  ];
  expect(run('settle', ...settled, ...key)).toBe(1);
  run('addDay', 'acme', day, 'createChat', 'gpt-4o', 1, 1, 0, 0, 0, 10, 2, 0, 0, 30, 0);
  expect(run('move', ...Object.values(to), 'acme', 3)).toBe(1);
  run('hold', 'acme', Math.floor(admittedAt / 1000), 10);
  run('insert', 'acme', admittedAt, 4, '01G', 'req_7', 'key000000001', 'createChat', 'gpt-4o', 'inst_1', 0);
  statements.commit.run();
  expect(statements.counters.get('acme')).toEqual(to);
  expect(statements.admitted.all('acme', admittedAt)).toEqual([{ at: admittedAt, count: 1 }]);
  expect(statements.running.get('acme', admittedAt)).toEqual({ count: 1 });
  expect(statements.tokens.all('acme', 0)).toHaveLength(1);
}

async function postgresHotPath(client: pg.Client): Promise<void> {
  const query = async (statement: postgresStatements.Statement, ...values: readonly unknown[]) =>
    (await client.query({ ...statement, values: [...values] })).rows;
  const [tenant_id, created_at, seq, id] = key;
  const used = { prompt_tokens: 10, completion_tokens: 2, cached_tokens: 0, reasoning_tokens: 0 };
  const told = {
    model: 'gpt-4o',
    provider: 'openai',
    usage_source: 'provider',
    cost_micro_usd: 30,
    tokens: 0,
  };
  const settlement = {
    tenant_id,
    created_at,
    seq,
    id,
    status: 'succeeded',
    http_status: 200,
    ...used,
    ...told,
  };
  await query(postgresStatements.settle, JSON.stringify([{ ...settlement, settled_at: admittedAt }]));
  const move = { tenant_id, from: 3, ...to, tokens: 10 };
  const row = {
    tenant_id,
    created_at: admittedAt,
    seq: 4,
    id: '01G',
    request_id: 'req_7',
    key_id: 'key000000001',
  };
  const asked = { ...row, operation: 'createChat', model_asked: 'gpt-4o', queue_ms: 0 };
  expect(
    await query(postgresStatements.admit, JSON.stringify([move]), JSON.stringify([asked]), 'inst_1'),
  ).toEqual([{ tenant_id: 'acme' }]);
  expect(await query(postgresStatements.counters, 'acme')).toEqual([
    Object.fromEntries(
      Object.entries(to).map(([name, value]) => [name, /^(day|month)$/.test(name) ? value : String(value)]),
    ),
  ]);
  expect(await query(postgresStatements.admitted, 'acme', admittedAt)).toEqual([
    { at: String(admittedAt), count: '1' },
  ]);
  expect(await query(postgresStatements.running, 'acme', admittedAt)).toEqual([{ count: '1' }]);
  expect(await query(postgresStatements.tokens, 'acme', 0)).toHaveLength(1);
}

function insertOf(table: string, row: Row): [statement: string, values: readonly Value[]] {
  const names = Object.keys(row);
  const columns = names.map((name) => `"${name}"`).join(', ');
  return [
    `insert into "${table}" (${columns}) values (${names.map(() => '?').join(', ')})`,
    Object.values(row),
  ];
}

function numbered(statement: string): string {
  let number = 0;
  return statement.replaceAll('?', () => {
    number += 1;
    return `$${number}`;
  });
}

/** The same row of other tenants, keys, builds and so on. */
function renamed(row: Row): Row {
  const ids = /(^|_)(id|digest|name|email|kind|rotated_from)$/;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      ids.test(name) && typeof value === 'string' ? `${value}-2` : value,
    ]),
  );
}

/** The rows of a table, in the columns of the first release. */
async function read({ db }: Store, table: string, like: readonly Row[]): Promise<readonly Row[]> {
  const columns = Object.keys(like[0] ?? {}).map((name) => sql.ref(name));
  const found = await sql<Row>`select ${sql.join(columns)} from ${sql.table(table)}`.execute(db);
  return sorted(found.rows);
}

function sorted(held: readonly Row[]): readonly Row[] {
  const plain = held.map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => [name, value instanceof Uint8Array ? [...value] : value]),
    ),
  );
  return plain.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) as unknown as Row[];
}

async function stepsOf({ db }: Store): Promise<readonly string[]> {
  const { rows: done } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    db,
  );
  return done.map(({ name }) => name);
}
