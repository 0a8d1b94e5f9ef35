import { repeat } from '../../lib/timers.ts';
import type { Redis } from '../../store/redis/open-redis.ts';
import type { Store } from '../../store/store.ts';
import { OpenBatches } from './open-batches.ts';
import { RedisThoughts, StoredThoughts } from './shared-thoughts.ts';
import { VendorObjects } from './vendor-objects.ts';

/** How often what is past its time is deleted, in milliseconds. */
const sweepMs = 3_600_000;

interface KeptParts {
  readonly store: Store;
  readonly redis: Redis | null;
  /** Whether this process is the only one on the database. */
  readonly alone: boolean;
  readonly onError: (error: unknown) => void;
}

/** Opens what is known of what vendors keep, and deletes what is past its time. */
export function openVendorObjects({ store, redis, alone, onError }: KeptParts) {
  const objects = new VendorObjects(store);
  const stored = new StoredThoughts(store);
  const sweeping = repeat(
    sweepMs,
    async (signal) => {
      await objects.forgetOld(signal);
      await stored.forgetOld();
    },
    onError,
  );
  const shared = redis ? new RedisThoughts(redis.link) : stored;
  return {
    objects,
    batches: new OpenBatches(store, objects),
    /** Models' thinking, for all processes; null: this is the only one. */
    thoughts: alone ? null : shared,
    close: () => sweeping.stop(),
  };
}
