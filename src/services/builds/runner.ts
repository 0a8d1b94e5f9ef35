// Over 300 lines: one state machine of who runs which build.
/**
 * Runs builds. The table of builds determines which waiting build is next, for all processes on the database alike; each
 * takes as many as it has room for, and recovers the builds of dead processes. Without `Queue` it looks there every second;
 * with one it gets a task for each build that waits, and looks for missed ones.
 */

import type { Wakes } from '../../background/jobs/follow.ts';
import { LocalJobs, type Work } from '../../background/jobs/local-jobs.ts';
import type { Queue } from '../../background/jobs/queue/queue.ts';
import type { Builder, BuildMode, Drive, Threads } from '../../factory/factory.ts';
import type { FactoryJobRow } from '../../store/factory-schema.ts';
import { type Build, buildOf } from './build.ts';
import type { BuildStore } from './build-store.ts';
import { BuildRecorder, failures, runBuild, StopReason } from './run-build.ts';
import type { UnconfirmedBuilds } from './settle-builds.ts';
import type { WallLimits } from './view.ts';

export interface RunnerSettings {
  /** Maximum number of builds at a time in this process. */
  readonly concurrency: number;
  readonly wallMs: WallLimits;
  /** Maximum time that a build waits for its turn, in milliseconds. */
  readonly queueMs: number;
  /** Maximum number of demo builds of a day, in UTC, that ask a model, over all processes. */
  readonly demoModelBuilds: number;
  /** How often to look what others have left to do, in milliseconds. */
  readonly tickMs: number;
}

/** Maximum number of times that a build is begun: one that ends every process that runs it must not do so for ever. */
const maxAttempts = 10;
/** After so many looks it searches for dead processes, and with a queue for builds that it has missed. */
const recoverEvery = 5;
/** The name of the tasks that stand for a build that waits: any one of them. */
export const buildTask = 'build';

interface RunnerParts {
  readonly builds: BuildStore;
  readonly unconfirmed: UnconfirmedBuilds;
  readonly wakes: Wakes;
  readonly threads: Threads;
  /** This process among those on the database. */
  readonly workerId: string;
  readonly engine: BuildMode;
  /** Is called with the first build. */
  readonly loadBuilder: () => Promise<Builder>;
  /** Tries apps in a browser, called with the first build; left out: they are not tried. */
  readonly loadDrive?: (() => Promise<Drive>) | undefined;
  readonly settings: RunnerSettings;
  /** Hands out a task for each build that waits; null: there is none. */
  readonly queue?: Pick<Queue, 'handle' | 'kick'> | null;
  /** Called with builds that have ended. */
  readonly onOver: (id: string) => Promise<void>;
  /** Called with errors of background work. */
  readonly onError: (error: unknown, jobId: string | null) => void;
}

interface RunningBuild extends Work {
  /** By `performance.now`. */
  readonly begunAt: number;
}

