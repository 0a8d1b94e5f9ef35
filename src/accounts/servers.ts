import { aliveMs } from '../store/life.ts';
import type { Store } from '../store/store.ts';

/** A process that uses the database, as its row says. */
export interface ServerProcess {
  readonly id: string;
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly seenAt: number;
}

/** Of many, the latest. */
const maxServers = 100;

/** The servers on the database that live or lived a moment ago, the latest first. */
export async function listServers({ db }: Store): Promise<readonly ServerProcess[]> {
  const rows = await db
    .selectFrom('instances')
    .select(['id', 'pid', 'started_at', 'expires_at'])
    .orderBy('id', 'desc')
    .limit(maxServers)
    .execute();
  return rows.map(({ id, pid, started_at, expires_at }) => ({
    id,
    pid,
    startedAt: started_at,
    seenAt: expires_at - aliveMs,
  }));
}
