import { Listeners, noSignals, type Signals } from '../../lib/signals.ts';
import { eventsAtOnce } from './job-table.ts';

/** Those that are stored have a number. */
type Numbered = { readonly seq?: number | null };

/** The pause when a reader has had all stored events. */
export interface Pause<Event> {
  /** Events for this reader alone, which are kept nowhere. */
  readonly say: readonly Event[];
  /**
   * When to look again unless the reader is woken before, by `performance.now`; infinite: not before. Null: the
   * stream ends.
   */
  readonly until: number | null;
}

export interface Followed<Event> {
  readonly id: string;
  /** The number of its last event when the reader came, and whether that is its end. */
  readonly last: number;
  readonly over: boolean;
  readonly wakes: Wakes;
  /** Reads events after a number, in their order, at most `eventsAtOnce`. */
  readonly read: (after: number) => Promise<readonly Event[]>;
  readonly isEnd: (event: Event) => boolean;
  /** @param seq number of the last event that the reader has */
  readonly pause: (seq: number) => Pause<Event> | Promise<Pause<Event>>;
  /** Also wakes the reader, when it is aborted. */
  readonly alarm?: AbortSignal;
  /**
   * Whether the reader should learn why its signal was aborted: it gets the events stored by then, and the reason is
   * thrown. By default it has disconnected, and nothing more is sent.
   */
  readonly isTold?: (reason: unknown) => boolean;
}

/**
 * The events of a job after a number, to its end. It reads the stored events, hands them on, and waits to be woken or for a
 * moment to pass; it reads more only on demand, so a slow reader costs nothing.
 * @param after number of the last event that the reader has; one past the end gives the end again
 * @param signal aborted when the reader has disconnected, or has to learn that there is no more for it
 */
export async function* follow<Event extends Numbered>(
  job: Followed<Event>,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Event> {
  const { id, last, over, wakes, read, isEnd, pause, alarm, isTold } = job;
  const isGone = () => signal.aborted && isTold?.(signal.reason) !== true;
  let woken = Promise.withResolvers<void>();
  const wake = () => woken.resolve();
  const stops = [wakes.on(id, wake), listen(signal, wake)];
  if (alarm) stops.push(listen(alarm, wake));
  let seq = Math.min(after, over ? last - 1 : last);
  try {
    for (;;) {
      woken = Promise.withResolvers();
      // Asked before the look: so the end is not missed that was stored before the abort.
      const isLastLook = signal.aborted;
      const events = await read(seq);
      for (const event of events) {
        if (isGone()) return;
        yield event;
        seq = event.seq ?? seq;
        if (isEnd(event)) return;
      }
      if (isGone()) return;
      if (events.length === eventsAtOnce) continue;
      // Its events have been deleted meanwhile; there is nothing left to say.
      if (over) return;
      if (isLastLook) throw signal.reason;
      const { say, until } = await pause(seq);
      yield* say;
      if (until === null || isGone()) return;
      const leftMs = until - performance.now();
      if (signal.aborted || leftMs <= 0) continue;
      const timer = leftMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(wake, leftMs);
      await woken.promise;
      clearTimeout(timer);
    }
  } finally {
    for (const stop of stops) stop();
  }
}

function listen(signal: AbortSignal, listener: () => void): () => void {
  signal.addEventListener('abort', listener);
  return () => signal.removeEventListener('abort', listener);
}

/**
 * Wakes those that wait for a job, in this process and the others. Only speed depends on it.
 */
export class Wakes {
  readonly #listeners = new Listeners();
  readonly #signals: Signals;

  constructor(signals: Signals = noSignals) {
    this.#signals = signals;
  }

  /** Calls `listener` at every change until the returned function is called. */
  on(id: string, listener: () => void): () => void {
    const stops = [this.#listeners.on(id, listener), this.#signals.on(topicOf(id), listener)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  wake(id: string): void {
    this.#listeners.call(id);
    this.#signals.send(topicOf(id));
  }

  /** Those of this process: of others, as many would look at once as there are. */
  wakeAll(): void {
    this.#listeners.callAll();
  }

  /** Number of jobs with waiting readers. */
  get size(): number {
    return this.#listeners.size;
  }
}

function topicOf(id: string): string {
  return `job/${id}`;
}
