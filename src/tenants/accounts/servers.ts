import { sql } from 'kysely';
import type { About } from '../../lib/server-about.ts';
import { findRows } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { aliveMs } from '../../store/store.ts';

/** A process that uses the database, as its row says. Its own reports are null for an older server. */
export interface ServerProcess {
  readonly id: string;
  readonly name: string | null;
  readonly version: string | null;
  readonly state: About['state'] | null;
  /** A digest of its configuration. */
  readonly config: string | null;
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly seenAt: number;
  /** Whether it is the one that answers. */
  readonly current: boolean;
}

/** The process that answers. */
interface OwnServer {
  readonly id: string;
  readonly about: () => About;
}

/** Of many, the latest. */
const maxServers = 100;

/** The servers on the database that live or lived a moment ago, the latest first. Of its own, a process knows more than its row. */
export async function listServers({ db }: Store, own: OwnServer): Promise<readonly ServerProcess[]> {
  const rows = await findRows(db, 'instances', {}, sql`order by id desc limit ${maxServers}`);
  return rows.map(({ id, pid, started_at, expires_at, name, version, state, config }) => ({
    id,
    pid,
    ...(id === own.id ? own.about() : { name, version, state: state as ServerProcess['state'], config }),
    startedAt: started_at,
    seenAt: expires_at - aliveMs,
    current: id === own.id,
  }));
}
