import { Wakes } from '../../background/jobs/follow.ts';
import type { Queue } from '../../background/jobs/queue/queue.ts';
import {
  type Builder,
  type BuildMode,
  type Drive,
  openThreads,
  type Planner,
  promptLimits,
  type Threads,
} from '../../factory/factory.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Signals } from '../../lib/signals.ts';
import { repeat } from '../../lib/timers.ts';
import type { Store } from '../../store/store.ts';
import type { Plans } from '../../tenants/accounts/plans.ts';
import type { Metering } from '../../tenants/metering/open-metering.ts';
import { acceptance, type QueueLimits } from './acceptance.ts';
import { Addresses } from './addresses.ts';
import { type DemoLimit, defaultPlans, defaultRevisions, demoLimit } from './allowance.ts';
import type { BuildReader, Db } from './build-reader.ts';
import { BuildStore } from './build-store.ts';
import { type FollowSettings, followSettings } from './follow.ts';
import { createIntake } from './intake.ts';
import { createPlanning } from './planning.ts';
import { type Retention, retention, sweep } from './retention.ts';
import { createRevisionIntake } from './revision-intake.ts';
import { BuildRunner, buildTask } from './runner.ts';
import { createFactoryService, statusBoard } from './service.ts';
import { buildSettler, unconfirmedBuilds } from './settle-builds.ts';
import { type StreamLimits, streamLimits, streamSlots, toolSlots } from './slots.ts';
import type { WallLimits } from './view.ts';

/** How long a build may wait beside a free slot, and run beyond its time, in milliseconds. */
const stuckMs = 15_000;

const seconds = (milliseconds: number) => `${Math.floor(milliseconds / 1000)} s`;

interface FactoryParts {
  readonly store: Store;
  readonly metering: Pick<Metering, 'admissions' | 'instanceId'>;
  readonly plans: Plans;
  /** Hands out tasks to all processes; left out: each does everything by itself. Not started yet. */
  readonly tasks?: Queue | null;
  /** Whether it hands out the builds that wait as well, for which their table is enough otherwise. */
  readonly tasksForBuilds?: boolean;
  /** A name for something that must not be kept as it is. */
  readonly pseudonym: (text: string) => string;
  /** Signals to other processes; left out: they poll. */
  readonly signals?: Signals;
  /** Where the steps of builds run; in threads of its own if left out. */
  readonly threads?: Threads;
}

export interface FactorySettings {
  /** Address under which clients reach this server, without a slash at the end. */
  readonly publicUrl: string;
  /** Domain whose subdomains lead to this server, for previews; null: none but `localhost`. */
  readonly previewDomain: string | null;
  /** Maximum number of builds at a time in this process. */
  readonly concurrency: number;
  readonly threads: number;
  /** How many demo builds may wait; of tenants five times as many. */
  readonly queue: number;
  /** How many builds of one tenant may wait; as many as of all if left out. */
  readonly tenantQueue?: number;
  readonly engine: BuildMode;
  readonly loadBuilder: () => Promise<Builder>;
  /** Who plans without building, where that is not rules alone. */
  readonly loadPlanner?: () => Promise<Planner>;
  /** Tries apps in a browser; left out: they are not tried. */
  readonly loadDrive?: (() => Promise<Drive>) | undefined;
  readonly demo?: DemoLimit;
  /** Maximum number of revisions of demo builds that one network asks for in any hour; 30 if left out. */
  readonly demoRevisions?: number;
  /** Maximum number of plans that one network asks for without a key in any 300 seconds; 30 if left out. */
  readonly demoPlans?: number;
  /** Maximum number of demo builds of a day, in UTC, that ask a model, over all processes; no limit if left out. */
  readonly demoModelBuilds?: number;
  readonly wallMs?: WallLimits;
  readonly queueMs?: number;
  readonly tickMs?: number;
  readonly follow?: FollowSettings;
  readonly retention?: Retention;
  readonly streams?: StreamLimits;
  readonly onError: (error: unknown, jobId: string | null) => void;
}

export type Factory = Awaited<ReturnType<typeof openFactory>>;

const wallLimits: WallLimits = { embedded: 30_000, model: 180_000 };
/** Maximum time that a build waits for its turn, in milliseconds. */
const queueMs = 60_000;
const tickMs = 1_000;
/** How many requests may use the tools of the workshop at a time, for each of its threads. */
const slotsPerThread = 8;
const sweepMs = 60_000;
const sweepTask = 'factory-sweep';
/** How long a thread is kept without work, in milliseconds: its memory, more than 100 MB, is given back soon. */
const idleMs = 5_000;

