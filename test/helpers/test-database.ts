import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import type { Clock } from '../../src/lib/clock.ts';
import { Secret } from '../../src/lib/redact.ts';
import { openStore } from '../../src/store/open-store.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { pathOf } from '../../src/store/sqlite/entry.ts';
import { noteLeft } from '../../src/store/sqlite/markers.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/store.ts';

/** Where a database is, for several stores or processes on it. */
export interface Database {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
}

/** A clock that stands still until it is set. */
export class TestClock implements Clock {
  time: number;

  constructor(time: number | string = '2026-03-10T12:00:00Z') {
    this.time = typeof time === 'string' ? Date.parse(time) : time;
  }

  now(): number {
    return this.time;
  }

  set(time: string): void {
    this.time = Date.parse(time);
  }
}

export function openDatabase({ dataDir, databaseUrl }: Database, clock?: Clock): Promise<Store> {
  const settings = { dataDir, databaseUrl: databaseUrl === null ? null : new Secret(databaseUrl) };
  return openStore(clock ? { ...settings, clock } : settings);
}

/**
 * Databases that have the schema already. Making it takes a hundred milliseconds, and most tests are about something else:
 * they get a copy of one that was made once.
 */

let file: Promise<Buffer> | null = null;

/** Puts a database without rows into a directory that has none, as a server leaves it that has closed it. */
export async function putMigrated(dataDir: string): Promise<void> {
  file ??= makeFile();
  await writeFile(pathOf(dataDir), await file, { mode: 0o600 });
  await noteLeft(pathOf(dataDir));
}

async function makeFile(): Promise<Buffer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-migrated-'));
  try {
    // With a clock of its own a store writes nothing about the time that it has agreed on.
    await (await openSqlite({ dataDir, clock: new TestClock() })).close();
    return await readFile(pathOf(dataDir));
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

/** What databases of a PostgreSQL server are copied from. */
export const migratedTemplate = 'migrated';

/** Makes that on a server that does not have it yet; several may call it at once. @param admin has one connection, which holds the lock */
export async function makeTemplate(admin: pg.Pool, address: string): Promise<void> {
  await admin.query('select pg_advisory_lock(1)');
  try {
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [migratedTemplate]);
    if (rowCount !== 0) return;
    const unfinished = `${migratedTemplate}_unfinished`;
    await admin.query(`create database ${unfinished}`);
    await (await openPostgres(new URL(unfinished, address).href, new TestClock())).close();
    await admin.query(`alter database ${unfinished} rename to ${migratedTemplate}`);
  } finally {
    await admin.query('select pg_advisory_unlock(1)');
  }
}
