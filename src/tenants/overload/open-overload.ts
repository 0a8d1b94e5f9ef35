import type { Turns } from '../../contract/turns.ts';
import type { Caller } from '../accounts/caller.ts';
import type { Plans } from '../accounts/plans.ts';
import { type LoadState, Pressure } from './pressure.ts';
import { ProcessSignals, type SignalName, type SignalSources, thresholdsOf } from './process-signals.ts';
import { type Refusal, RequestTurns } from './request-turns.ts';

/** What is too much, for the operator. */
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
export interface OverloadObserver {
  requestShed(reason: Refusal, plan: string): void;
  /** @param signal what was too much */
  loadChanged(state: LoadState, signal: SignalName | null): void;
}

/** What can be seen of the load of a process. */
export interface Load {
  readonly state: LoadState;
  /** What is too much while requests are shed; null: nothing. */
  readonly signal: SignalName | null;
  readonly running: number;
  /** How many may run. */
  readonly limit: number;
  readonly waiting: ReadonlyMap<Caller['plan'], number>;
}

export interface Overload {
  readonly turns: Turns;
  load(): Load;
  /** Resolves with a sentence, rejects with what is too much. */
  readonly check: () => Promise<string>;
  close(): void;
}

/** Begins to measure this process, and to let requests begin in turn. */
export function openOverload(
  settings: OverloadSettings,
  plans: Plans,
  sources: SignalSources,
  observer: OverloadObserver,
): Overload {
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
  const load = (): Load => ({
    state: pressure.state,
    signal: pressure.state === 'shedding' ? pressure.worst : null,
    running: turns.running,
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
    },
    load,
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
