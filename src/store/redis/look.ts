import { createClient } from 'redis';
import { serverName } from '../../lib/address.ts';
import { type Place, type RedisAddress, redisAddress } from './address.ts';
import { misfitOf } from './link.ts';
import { toRedisError } from './redis-error.ts';

/** What a look at Redis has shown. */
interface RedisLook {
  /** What it says that it is, for example `Redis 8.0.2`. */
  readonly product: string;
  /** Why it should be set otherwise; null: nothing. */
  readonly misfit: string | null;
}

const connectMs = 3_000;

/** Asks the first Redis that can be reached what it is, over a connection of its own. Rejects with a `StoreError`. */
export async function lookAtRedis(url: string): Promise<RedisLook> {
  const { places, ...rest } = redisAddress(url);
  let problem: unknown;
  for (const place of places) {
    try {
      return await lookAt({ ...rest, ...place });
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

async function lookAt({
  host,
  port,
  tls,
  username,
  password,
  database,
}: Omit<RedisAddress, 'places'> & Place): Promise<RedisLook> {
  const limits = { connectTimeout: connectMs, reconnectStrategy: false } as const;
  const client = createClient({
    socket: tls ? { host, port, tls, ...serverName(host), ...limits } : { host, port, ...limits },
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
