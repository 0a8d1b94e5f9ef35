import { RedisAuthority, type RedisAuthorityParts } from './authority.ts';
import { RedisLink } from './link.ts';
import { RedisSignals } from './signals.ts';

/** The parts of a server that use Redis. */
export type Redis = ReturnType<typeof openRedis>;

/** Logs the state of Redis. */
interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/**
 * Begins to connect to Redis and waits for nothing: a server starts without it, and says so.
 * Throws `ConfigError` for an address that is none.
 * @param url with user and password
 */
export function openRedis(url: string, log: Log) {
  const link = new RedisLink({
    url,
    onProblem: (message) => log.warn(message),
    onBack: () => log.info('Redis can be used again.'),
  });
  const signals = new RedisSignals(link);
  let authority: RedisAuthority | null = null;
  return {
    link,
    signals,
    /** The authority of limits, for a store; one in all. */
    authorityOn({ clock, synchroniseClock }: Pick<RedisAuthorityParts, 'clock' | 'synchroniseClock'>) {
      // Of a store that has been given up.
      void authority?.close();
      authority = new RedisAuthority({ link, clock, synchroniseClock });
      return authority;
    },
    /** Checks Redis: resolves with a sentence for the operator, rejects with the problem. */
    async check() {
      const found = await link.check();
      authority?.check();
      return found;
    },
    async close() {
      await authority?.close();
      await signals.close();
      await link.close();
    },
  };
}
