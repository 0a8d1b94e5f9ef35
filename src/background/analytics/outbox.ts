import { sql } from 'kysely';
import { ulid } from '../../lib/ids.ts';
import { changeRows, type Db, deleteRows, findRow, findRows, putRows } from '../../store/rows.ts';
import { present, type Store } from '../../store/store.ts';
import { type AnalyticsRow, analyticsRow, settledRows } from './row.ts';

/** Maximum number of rows that are sent at once: about half a megabyte. */
export const rowsAtOnce = 1000;
/** A sink that no process has among its settings for so long is forgotten, with what waits for it, in milliseconds. */
export const forgottenAfterMs = 7 * 86_400_000;
/** Two processes that make triggers at once would meet in the catalogue of PostgreSQL. */
const triggerLock = 7203484;

export interface Batch {
  /** The same for the same rows, however often they are sent. */
  readonly id: string;
  readonly rows: readonly AnalyticsRow[];
}

/** Where rows go. */
export interface Sink {
  /** As it is called in metrics. */
  readonly name: string;
  /** Resolves when the rows are safe there; sent again with the same id, they must not be there twice if it can be helped. */
  send(batch: Batch): Promise<void>;
  /** Is called now and then while nothing is sent. */
  idle?(): Promise<void>;
  close(): Promise<void>;
}

export type Outbox = ReturnType<typeof openOutbox>;

/**
 * The settled requests that a sink has still to take. All methods reject with `StoreError`.
 * @param instanceId this process among those on the database
 */
export function openOutbox(store: Store, sink: string, instanceId: string) {
  /** From now on what is settled waits for the sink. */
  async function open(): Promise<void> {
    const { db, clock, dialect } = store;
    await db.transaction().execute(async (trx) => {
      if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${triggerLock})`.execute(trx);
      await makeTriggers(trx, dialect);
      // One that is there keeps its holder.
      await putRows(trx, 'analytics_sinks', ['name'], [{ name: sink, seen_at: clock.now() }]);
    });
  }

  /** Whether this process is the one that feeds the sink: it becomes that where no other one that lives is. */
  async function hold(): Promise<boolean> {
    const { db, clock } = store;
    const values = { holder: instanceId, seen_at: clock.now() };
    const isFree = sql`and (holder is null or holder = ${instanceId}
      or holder not in ${present(store)})`;
    return (await changeRows(db, 'analytics_sinks', { name: sink }, values, isFree)) === 1;
  }

  /** Lets another process feed it. */
  async function release(): Promise<void> {
    const own = { name: sink, holder: instanceId };
    await changeRows(store.db, 'analytics_sinks', own, { holder: null });
  }

  /** The batch to send next: first those that were sent without an answer. Null: none. */
  async function next(): Promise<Batch | null> {
    const id = (await oldestSent())?.batch ?? (await makeBatch());
    if (id === null) return null;
    const rows = await settledRows(store, sink, id);
    return { id, rows: rows.map(analyticsRow) };
  }

  /** The content of a batch is fixed before it is sent, so that it is the same when it is sent again. */
  async function makeBatch(): Promise<string | null> {
    const id = ulid();
    const { numAffectedRows = 0n } = await sql`update analytics_outbox set batch = ${id} where id in (
      select id from analytics_outbox where sink = ${sink} and batch is null order by id limit ${rowsAtOnce})`.execute(
      store.db,
    );
    return numAffectedRows > 0n ? id : null;
  }

  /** A batch has arrived. */
  async function sent({ id }: Batch): Promise<void> {
    await deleteRows(store.db, 'analytics_outbox', { sink: sink, batch: id });
  }

  /** How long ago that was settled which has waited longest, in milliseconds; 0 when nothing waits. */
  async function lagMs(): Promise<number> {
    const { db, clock } = store;
    const unsent = { sink: sink, batch: null };
    const found = (await oldestSent()) ?? (await findRow(db, 'analytics_outbox', unsent, sql`order by id`));
    return found ? Math.max(0, clock.now() - found.settled_at) : 0;
  }

  /** The oldest row that was sent without an answer. */
  function oldestSent() {
    const sent = sql`and batch is not null order by batch`;
    return findRow(store.db, 'analytics_outbox', { sink: sink }, sent);
  }

  return { open, hold, release, next, sent, lagMs };
}

/** Forgets the sinks that no process has any more, with what waits for them. Returns their names. */
export async function forgetSinks({ db, clock, dialect }: Store): Promise<readonly string[]> {
  const before = clock.now() - forgottenAfterMs;
  const isOld = sql`and seen_at < ${before}`;
  const old = await findRows(db, 'analytics_sinks', {}, isOld);
  if (old.length === 0) return [];
  const names = old.map(({ name }) => name);
  await db.transaction().execute(async (trx) => {
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${triggerLock})`.execute(trx);
    await deleteRows(trx, 'analytics_sinks', { name: names }, isOld);
    await deleteRows(trx, 'analytics_outbox', {}, sql`and sink not in (select name from analytics_sinks)`);
    if (!(await findRow(trx, 'analytics_sinks', {}))) await dropTriggers(trx, dialect);
  });
  return names;
}

/** The changes that settle requests: those of the version before are still settled in their own table. */
const sources = [
  { table: 'ledger', event: 'update' },
  { table: 'settled', event: 'insert' },
  { table: 'settled', event: 'update' },
] as const;

/** Makes them where they are missing. Several processes may do so at once, of which one waits for the other. */
async function makeTriggers(db: Db, dialect: Store['dialect']): Promise<void> {
  if (dialect === 'postgres') await makeFunction(db);
  for (const { table, event } of sources) {
    const name = `analytics_${table}_${event}`;
    if (dialect === 'sqlite') {
      await run(
        db,
        `create trigger if not exists ${name} after ${event} on ${table} when new.settled_at is not null begin
          insert into analytics_outbox (sink, tenant_id, created_at, ledger_id, settled_at)
          select name, new.tenant_id, new.created_at, new.id, new.settled_at from analytics_sinks;
        end`,
      );
    } else if (!(await hasTrigger(db, name))) {
      await run(
        db,
        `create trigger ${name} after ${event} on ${table} referencing new table as changed
          for each statement execute function analytics_settled()`,
      );
    }
  }
}

/** Takes them away again. */
async function dropTriggers(db: Db, dialect: Store['dialect']): Promise<void> {
  for (const { table, event } of sources) {
    const on = dialect === 'postgres' ? ` on ${table}` : '';
    await run(db, `drop trigger if exists analytics_${table}_${event}${on}`);
  }
}

async function makeFunction(db: Db): Promise<void> {
  await run(
    db,
    `create or replace function analytics_settled() returns trigger language plpgsql as $$ begin
      insert into analytics_outbox (sink, tenant_id, created_at, ledger_id, settled_at)
      select s.name, c.tenant_id, c.created_at, c.id, c.settled_at from changed c cross join analytics_sinks s
      where c.settled_at is not null;
      return null;
    end $$`,
  );
}

async function hasTrigger(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgname = ${name} and c.relnamespace = current_schema()::regnamespace`.execute(db);
  return rows.length > 0;
}

async function run(db: Db, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}
