import { type Meter, nothingDelivered } from '../../tenants/metering/meter.ts';
import type { Build } from './build.ts';
import type { BuildStore } from './build-store.ts';

/**
 * Build requests whose commit is unconfirmed: the database failed between storing the build and saying so, and could not be
 * asked afterwards. A build that was stored runs, so its request must not be settled as failed.
 */
export class UnsureBuilds {
  readonly #builds: BuildStore;
  readonly #unsure = new Map<string, { readonly meter: Meter; readonly error: unknown }>();

  constructor(builds: BuildStore) {
    this.#builds = builds;
  }

  /**
   * The build, null if it was not stored. That is certain also while PostgreSQL may still carry out a commit whose answer
   * was lost: the lock of the intake is free only when it is over. Rejects with `StoreError`.
   */
  find(id: string): Promise<Build | null> {
    return this.#builds.exclusively((db) => this.#builds.find(id, db));
  }

  /** @param error what the request fails with where its build was not stored */
  keep(id: string, meter: Meter, error: unknown): void {
    this.#unsure.set(id, { meter, error });
  }

  /** Looks again. Rejects with `StoreError` where that is still not possible. */
  async resolve(): Promise<void> {
    for (const [id, { meter, error }] of this.#unsure) {
      const build = await this.find(id);
      if (!this.#unsure.delete(id)) continue;
      if (build) meter.handOver();
      else await meter.failed(error, nothingDelivered);
    }
  }
}
