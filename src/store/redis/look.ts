import { createClient } from 'redis';
import { type Place, type RedisAddress, redisAddress } from './address.ts';
import { clientOptions, misfitOf, saidIn } from './link.ts';
import { toRedisError } from './redis-error.ts';

const connectMs = 3_000;

/**
 * Asks the first Redis that can be reached what it is, over a connection of its own. Gives what it says that it is, for example
 * `Redis 8.0.2`, and why it should be set otherwise; null: nothing. Rejects with a `StoreError`.
 */
export async function lookAtRedis(url: string) {
  const address = redisAddress(url);
  let problem: unknown;
  for (const place of address.places) {
    try {
      return await lookAt(address, place);
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

async function lookAt(address: RedisAddress, place: Place) {
  const limits = { connectTimeout: connectMs, reconnectStrategy: false } as const;
  const client = createClient(clientOptions(address, place, limits));
  client.on('error', () => undefined);
  try {
    await client.connect();
    const info = await client.info();
    const valkey = saidIn(info, 'valkey_version');
    const product = valkey === '' ? `Redis ${saidIn(info, 'redis_version')}` : `Valkey ${valkey}`;
    return { product, misfit: misfitOf(info) };
  } catch (thrown) {
    throw toRedisError(thrown);
  } finally {
    client.destroy();
  }
}
