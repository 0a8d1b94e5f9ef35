import type { Threads, Tools } from '../../factory/factory.ts';
import { tooManyStreams, tooMuchToDo } from './build-errors.ts';

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

/** How many streams of builds one process keeps open at a time: an open connection costs memory while nothing happens. */
export interface SeatLimits {
  readonly all: number;
  /** For one network of the demo, or one tenant. Many people may share an address. */
  readonly reader: number;
}

export const seatLimits: SeatLimits = { all: 1000, reader: 200 };

/** The streams of builds that are open in this process. */
export class Seats {
  readonly #limits: SeatLimits;
  readonly #readers = new Map<string, number>();
  #open = 0;

  constructor(limits: SeatLimits) {
    this.#limits = limits;
  }

  /** Throws `too_many_streams` when there is no room for another stream of this reader. */
  requireOne(reader: string): void {
    const own = this.#readers.get(reader) ?? 0;
    if (this.#open >= this.#limits.all || own >= this.#limits.reader) throw tooManyStreams();
  }

  /** The same events; they take a seat from the first one that is asked for until they are over or given up. */
  async *seated<T>(reader: string, events: AsyncIterable<T>): AsyncGenerator<T> {
    this.#count(reader, 1);
    try {
      yield* events;
    } finally {
      this.#count(reader, -1);
    }
  }

  #count(reader: string, change: 1 | -1): void {
    const own = (this.#readers.get(reader) ?? 0) + change;
    if (own === 0) this.#readers.delete(reader);
    else this.#readers.set(reader, own);
    this.#open += change;
  }
}
