import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Turns } from '../../contract/turns.ts';
import type { Plans } from '../accounts/plans.ts';
import { type LoadState, Pressure, type Signals, type Threshold } from './pressure.ts';
import { type Refusal, RequestTurns } from './request-turns.ts';

/** The name of each overload signal, for the operator. */
const tooMuch: Readonly<Record<SignalName, string>> = {
  event_loop: 'The event loop is late',
  heap: 'The heap is nearly full',
  memory: "The container's memory is nearly full",
  admissions: 'The database is late with admissions',
};

/** How often the process is measured, in milliseconds. */
const everyMs = 500;
/** However bad it is, so many requests may run. */
const minRunning = 64;

export interface OverloadSettings {
  /** Requests of tenants that may run at a time. */
  readonly maxRunning: number;
  /** Requests of tenants that may wait for that. */
  readonly maxWaiting: number;
  /** How long one may wait, in milliseconds. */
  readonly maxWaitMs: number;
  /** How long what happens may wait for the event loop on average, in milliseconds; 0: nothing is measured. */
  readonly maxLoopDelayMs: number;
  /** Requests that may run however bad it is; 64 if left out. */
  readonly minRunning?: number;
}

/** Observes the load. Must not throw. */
interface OverloadObserver {
  requestShed(reason: Refusal, plan: string): void;
  /** @param signal what was too much */
  loadChanged(state: LoadState, signal: SignalName | null): void;
}

export type Overload = ReturnType<typeof openOverload>;
/** The visible load of a process. */
export type Load = ReturnType<Overload['load']>;

/** Begins to measure this process, and to let requests begin in turn. */
export function openOverload(
  settings: OverloadSettings,
  plans: Plans,
  sources: SignalSources,
  observer: OverloadObserver,
) {
  const { maxRunning, maxLoopDelayMs } = settings;
  const pressure = new Pressure<SignalName>({
    thresholds: thresholdsOf(maxLoopDelayMs),
    maxRunning,
    minRunning: Math.min(maxRunning, settings.minRunning ?? minRunning),
  });
  const turns = new RequestTurns(
    {
      settings,
      weightOf: (plan) => plans[plan].requestWeight,
      now: () => performance.now(),
      random: Math.random,
      onRefused: observer.requestShed,
    },
    maxRunning,
  );
  const signals = maxLoopDelayMs === 0 ? null : new ProcessSignals(sources);
  let lookedAt = performance.now();
  let firedAt = lookedAt;
  const look = (now: number) => {
    const before = pressure.state;
    if (signals) pressure.take(signals.read(now - firedAt - everyMs), now - lookedAt, turns.running);
    lookedAt = now;
    turns.adapt(pressure.limit, pressure.state);
    if (pressure.state !== before) observer.loadChanged(pressure.state, pressure.worst);
  };
  const timer = setInterval(() => {
    firedAt = performance.now();
    look(firedAt);
  }, everyMs);
  timer.unref();
  const load = () => ({
    state: pressure.state,
    /** The signal for which requests are shed; null: none. */
    signal: pressure.state === 'shedding' ? pressure.worst : null,
    running: turns.running,
    /** How many may run. */
    limit: pressure.limit,
    waiting: turns.waitingByPlan(),
  });
  return {
    turns: {
      take(principal, signal) {
        // Where requests keep the event loop from its timers, they are who sees it.
        const now = performance.now();
        if (now - lookedAt > everyMs) look(now);
        return turns.take(principal, signal);
      },
    } satisfies Turns,
    load,
    /** Resolves with a sentence, rejects with what is too much. */
    async check() {
      const { running, limit, signal } = load();
      const counts = `${running} of ${limit} requests run, ${turns.waiting} wait for their turn.`;
      if (signal !== null) throw new Error(`${tooMuch[signal]}: requests are shed. ${counts}`);
      return counts;
    },
    close() {
      clearInterval(timer);
      signals?.close();
    },
  };
}

/** The measured signals of a process. */
type SignalName = 'event_loop' | 'heap' | 'memory' | 'admissions';

