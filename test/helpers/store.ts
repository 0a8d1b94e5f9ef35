import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, inject } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import type { Store } from '../../src/store/store.ts';
import { connectPostgres, startPostgres, type TestPostgres } from './store-postgres.ts';
import { type Database, openDatabase, putMigrated } from './test-database.ts';

export interface StoreTests {
  readonly dialect: Store['dialect'];
  /** A database without rows, for this test. */
  database(): Promise<Database>;
  /** One without the schema, as it is before a first start. */
  emptyDatabase(): Promise<Database>;
  /** A store on it, closed after this test. */
  open(database: Database, clock?: Clock): Promise<Store>;
  /** What to do after this test, before its stores are closed. */
  cleanUp(action: () => Promise<unknown> | unknown): void;
}

/**
 * Runs the same tests on SQLite and on PostgreSQL. Where no PostgreSQL server can be started, those tests are skipped;
 * under `CI` that is a failure.
 */
export function onEveryStore(name: string, tests: (on: StoreTests) => void): void {
  onSqlite(name, tests);
  onPostgres(name, tests);
}

/** Runs tests of what only SQLite has. */
export function onSqlite(name: string, tests: (on: StoreTests) => void): void {
  describe(`${name} on SQLite`, () => tests(context('sqlite', () => null)));
}

/** Runs tests of what only PostgreSQL has. */
export function onPostgres(name: string, tests: (on: StoreTests) => void): void {
  describe(`${name} on PostgreSQL`, () => {
    let server: TestPostgres | null = null;
    users += 1;
    afterAll(async () => {
      users -= 1;
      if (users > 0) return;
      const over = await starting?.catch(() => null);
      starting = null;
      await over?.stop();
    });
    beforeAll(async () => {
      starting ??= serverOfThisFile();
      try {
        server = await starting;
      } catch (error) {
        if (process.env['CI']) throw error;
        console.warn(`No PostgreSQL server can be started here, so its tests are skipped: ${error}`);
      }
    });
    beforeEach(({ skip }) => skip(server === null, 'no PostgreSQL server can be started here'));
    tests(context('postgres', () => server));
  });
}

function serverOfThisFile(): Promise<TestPostgres> {
  const shared = inject('postgresServer');
  return shared === null ? startPostgres() : connectPostgres(shared);
}

/** One server serves all tests of a file, which end with the last group that uses it. */
let starting: Promise<TestPostgres> | null = null;
let users = 0;

function context(dialect: Store['dialect'], server: () => TestPostgres | null): StoreTests {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const action of cleanups.splice(0).reverse()) await action();
  });
  const directory = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-store-'));
    cleanups.push(() => rm(dataDir, { recursive: true, force: true }));
    return dataDir;
  };
  return {
    dialect,
    async database() {
      const dataDir = await directory();
      if (dialect === 'sqlite') await putMigrated(dataDir);
      return { dataDir, databaseUrl: dialect === 'sqlite' ? null : ((await server()?.migrated()) ?? null) };
    },
    async emptyDatabase() {
      const dataDir = await directory();
      return { dataDir, databaseUrl: dialect === 'sqlite' ? null : ((await server()?.database()) ?? null) };
    },
    async open(database, clock) {
      const store = await openDatabase(database, clock);
      cleanups.push(() => store.close());
      return store;
    },
    cleanUp: (action) => cleanups.push(action),
  };
}