/** Opens the factory on a store, takes up what a crash left undone, and begins to work. */
export async function openFactory(parts: FactoryParts, settings: FactorySettings) {
  const { store, pseudonym } = parts;
  const { admissions, instanceId } = parts.metering;
  const { publicUrl, previewDomain, onError, engine: defaultMode } = settings;
  const wallMs = settings.wallMs ?? wallLimits;
  const context = { addresses: new Addresses(publicUrl, previewDomain), wallMs };
  const tasks = parts.tasks ?? null;
  const buildQueue = parts.tasksForBuilds === true ? tasks : null;
  const waits = buildQueue && ((db: Db) => buildQueue.add([{ name: buildTask }], db));
  const wakes = new Wakes(parts.signals);
  const stopping = new AbortController();
  const threads = parts.threads ?? openThreads({ threads: settings.threads, idleMs });
  const { builds: count, windowMs } = settings.demo ?? demoLimit;
  const demo = { name: 'demo', count, windowMs } as const;
  const revisions = { ...defaultRevisions, count: settings.demoRevisions ?? defaultRevisions.count };
  const plans = { ...defaultPlans, count: settings.demoPlans ?? defaultPlans.count };
  const builds = new BuildStore(store, context, parts.plans, waits, plans);
  const kept = settings.retention ?? retention;
  const tenants = settings.queue * 5;
  const queue: QueueLimits = { demo: settings.queue, tenants, tenant: settings.tenantQueue ?? tenants };

  const unconfirmed = unconfirmedBuilds(builds);
  const runner = new BuildRunner({
    builds,
    unconfirmed,
    wakes,
    threads,
    workerId: instanceId,
    engine: defaultMode,
    loadBuilder: settings.loadBuilder,
    loadDrive: settings.loadDrive,
    settings: {
      concurrency: settings.concurrency,
      wallMs,
      queueMs: settings.queueMs ?? queueMs,
      demoModelBuilds: settings.demoModelBuilds ?? Number.POSITIVE_INFINITY,
      tickMs: settings.tickMs ?? tickMs,
    },
    queue: buildQueue,
    onOver: buildSettler(builds, admissions),
    onError,
  });
  const shared = {
    builds,
    wakes,
    context,
    runner,
    unconfirmed,
    defaultMode,
    admissions,
    pseudonym,
    queue,
    retention: kept,
    streamSlots: streamSlots(settings.streams ?? streamLimits),
    toolSlots: toolSlots(threads, settings.threads * slotsPerThread),
    stopping: stopping.signal,
    workerId: instanceId,
  };
  const service = createFactoryService({ ...shared, settings: settings.follow ?? followSettings });
  const accepts = acceptance(shared);
  const clean = () => sweep(store, kept, demo.windowMs, plans.windowMs);
  const sweepNow = tasks === null ? clean : sweepInTurn(tasks, clean, store.clock);
  const sweeping = repeat(sweepMs, sweepNow, (error) => onError(error, null));
  await runner.start();
  return {
    intake: createIntake(shared, accepts, demo),
    revisions: createRevisionIntake(shared, accepts, revisions, service.find),
    planning: createPlanning({ ...shared, plans, loadPlanner: settings.loadPlanner ?? null }),
    service,
    runner,
    status: statusBoard(builds, defaultMode, {
      capacity: queue.demo,
      builds: demo.count,
      window_s: demo.windowMs / 1000,
      revisions: revisions.count,
      revisions_window_s: revisions.windowMs / 1000,
      plans: plans.count,
      plans_window_s: plans.windowMs / 1000,
      prompt_least: promptLimits.min,
      prompt_most: promptLimits.max,
      retention_h: kept.demoMs / 3_600_000,
    }),
    /** Whether builds are begun and end. Resolves with a sentence, rejects with what is wrong. */
    checkQueue: () => checkQueue(builds, runner),
    /** The same of threads for builds, whether they can be started. */
    checkThreads: threads.check,
    /** Deletes what has had its time; happens by itself every minute. Returns how many builds it was. */
    sweep: clean,
    /** Ends the streams, with the place where their readers can continue, and takes nothing new. */
    stop: () => stopping.abort(),
    /** Gives back what runs. The store stays open. */
    async close() {
      stopping.abort();
      await sweeping.stop();
      await runner.close();
    },
  };
}

/** Has one process sweep each minute, whichever takes it up: all of them ask for the next minute's. */
function sweepInTurn(tasks: Queue, clean: () => Promise<unknown>, clock: Clock): () => Promise<void> {
  tasks.handle({
    name: sweepTask,
    concurrency: 1,
    async run() {
      await clean();
      return undefined;
    },
  });
  return () => {
    const runAt = (Math.floor(clock.now() / sweepMs) + 1) * sweepMs;
    return tasks.add([{ name: sweepTask, key: 'next', runAt }]);
  };
}

/**
 * Whether the builds of the queue are begun and come to an end in this process. Resolves with a sentence, rejects with
 * what is wrong.
 */
export async function checkQueue(
  builds: Pick<BuildReader, 'now' | 'waitingSince'>,
  runner: Pick<BuildRunner, 'activity'>,
  graceMs = stuckMs,
): Promise<string> {
  const since = await builds.waitingSince();
  const { running, seats, overdue, idleMs } = runner.activity(graceMs);
  const count = `${running} of ${seats} builds run`;
  if (overdue > 0 && overdue === seats) {
    throw new Error(`All ${seats} builds that run are more than ${seconds(graceMs)} past their time.`);
  }
  if (since === null) return `${count}, none waits.`;
  // Another process may have begun it meanwhile, and one that was given back has waited since long ago.
  const waitedMs = Math.min(Math.max(0, builds.now() - since), idleMs);
  if (running < seats && waitedMs > graceMs) {
    throw new Error(`${count} and one waits, but none was begun for ${seconds(waitedMs)}.`);
  }
  return `${count}, the first in the queue waits.`;
}
