import type { Config } from '../config/config.ts';
import { noSignals, type Signals } from '../lib/signals.ts';
import type { Logger } from '../observe/log.ts';
import type { Redis } from '../store/redis/open-redis.ts';

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
