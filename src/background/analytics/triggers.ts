/**
 * What fills the outbox: triggers, in the transaction that settles a request, so that each settled request is in it, however
 * it was settled, and none that is not. They are there only while there is a sink.
 */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

type Db = Kysely<Tables>;

/** A change that settles requests. */
interface Source {
  readonly table: 'ledger' | 'settled';
  readonly event: 'insert' | 'update';
}

/** Makes them where they are missing. Several processes may do so at once, of which one waits for the other. */
export async function makeTriggers(db: Db, dialect: Store['dialect']): Promise<void> {
  if (dialect === 'postgres') await makeFunction(db);
  for (const { table, event } of await sources(db)) {
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
export async function dropTriggers(db: Db, dialect: Store['dialect']): Promise<void> {
  for (const { table, event } of await sources(db)) {
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

/** Where the ledger is kept as events, rows of the version before are still settled in their table. */
async function sources(db: Db): Promise<readonly Source[]> {
  const rows: Source[] = [{ table: 'ledger', event: 'update' }];
  if (!(await hasEvents(db))) return rows;
  return [...rows, { table: 'settled', event: 'insert' }, { table: 'settled', event: 'update' }];
}

/** Whether the ledger is kept as events. */
export async function hasEvents(db: Db): Promise<boolean> {
  const tables = await db.introspection.getTables();
  return tables.some(({ name }) => name === 'settled');
}

async function hasTrigger(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgname = ${name} and c.relnamespace = current_schema()::regnamespace`.execute(db);
  return rows.length > 0;
}

async function run(db: Db, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}
