import type { BuildEvent, StreamClosingEvent } from '../../../generated/types.gen.ts';
import { isOver, type Job } from './job.ts';
import type { JobStore } from './job-store.ts';
import type { Wakes } from './wakes.ts';
import { streamEvent, type WireContext } from './wire.ts';

export interface FollowSettings {
  /** Silence after which a stream says that it is still there, in milliseconds. */
  readonly heartbeatMs: number;
  /** How often to look for what another process has done, in milliseconds. */
  readonly pollMs: number;
  /** The longest that a stream stays open, in milliseconds. */
  readonly maxDurationMs: number;
}

export const followSettings: FollowSettings = { heartbeatMs: 10_000, pollMs: 500, maxDurationMs: 300_000 };

/** How long a client waits before it reads on, in milliseconds. */
const retryMs = 1_000;

export interface FollowParts {
  readonly jobs: JobStore;
  readonly wakes: Wakes;
  readonly context: WireContext;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /** This process. Of the builds that it runs it hears by itself. */
  readonly workerId: string;
  readonly settings: FollowSettings;
}

/**
 * The events of a build after a number, to its end. It reads what is stored, hands it on, and waits to be woken or for
 * a moment to pass; it asks for more only when it is asked, so a slow reader costs nothing.
 * @param after number of the last event that the reader has; one past the end gives the final event again
 * @param signal aborted when the reader is gone
 */
export async function* follow(
  { jobs, wakes, context, stopping, workerId, settings }: FollowParts,
  job: Job,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<BuildEvent> {
  const waiter = new Waiter();
  const stops = [wakes.on(job.id, waiter.wake), listen(signal, waiter.wake), listen(stopping, waiter.wake)];
  const endsAt = performance.now() + settings.maxDurationMs;
  let cursor = Math.min(after, isOver(job) ? job.lastSeq - 1 : job.lastSeq);
  let current = job;
  let ahead: number | null = null;
  let saidAt = performance.now();
  try {
    for (;;) {
      waiter.reset();
      const events = await jobs.events(job.id, cursor);
      for (const event of events) {
        if (signal.aborted) return;
        yield event;
        cursor = event.seq ?? cursor;
        if ('final' in event) return;
      }
      if (events.length > 0) saidAt = performance.now();
      if (signal.aborted) return;
      current = (await jobs.find(job.id)) ?? current;
      // Something was stored between the two looks.
      if (current.lastSeq > cursor) continue;
      // The build has expired meanwhile; there is nothing left to say.
      if (isOver(current)) return;
      if (stopping.aborted) return yield closing(current, 'shutdown', cursor, jobs.now(), context);
      if (performance.now() >= endsAt)
        return yield closing(current, 'max_duration', cursor, jobs.now(), context);
      const place = await jobs.ahead(current);
      if (place !== null && place !== ahead && (place > 0 || ahead !== null)) {
        ahead = place;
        saidAt = performance.now();
        const message =
          place === 0 ? 'The build is next.' : `${place} ${place === 1 ? 'build is' : 'builds are'} ahead.`;
        yield {
          ...streamEvent('queue.position', current, jobs.now(), message),
          position: place + 1,
          ahead: place,
        };
      }
      const quiet = performance.now() - saidAt;
      if (quiet >= settings.heartbeatMs) {
        saidAt = performance.now();
        yield streamEvent('heartbeat', current, jobs.now(), 'The build goes on.');
      }
      const pollMs = current.workerId === workerId ? settings.heartbeatMs : settings.pollMs;
      const rest = Math.min(pollMs, settings.heartbeatMs - quiet, endsAt - performance.now());
      await waiter.wait(Math.max(1, rest));
    }
  } finally {
    for (const stop of stops) stop();
  }
}

/** The last event of a stream that ends before its build. */
export function closing(
  job: Job,
  reason: StreamClosingEvent['reason'],
  cursor: number,
  now: number,
  { addresses }: WireContext,
): StreamClosingEvent {
  const messages = {
    shutdown: 'The server is stopping; the build goes on.',
    max_duration: 'This stream was open for long enough; the build goes on.',
    slow_consumer: 'This stream was not read; the build goes on.',
  };
  return {
    ...streamEvent('stream.closing', job, now, messages[reason]),
    reason,
    resume_url: `${addresses.record(job.id, job.tenantId)}/events?after=${cursor}`,
    retry_ms: retryMs,
  };
}

/** Waits for a time to pass or to be woken, also when that happened since the last `reset`. */
class Waiter {
  #woken = false;
  #resume: (() => void) | null = null;

  readonly wake = (): void => {
    this.#woken = true;
    this.#resume?.();
  };

  reset(): void {
    this.#woken = false;
  }

  async wait(ms: number): Promise<void> {
    if (this.#woken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#resume = null;
  }
}

function listen(signal: AbortSignal, listener: () => void): () => void {
  signal.addEventListener('abort', listener);
  return () => signal.removeEventListener('abort', listener);
}