export class BuildRunner {
  readonly #parts: RunnerParts;
  readonly #running: LocalJobs<FactoryJobRow, RunningBuild>;
  #timer: NodeJS.Timeout | null = null;
  #filling: Promise<void> | null = null;
  #claiming: Promise<unknown> = Promise.resolve();
  /** The work that a look has found, until it is done. */
  readonly #duties = new Set<Promise<void>>();
  #again = false;
  #looks = 0;
  #movedAt = performance.now();
  #closing = false;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#running = new LocalJobs({
      table: parts.builds.table,
      instanceId: parts.workerId,
      cancelled: new StopReason('cancelled'),
      takeBack: (row) => this.#takeBack(buildOf(row)),
      onError: parts.onError,
    });
    const { concurrency } = parts.settings;
    parts.queue?.handle({
      name: buildTask,
      concurrency,
      room: () => (this.#closing ? 0 : concurrency - this.#running.sizeWithBeginning),
      run: async () => {
        if (await this.#claimNext()) this.#parts.wakes.wakeAll();
        return undefined;
      },
    });
  }

  /** Takes over what processes before this one left undone, and begins to work. */
  async start(): Promise<void> {
    await this.recover();
    this.#timer = setInterval(() => this.#look(), this.#parts.settings.tickMs);
    this.#timer.unref();
    this.#startFilling();
  }

  get running(): number {
    return this.#running.size;
  }

  /**
   * Builds that run, the most at a time, those whose time is over, and milliseconds since one was begun or ended here.
   * @param graceMs how far beyond its time a build is overdue
   */
  activity(graceMs: number) {
    const { concurrency, wallMs } = this.#parts.settings;
    const now = performance.now();
    const latest = now - wallMs[this.#parts.engine.mode] - graceMs;
    const running = this.#running.all();
    return {
      running: running.length,
      seats: concurrency,
      overdue: running.filter(({ begunAt }) => begunAt < latest).length,
      idleMs: now - this.#movedAt,
    };
  }

  kick(): void {
    if (this.#parts.queue) this.#parts.queue.kick(buildTask);
    else this.#startFilling();
  }

  #startFilling(): void {
    if (this.#closing) return;
    this.#again = true;
    this.#filling ??= this.#fill()
      .catch((error: unknown) => this.#parts.onError(error, null))
      .finally(() => {
        this.#filling = null;
      });
  }

  cancel(id: string): void {
    this.#running.get(id)?.stop(new StopReason('cancelled'));
  }

  /** Does what there is to do for a build that has ended without being run. */
  over(id: string): Promise<void> {
    return this.#parts.onOver(id);
  }

  /** Gives back what runs, for the next start or another process, and ends. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#timer) clearInterval(this.#timer);
    const stopped = this.#running.stop(new StopReason('shutdown'));
    await this.#filling;
    await this.#claiming;
    // Those that were begun meanwhile, too.
    await this.#running.stop(new StopReason('shutdown'));
    await stopped;
    // Who closes the database next must not take it from them.
    await Promise.all(this.#duties);
    await this.#parts.threads.close();
  }

  async #fill(): Promise<void> {
    while (this.#again && !this.#closing) {
      this.#again = false;
      // Others have moved up.
      while (await this.#claimNext()) this.#parts.wakes.wakeAll();
    }
  }

  /** Begins the next build if there is room for one. Whether it has. One claim at a time, or there would be room twice. */
  #claimNext(): Promise<boolean> {
    const claimed = this.#claiming.then(() => {
      const hasRoom = this.#running.size < this.#parts.settings.concurrency && !this.#closing;
      return hasRoom ? this.#claim() : false;
    });
    this.#claiming = claimed.catch(() => undefined);
    return claimed;
  }

  /** Begins the next build. Whether there was one. */
  async #claim(): Promise<boolean> {
    const { builds, workerId, engine } = this.#parts;
    const chosen: string[] = [];
    try {
      const build = await builds.claim(workerId, engine, (id) => {
        // A build given back meanwhile is for others: here it would only be begun in vain.
        if (this.#closing) return false;
        chosen.push(id);
        this.#running.expect(id);
        return true;
      });
      if (build) this.#run(build);
      return build !== null;
    } finally {
      for (const id of chosen) this.#running.abandon(id);
    }
  }

  #run(build: Build): void {
    const { builds, wakes, threads, settings, engine, onError } = this.#parts;
    const abort = new AbortController();
    const runaway = new AbortController();
    const wall = setTimeout(() => {
      const reason = new StopReason('time_limit');
      abort.abort(reason);
      runaway.abort(reason);
    }, settings.wallMs[engine.mode]);
    const recorder = new BuildRecorder(builds, build, () => wakes.wake(build.id));
    const run = async () => {
      try {
        await runBuild({
          builds,
          recorder,
          builder: await this.#parts.loadBuilder(),
          drive: await this.#parts.loadDrive?.(),
          workshop: threads.workshop(runaway.signal),
          demoModelBuilds: settings.demoModelBuilds,
          signal: abort.signal,
          onFault: (error) => onError(error, build.id),
        });
        await this.#parts.onOver(build.id);
      } catch (error) {
        // The build is taken back like that of a process that has ended.
        onError(error, build.id);
      } finally {
        clearTimeout(wall);
        this.#running.end(build.id, running);
        this.#movedAt = performance.now();
        this.#startFilling();
      }
    };
    // Another process has considered this one dead and given the build back meanwhile.
    this.#running.get(build.id)?.stop(new StopReason('shutdown'));
    this.#movedAt = performance.now();
    const running: RunningBuild = {
      begunAt: this.#movedAt,
      stop: (reason) => abort.abort(reason),
      // Not at once: when it ends, it has to be among those that run.
      done: Promise.resolve().then(run),
    };
    this.#running.start(build.id, running);
  }

  #look(): void {
    this.#looks += 1;
    if (!this.#parts.queue || this.#looks % recoverEvery === 0) this.#startFilling();
    const duties = [
      this.#running.stopCancelled(),
      ...(this.#looks % recoverEvery === 0 ? [this.recover()] : []),
    ];
    for (const duty of duties) {
      const done = duty.catch((error: unknown) => this.#parts.onError(error, null));
      this.#duties.add(done);
      void done.finally(() => this.#duties.delete(done));
    }
  }

  /** Ends what has waited too long, and takes back the builds that no process runs. */
  async recover(): Promise<void> {
    const { builds, unconfirmed, wakes, settings, onOver } = this.#parts;
    for (const build of await builds.overdue(builds.now() - settings.queueMs)) {
      await this.#try(build.id, async () => {
        if (await builds.take(build, [{ type: 'fail', failure: failures.queue_timeout }]))
          await onOver(build.id);
        wakes.wake(build.id);
      });
    }
    await this.#running.recover();
    for (const { id } of await builds.unsettled()) await this.#try(id, () => onOver(id));
    await this.#try(null, () => unconfirmed.resolve());
  }

  /** Does something for one build, which must not keep it from the others where it fails. */
  async #try(id: string | null, action: () => Promise<void>): Promise<void> {
    await action().catch((error: unknown) => this.#parts.onError(error, id));
  }

  /** Lets a build wait again that no process runs. */
  async #takeBack(build: Build): Promise<void> {
    const { builds, wakes, onOver } = this.#parts;
    const step =
      build.cancel_requested_at !== null
        ? ({ type: 'cancel' } as const)
        : build.attempt >= maxAttempts
          ? ({ type: 'fail', failure: failures.worker_lost } as const)
          : ({ type: 'release' } as const);
    if ((await builds.take(build, [step])) && step.type !== 'release') await onOver(build.id);
    wakes.wake(build.id);
    this.kick();
  }
}
