import type { Need, Seed } from './authority.ts';

/** Says what the ledger holds of buckets that this process asks for the first time. Rejects with `StoreError`. */
export type SeedSource = (needs: readonly Need[]) => Promise<readonly Seed[]>;

/** Reads the counts of buckets from the ledger, each once at a time. They go with the next call of the authority. */
export class Seeding {
  readonly #seedsOf: SeedSource;
  readonly #loading = new Map<string, Promise<void>>();
  #seeds: Seed[] = [];

  constructor(seedsOf: SeedSource) {
    this.#seedsOf = seedsOf;
  }

  /** Resolves when all of them are read. Rejects with `StoreError`. */
  async load(needs: readonly Need[]): Promise<void> {
    const fresh = needs.filter(({ bucket: { id } }) => !this.#loading.has(id));
    if (fresh.length > 0) {
      const loading = this.#read(fresh);
      for (const { bucket } of fresh) this.#loading.set(bucket.id, loading);
    }
    await Promise.all(new Set(needs.map(({ bucket: { id } }) => this.#loading.get(id))));
  }

  /** Takes what was read since. */
  take(): Seed[] {
    const seeds = this.#seeds;
    this.#seeds = [];
    return seeds;
  }

  /** Resolves when nothing is being read any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#loading.values());
  }

  async #read(needs: readonly Need[]): Promise<void> {
    try {
      this.#seeds.push(...(await this.#seedsOf(needs)));
    } finally {
      for (const { bucket } of needs) this.#loading.delete(bucket.id);
    }
  }
}
