import { createClient } from 'redis';
import { redisAddress } from './address.ts';
import { misfitOf } from './link.ts';
import { toRedisError } from './redis-error.ts';

/** What a look at Redis has shown. */
export interface RedisLook {
  /** What it says that it is, for example `Redis 8.0.2`. */
  readonly product: string;
  /** Why it should be set otherwise; null: nothing. */
  readonly misfit: string | null;
}

const connectMs = 3_000;

/** Asks Redis what it is, over a connection of its own. Rejects with a `StoreError`. */
export async function lookAtRedis(url: string): Promise<RedisLook> {
  const { host, port, tls, username, password, database } = redisAddress(url);
  const limits = { connectTimeout: connectMs, reconnectStrategy: false } as const;
  const client = createClient({
    socket: tls ? { host, port, tls, servername: host, ...limits } : { host, port, ...limits },
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    database,
    name: 'switchyard',
    maintNotifications: 'disabled',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const info = await client.info();
    const said = (name: string) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1] ?? '';
    const valkey = said('valkey_version');
    return {
      product: valkey === '' ? `Redis ${said('redis_version')}` : `Valkey ${valkey}`,
      misfit: misfitOf(info),
    };
  } catch (thrown) {
    throw toRedisError(thrown);
  } finally {
    client.destroy();
  }
}
