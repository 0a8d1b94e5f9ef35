import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { noSignals, type Signals } from '../lib/signals.ts';
import type { Logger } from '../observe/log.ts';
import { mayPass, StoreError } from '../store/errors.ts';
import { openStore } from '../store/open-store.ts';
import type { Redis } from '../store/redis/open-redis.ts';
import type { Store } from '../store/store.ts';
import { told } from './processes/worker.ts';

/** Pause before a database that could not be opened is tried again, in milliseconds. It doubles: a try may check all of it. */
const minWaitMs = 1_000;
const maxWaitMs = 8_000;
/** So long requests are kept waiting before they are refused, in milliseconds: what goes by at once, none needs to hear of. */
const patienceMs = 5_000;

/**
 * Opens the database and what stands on it. Waits for a PostgreSQL server that is not there, or goes away meanwhile, and
 * for room on the disk: requests wait for a few seconds and are refused from then on, and signals end the process, also
 * where it is the first of its container, which no signal ends by itself.
 */
export async function openDatabase<T>(
  config: Config,
  log: Logger,
  refuse: () => void,
  open: (store: Store) => Promise<T>,
): Promise<T> {
  const leave = (signal: string) => {
    log.info({ signal }, 'stopped');
    log.flush(() => process.exit(0));
  };
  let waitsFor = '';
  let pauseMs = minWaitMs;
  let patience: NodeJS.Timeout | null = null;
  const onWait = (problem: string) => {
    if (problem !== waitsFor) log.warn(`${problem} The server waits for it.`);
    waitsFor = problem;
    patience ??= setTimeout(refuse, patienceMs);
  };
  told.on('SIGTERM', leave);
  told.on('SIGINT', leave);
  const kind = config.databaseUrl === null ? 'sqlite' : 'postgres';
  for (;;) {
    let store: Store | null = null;
    try {
      // While it waits, each try reports the same.
      const tell = (line: string) => waitsFor === '' && log.warn(line);
      store = await openStore({ ...config, onWait, tell });
      const opened = await open(store);
      if (patience !== null) clearTimeout(patience);
      told.off('SIGTERM', leave);
      told.off('SIGINT', leave);
      if (waitsFor !== '') log.info('The database can be used now.');
      return opened;
    } catch (thrown) {
      await store?.close().catch(() => undefined);
      if (!(thrown instanceof StoreError && mayPass(thrown, kind))) throw thrown;
      onWait(thrown.message);
    }
    await sleep(pauseMs);
    pauseMs = Math.min(2 * pauseMs, maxWaitMs);
  }
}

/**
 * What this process and the others tell each other by: Redis where there is one, else PostgreSQL. On SQLite processes look
 * by themselves. Waits for nothing.
 */
export async function openSignals(
  { redisUrl, databaseUrl }: Pick<Config, 'redisUrl' | 'databaseUrl'>,
  log: Logger,
): Promise<{ readonly redis: Redis | null; readonly signals: Signals }> {
  if (redisUrl !== null) {
    const redis = (await import('../store/redis/open-redis.ts')).openRedis(redisUrl.reveal(), log);
    return { redis, signals: redis.signals };
  }
  if (databaseUrl === null) return { redis: null, signals: noSignals };
  const { PostgresSignals } = await import('../store/postgres/signals.ts');
  return { redis: null, signals: new PostgresSignals(databaseUrl.reveal()) };
}
