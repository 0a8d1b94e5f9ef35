import type { Threads, Tools } from '../../factory/workshop/threads.ts';
import { tooMuchToDo } from './build-errors.ts';

/** How long one request may use the tools, in milliseconds. */
const maxMs = 20_000;

/** The tools of the workshop for requests: so many at a time and no more, as what waits for a thread is kept in memory. */
export class Bench {
  readonly #threads: Pick<Threads, 'tools'>;
  readonly #places: number;
  #taken = 0;

  constructor(threads: Pick<Threads, 'tools'>, places: number) {
    this.#threads = threads;
    this.#places = places;
  }

  /** Throws `queue_full` where no place is free, and what the work throws. */
  async use<T>(work: (tools: Tools) => Promise<T>): Promise<T> {
    if (this.#taken >= this.#places) throw tooMuchToDo();
    this.#taken += 1;
    try {
      return await work(this.#threads.tools(AbortSignal.timeout(maxMs)));
    } finally {
      this.#taken -= 1;
    }
  }
}
