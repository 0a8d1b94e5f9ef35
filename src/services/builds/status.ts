import type { FactoryStatus } from '../../../generated/types.gen.ts';
import type { BuildMode } from '../../factory/builder.ts';
import type { BuildStore } from './build-store.ts';

type Limits = FactoryStatus['limits'] & { readonly capacity: number };

/** How long what was read is shown again, in milliseconds: anybody may ask, as often as they like. */
const freshMs = 1_000;

/** How the factory is doing, for everybody. */
export class StatusBoard {
  readonly #jobs: BuildStore;
  readonly #engine: BuildMode;
  readonly #limits: Limits;
  #queue: Promise<FactoryStatus['queue']> | null = null;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(builds: BuildStore, engine: BuildMode, limits: Limits) {
    this.#jobs = builds;
    this.#engine = engine;
    this.#limits = limits;
  }

  /** Never rejects: without a database the queue is null. */
  async read(): Promise<Pick<FactoryStatus, 'engine' | 'queue' | 'limits'>> {
    if (this.#queue === null || performance.now() - this.#readAt > freshMs) {
      this.#readAt = performance.now();
      this.#queue = this.#count();
    }
    const { capacity: _, ...limits } = this.#limits;
    return { engine: { ...this.#engine }, queue: await this.#queue, limits };
  }

  async #count(): Promise<FactoryStatus['queue']> {
    try {
      const { running, waiting } = await this.#jobs.counts();
      return { running, waiting, capacity: this.#limits.capacity };
    } catch {
      return null;
    }
  }
}
