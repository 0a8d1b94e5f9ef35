import type { Threads, Tools } from '../../factory/factory.ts';
import { tooManyStreams, tooMuchToDo } from './build-errors.ts';

/** How long one request may use the tools, in milliseconds. */
const maxMs = 20_000;

export type ToolSlots = ReturnType<typeof toolSlots>;

/** The tools of the workshop for requests: so many at a time and no more, as what waits for a thread is kept in memory. */
export function toolSlots(threads: Pick<Threads, 'tools'>, slots: number) {
  let taken = 0;
  return {
    /** Throws `queue_full` where no slot is free, and what the work throws. */
    async use<T>(work: (tools: Tools) => Promise<T>): Promise<T> {
      if (taken >= slots) throw tooMuchToDo();
      taken += 1;
      try {
        return await work(threads.tools(AbortSignal.timeout(maxMs)));
      } finally {
        taken -= 1;
      }
    },
  };
}

/** How many streams of builds one process keeps open at a time: an open connection costs memory while nothing happens. */
export interface StreamLimits {
  readonly all: number;
  /** For one network of the demo, or one tenant. Many people may share an address. */
  readonly reader: number;
}

export const streamLimits: StreamLimits = { all: 1000, reader: 200 };

export type StreamSlots = ReturnType<typeof streamSlots>;

/** The streams of builds that are open in this process. */
export function streamSlots(limits: StreamLimits) {
  const readers = new Map<string, number>();
  let open = 0;
  const count = (reader: string, change: 1 | -1) => {
    const own = (readers.get(reader) ?? 0) + change;
    if (own === 0) readers.delete(reader);
    else readers.set(reader, own);
    open += change;
  };
  return {
    /** Throws `too_many_streams` when there is no room for another stream of this reader. */
    requireOne(reader: string): void {
      if (open >= limits.all || (readers.get(reader) ?? 0) >= limits.reader) throw tooManyStreams();
    },
    /** The same events; they take a slot from the first one that is asked for until they are over or given up. */
    async *counted<T>(reader: string, events: AsyncIterable<T>): AsyncGenerator<T> {
      count(reader, 1);
      try {
        yield* events;
      } finally {
        count(reader, -1);
      }
    },
  };
}
