import { ConfigError } from '../lib/config-error.ts';

/** Where a Redis server is, as a client takes it. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  readonly database: number;
}

const defaultPort = 6379;

/**
 * Reads `redis://user:password@host:port/database`, or `rediss://` for TLS
 * (https://www.iana.org/assignments/uri-schemes/prov/redis). Throws a `ConfigError` that shows nothing of it.
 */
export function redisAddress(url: string): RedisAddress {
  const parsed = URL.parse(url);
  const database = /^\/?(\d{0,4})$/.exec(parsed?.pathname ?? '-')?.[1];
  const scheme = parsed?.protocol;
  if (!parsed?.hostname || database === undefined || (scheme !== 'redis:' && scheme !== 'rediss:'))
    throw new ConfigError(['REDIS_URL is not of the form redis://user:password@host:port/database.']);
  return {
    host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(parsed.port || defaultPort),
    tls: scheme === 'rediss:',
    username: decodeURIComponent(parsed.username) || null,
    password: decodeURIComponent(parsed.password) || null,
    database: Number(database || 0),
  };
}
