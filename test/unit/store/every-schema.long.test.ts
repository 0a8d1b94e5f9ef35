import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { expect, it } from 'vitest';
import { checkStore } from '../../../src/store/check/check-store.ts';
import { migrations } from '../../../src/store/migrate.ts';
import { clientConfig } from '../../../src/store/postgres/client.ts';
import { NodeSqliteDialect } from '../../../src/store/sqlite/dialect.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Limits } from '../../../src/tenants/accounts/plans.ts';
import { settleAbandoned } from '../../../src/tenants/metering/settle-abandoned.ts';
import { total, usageByDay } from '../../../src/tenants/metering/usage.ts';
import { later } from '../../fixtures/first-release/later-rows.ts';
import { type Row, rows } from '../../fixtures/first-release/rows.ts';
import { onEveryStore } from '../../helpers/store.ts';
import { askFor, ledgerRows, type TestAccounts, testAccounts } from '../../helpers/store-accounts.ts';
import { type Database, TestClock } from '../../helpers/test-database.ts';

/**
 * From the schema after each step, with rows in all of its tables, to today's: every row is still there, and usage, ledger,
 * limits and sums are what they were. `upgrade.long.test.ts` has the first release, by its own statements.
 */
const names = Object.keys(migrations);

const unlimited: Limits = {
  requestsPerMinute: null,
  requestsPerDay: null,
  requestsPerMonth: null,
  tokensPerMinute: null,
  concurrentRequests: null,
};

onEveryStore('an upgrade', (on) => {
  it.each(names)('from the schema after %s keeps rows, usage, ledger, limits and sums', async (last) => {
    const database = await on.emptyDatabase();
    const held = await madeAt(database, last);
    expect(Object.keys(held)).toContain('ledger');
    const store = await on.open(database, soonAfter());
    await keeps(store, held);
    expect(await checkStore(store)).toEqual([]);

    // There is no secret that the rows of the fixture were made with.
    await store.db.deleteFrom('settings').where('name', '=', 'key_secret_check').execute();
    const accounts = await testAccounts(on, { clock: soonAfter() }, database);
    // Events there are since the tenth step.
    const asked = last < '0010' ? 3 : 6;
    expect(await statuses(accounts)).toEqual(
      ['succeeded', 'interrupted', 'running', 'succeeded', 'succeeded', 'running'].slice(0, asked),
    );
    await holdsLimits(accounts, asked);
    // The processes that used it when it was stopped have ended.
    await store.db
      .transaction()
      .execute((db) => settleAbandoned(db, store.dialect, ['inst_1'], store.clock.now()));
    expect(await statuses(accounts)).toEqual(
      ['succeeded', 'interrupted', 'interrupted', 'succeeded', 'succeeded', 'interrupted'].slice(0, asked),
    );
    const days = await usageByDay(store, 'acme', { from: '2026-03-10', to: '2026-03-10' });
    const more = asked === 6 ? 2 : 0;
    expect(total(days)).toMatchObject({
      requests: asked,
      succeeded: 1 + more,
      failed: 0,
      cancelled: 0,
      interrupted: asked === 6 ? 3 : 2,
      promptTokens: 100 + 10 * more,
      completionTokens: 20 + 2 * more,
      cacheWrite5mTokens: last < '0006' ? 0 : 7,
      costMicroUsd: 300 + 30 * more,
    });
    expect(await checkStore(store)).toEqual([]);
  });

  it('has rows in every table of every step', async () => {
    const database = await on.emptyDatabase();
    const held = await madeAt(database, names.at(-1) ?? '');
    const empty = Object.keys(held).filter((table) => held[table]?.length === 0);
    // They are filled by triggers, which a sink makes that is set.
    expect(empty.filter((table) => !/^analytics_/.test(table))).toEqual([]);
  });
});

const soonAfter = () => new TestClock('2026-03-10T12:00:10Z');

/** Exactly what was admitted is counted, by minute, day and month: one more fits where there is room for one. */
async function holdsLimits(accounts: TestAccounts, used: number): Promise<void> {
  for (const limit of ['requestsPerMinute', 'requestsPerDay', 'requestsPerMonth'] as const) {
    const left = (most: number) => accounts.admissions.limitState('acme', { ...unlimited, [limit]: most });
    expect(await left(used + 4), limit).toMatchObject([{ remaining: 4 }]);
    const full = await askFor(accounts, 'acme', { ...unlimited, [limit]: used })();
    expect(full.admitted, limit).toBe(false);
  }
  const tokens = { ...unlimited, tokensPerMinute: 10_000 };
  expect(await accounts.admissions.limitState('acme', tokens)).toMatchObject([
    { remaining: 10_000 - 120 - (used === 6 ? 24 : 0) },
  ]);
}

async function statuses(accounts: TestAccounts): Promise<readonly string[]> {
  return (await ledgerRows(accounts, 'acme')).map(({ status }) => status);
}

type Held = Readonly<Record<string, readonly Row[]>>;

/** A database after a step, with the rows that it then had; gives all that is in it. */
async function madeAt(database: Database, last: string): Promise<Held> {
  const db = await connected(database);
  const provider = { getMigrations: async () => ({ ...migrations }) };
  const { error } = await new Migrator({ db, provider }).migrateTo(last);
  if (error !== undefined) throw error;
  const taken = Object.entries(later).filter(([step]) => step <= last.slice(0, 4));
  const tables = (await db.introspection.getTables()).filter(({ isView }) => !isView);
  const known = new Set(tables.map(({ name }) => name));
  for (const [table, first] of Object.entries(rows)) {
    const added = Object.assign({}, ...taken.map(([, { columns }]) => columns?.[table] ?? {}));
    const written = first.map((row, index) => (index === 0 ? { ...row, ...added } : row));
    if (known.has(table)) await insert(db, table, written);
  }
  for (const [, step] of taken)
    for (const [table, added] of Object.entries(step.rows ?? {})) await insert(db, table, added);
  const held: Record<string, readonly Row[]> = {};
  for (const table of [...known].sort()) held[table] = await contents(db, table);
  await db.destroy();
  return held;
}

async function connected({ dataDir, databaseUrl }: Database): Promise<Kysely<unknown>> {
  if (databaseUrl !== null) {
    const config = clientConfig({
      url: databaseUrl,
      max: 2,
      connectMs: 5_000,
      statementMs: 20_000,
      answerMs: 20_000,
    });
    return new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool(config) }) });
  }
  await mkdir(dataDir, { recursive: true });
  const file = new DatabaseSync(join(dataDir, 'switchyard.db'), { timeout: 5_000 });
  file.exec('pragma journal_mode = wal');
  return new Kysely({ dialect: new NodeSqliteDialect(file) });
}

async function insert(db: Kysely<unknown>, table: string, written: readonly Row[]): Promise<void> {
  for (const row of written) {
    const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
    await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(
      db,
    );
  }
}

/** Rows with their bytes as numbers, as those of both stores are alike then. */
async function contents(db: Pick<Kysely<unknown>, 'getExecutor'>, table: string): Promise<readonly Row[]> {
  const found = await sql<Row>`select * from ${sql.table(table)}`.execute(db);
  return JSON.parse(
    JSON.stringify(found.rows, (_, value) => (value instanceof Uint8Array ? [...value] : value)),
  );
}

/** Every row is there as it was, in the columns that it had. */
async function keeps({ db }: Store, held: Held): Promise<void> {
  for (const [table, before] of Object.entries(held)) {
    const after = await contents(db, table);
    expect(after, table).toEqual(
      expect.arrayContaining(before.map((row) => expect.objectContaining({ ...row }))),
    );
  }
}