/** How often the event loop is looked at, in milliseconds; it costs 0.2 % of a core. */
const resolutionMs = 20;
/** Garbage is in the heap until it is collected: only what is there in all of the last looks counts. */
const heapLooks = 8;

/**
 * Beyond these it is too much. How busy the event loop is, is no signal: one that is always busy and turns quickly is well
 * used.
 * @param maxLoopDelayMs for which what happens waits for the event loop, on average
 */
function thresholdsOf(maxLoopDelayMs: number): Readonly<Record<SignalName, Threshold>> {
  return {
    event_loop: { high: maxLoopDelayMs, low: maxLoopDelayMs / 2 },
    // Fractions of V8's heap limit: close to it, V8 does little but collect garbage.
    heap: { high: 0.92, low: 0.85 },
    // Fractions of the container's memory, beyond which the system ends the process.
    memory: { high: 0.95, low: 0.9 },
    // Requests whose admission waits to be written, of which a batch takes 500: the database is too slow for what comes.
    admissions: { high: 1_000, low: 250 },
  };
}

interface SignalSources {
  /** Requests whose admission is not written yet. */
  readonly waitingAdmissions: () => number;
}

/** Measures the process. */
export class ProcessSignals {
  readonly #histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  readonly #sources: SignalSources;
  readonly #heap: number[] = [];
  #turns: Sums = { first: 0, second: 0 };

  constructor(sources: SignalSources) {
    this.#sources = sources;
    this.#histogram.enable();
  }

  /**
   * The measurements since the last call.
   * @param lateMs for which the event loop has not come to its timers: a turn is measured when it is over, and one in which
   *   sockets keep being ready can take many seconds (of 1,024 at once, libuv asks for more 48 times before it goes on)
   */
  read(lateMs = 0): Signals<SignalName> {
    const turns = sumsOf(this.#histogram);
    const eventLoop = expectedWait({
      first: turns.first - this.#turns.first,
      second: turns.second - this.#turns.second,
    });
    this.#turns = turns;
    this.#heap.push(heapUsed());
    if (this.#heap.length > heapLooks) this.#heap.shift();
    return {
      event_loop: Math.max(0, lateMs, eventLoop - resolutionMs / 2),
      heap: this.#heap.length < heapLooks ? 0 : Math.min(...this.#heap),
      memory: memoryUsed(),
      admissions: this.#sources.waitingAdmissions(),
    };
  }

  close(): void {
    this.#histogram.disable();
  }
}

/** Sums of the lengths of turns of the event loop, in milliseconds, and of their squares. */
interface Sums {
  readonly first: number;
  readonly second: number;
}

/**
 * Of all since the start. A reset of the histogram would lose the turn in which it is made: the first after it is not
 * counted (Node 24), which in an event loop that is slow enough is each.
 */
function sumsOf({ mean, stddev, count }: ReturnType<typeof monitorEventLoopDelay>): Sums {
  if (count === 0) return { first: 0, second: 0 };
  const [meanMs, stddevMs] = [mean / 1e6, stddev / 1e6];
  return { first: meanMs * count, second: (meanMs * meanMs + stddevMs * stddevMs) * count };
}

/**
 * How long something that happens at any moment waits for the next turn of the event loop, on average: E[d²] / 2E[d], d being
 * the lengths of the turns. Their mean would hide one of a second among a hundred short ones, although nearly all that
 * happens in that time falls into it (https://en.wikipedia.org/wiki/Renewal_theory#Inspection_paradox).
 */
export function expectedWait({ first, second }: Sums): number {
  return first <= 0 ? 0 : second / (2 * first);
}

function heapUsed(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used / limit;
}

/** Share of the container's memory that this process takes; 0 where nothing limits it. */
function memoryUsed(): number {
  // 0 or beyond all memory where nothing is constrained (https://nodejs.org/api/process.html#processconstrainedmemory).
  const limit = process.constrainedMemory();
  return limit > 0 && limit < 2 ** 50 ? process.memoryUsage.rss() / limit : 0;
}
