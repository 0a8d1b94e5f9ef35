import { type Meter, nothingDelivered } from '../../tenants/metering/meter.ts';
import type { Build } from './build.ts';
import type { BuildStore } from './build-store.ts';

export type UnconfirmedBuilds = ReturnType<typeof unconfirmedBuilds>;

/**
 * Build requests whose commit is unconfirmed: the database failed between storing the build and saying so, and could not be
 * asked afterwards. A build that was stored runs, so its request must not be settled as failed.
 */
export function unconfirmedBuilds(builds: BuildStore) {
  const unconfirmed = new Map<string, { readonly meter: Meter; readonly error: unknown }>();
  /**
   * The build, null if it was not stored. That is certain also while PostgreSQL may still carry out a commit whose answer
   * was lost: the lock of the intake is free only when it is over. Rejects with `StoreError`.
   */
  const find = (id: string): Promise<Build | null> => builds.exclusively((db) => builds.find(id, db));
  return {
    find,
    /** @param error what the request fails with where its build was not stored */
    keep: (id: string, meter: Meter, error: unknown) => void unconfirmed.set(id, { meter, error }),
    /** Looks again. Rejects with `StoreError` where that is still not possible. */
    async resolve(): Promise<void> {
      for (const [id, { meter, error }] of unconfirmed) {
        const build = await find(id);
        if (!unconfirmed.delete(id)) continue;
        if (build) meter.handOver();
        else await meter.failed(error, nothingDelivered);
      }
    },
  };
}
