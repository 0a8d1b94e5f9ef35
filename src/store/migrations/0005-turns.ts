import { type Kysely, sql } from 'kysely';

/** What says whose turn it is in the queue of builds: who waits and runs, and when each tenant's builds were begun. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Holds only what waits or runs.
  await sql`create index factory_jobs_turns on factory_jobs (status, tenant_id, created_at, id)
    where finished_at is null`.execute(db);
  await sql`create index factory_jobs_begun on factory_jobs (tenant_id, started_at)
    where started_at is not null`.execute(db);
}
