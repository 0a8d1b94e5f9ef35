/** The partitions of events by day. */
import { type Kysely, sql } from 'kysely';
import { dayName, dayOf, startOfDay } from '../../lib/utc.ts';
import { toStoreError } from '../errors.ts';
import type { Tables } from '../schema.ts';

/** How many days ahead there is a partition. */
const daysAhead = 3;
/** How long to wait for a lock that others wait behind, in milliseconds: it can be tried again in a while. */
const lockMs = 200;

/** How long ago the last request of a day must have ended for it to be dropped, in milliseconds. */
const settlingMs = 3_600_000;

const eventTables = ['admitted', 'settled'] as const;

/**
 * Makes the partitions of today and the next days. Nothing depends on it: where one is missing, the default partition
 * takes its events, and keeps that day for good. A new one is attached, which locks out no writer
 * (https://www.postgresql.org/docs/current/ddl-partitioning.html); the default one is empty, as a rule, and read in no time.
 */
export async function prepareDays(db: Kysely<Tables>, now: number): Promise<void> {
  for (const table of eventTables) {
    const there = await partitionsOf(db, table);
    for (let day = dayOf(now); day <= dayOf(now) + daysAhead; day += 1) {
      if (!there.includes(partitionOf(table, day))) await makePartition(db, table, day);
    }
  }
}

/** The name of a day's partition. */
function partitionOf(table: string, day: number): string {
  return `${table}_${dayName(day).replaceAll('-', '')}`;
}

/** Partitions of a table by their names, which sort by day. */
export async function partitionsOf(db: Kysely<Tables>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_inherits i
    join pg_class c on c.oid = i.inhrelid where i.inhparent = ${table}::regclass order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

/** Runs what takes a lock that others wait behind; not for long, and with nothing done where it cannot have it. */
async function briefly(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<void>): Promise<boolean> {
  try {
    await db.transaction().execute(async (transaction) => {
      await sql.raw(`set local lock_timeout = ${lockMs}`).execute(transaction);
      await work(transaction);
    });
    return true;
  } catch (thrown) {
    if (isBusy(thrown)) return false;
    throw thrown;
  }
}

async function makePartition(db: Kysely<Tables>, table: string, day: number): Promise<void> {
  const name = partitionOf(table, day);
  const [from, to] = [startOfDay(day), startOfDay(day + 1)];
  await briefly(db, async (transaction) => {
    for (const statement of [
      // Said before, so that attaching it has nothing to look through.
      `create table ${name} (like ${table} including defaults including constraints,
        constraint of_day check (created_at >= ${from} and created_at < ${to}))`,
      `alter table ${table} attach partition ${name} for values from (${from}) to (${to})`,
      `alter table ${name} drop constraint of_day`,
    ]) {
      await sql.raw(statement).execute(transaction);
    }
  });
}

/**
 * 55P03, 40P01: the lock is not to be had. 42P07, 42710, 23505, 42P17, 42P01: another process has made or dropped it, maybe
 * in this moment. 23514: the default partition has events of that day.
 */
const busy: ReadonlySet<unknown> = new Set([
  '55P03',
  '40P01',
  '42P07',
  '42710',
  '23505',
  '42P17',
  '42P01',
  '23514',
]);

function isBusy(thrown: unknown): boolean {
  const { cause } = toStoreError(thrown);
  return cause instanceof Error && 'code' in cause && busy.has(cause.code);
}

/**
 * Drops the days before a time that have no open request and no settlement within the last hour: so the sums have them.
 * Returns how many requests they had. Days that cannot be dropped stay for the next time.
 * @param before the start of a day
 * @param now in milliseconds since the epoch
 */
export async function dropDays(db: Kysely<Tables>, before: number, now: number): Promise<number> {
  const last = partitionOf('admitted', dayOf(before));
  let dropped = 0;
  for (const begun of await partitionsOf(db, 'admitted')) {
    if (!/_\d{8}$/.test(begun) || begun >= last) continue;
    const ended = begun.replace('admitted', 'settled');
    const { rows } = await sql<{ begun: number; open: number; late: number }>`select
      (select count(*) from ${sql.table(begun)}) as begun,
      (select count(*) from ${sql.table(begun)} a where not exists (select 1 from ${sql.table(ended)} s
        where s.created_at = a.created_at and s.id = a.id))
        + (select count(*) from ledger where settled_at is null and created_at < ${before}) as open,
      (select count(*) from ${sql.table(ended)} where settled_at > ${now - settlingMs}) as late`.execute(db);
    const [found] = rows;
    if (found === undefined || found.open > 0 || found.late > 0) continue;
    const done = await briefly(db, async (transaction) => {
      await sql`drop table ${sql.table(begun)}, ${sql.table(ended)}`.execute(transaction);
    });
    if (done) dropped += found.begun;
  }
  return dropped;
}
