import { LostJobError, Recorder } from '../../background/jobs/recorder.ts';
import {
  type BuildContext,
  type Builder,
  type BuildReport,
  type Drive,
  NotSure,
  NotUnderstood,
  type Stage,
  slug,
  TemplateFault,
  type Workshop,
  type WrittenApp,
} from '../../factory/factory.ts';
import { untilAborted } from '../../lib/timers.ts';
import { beginSpan, beginTrace, inSpan, type Span } from '../../lib/trace.ts';
import type { Build, BuildFailure } from './build.ts';
import type { BuildStore, Output } from './build-store.ts';
import { revisionNumbered } from './family.ts';
import type { Step } from './transitions.ts';

/**
 * Writes the steps of one build. Those that are gathered are written together or, where one of them cannot follow, not at
 * all. So nothing may be taken after a step that ends the build or gives it back, which makes the one that succeeds, and
 * brings the output, the last of those it is written with.
 */
export class BuildRecorder {
  readonly #recorder: Recorder<{ readonly step: Step; readonly output: Output | undefined }>;
  #job: Build;

  constructor(builds: BuildStore, build: Build, onWritten: () => void) {
    this.#job = build;
    this.#recorder = new Recorder(async (items) => {
      const steps = items.map(({ step }) => step);
      const next = await builds.take(this.#job, steps, items.at(-1)?.output);
      if (next === null) throw new LostJobError('The build is not this process’s any more.');
      this.#job = next;
    }, onWritten);
  }

  get build(): Build {
    return this.#job;
  }

  /** Resolves when the step is stored. Rejects with `LostJobError`, `StepError`, `StoreError`. */
  take(step: Step, output?: Output): Promise<void> {
    return this.#recorder.take({ step, output });
  }
}

/** A build as a trace of its own, with a span for each of its stages; costs nothing while nothing is traced. */
class BuildSpans {
  readonly #build: Span | null;
  #stage: Span | null = null;

  constructor({ id, attempt, tenant_id: tenantId }: Build) {
    this.#build = beginTrace('build', 'internal', () => ({
      'switchyard.build.id': id,
      'switchyard.build.attempt': attempt,
      'switchyard.tenant': tenantId ?? undefined,
    }));
  }

  /** Runs the work of the build, whose calls of models belong to it. */
  within<Result>(work: () => Result): Result {
    return inSpan(this.#build, work);
  }

  /** A stage begins, and the one before is over. */
  enter(stage: Stage): void {
    if (this.#build === null) return;
    this.#stage?.end();
    this.#stage = inSpan(this.#build, () =>
      beginSpan(`build ${stage}`, 'internal', () => ({ 'switchyard.build.stage': stage })),
    );
  }

  /** @param failure why it failed, by its code; null: it did not */
  end(failure: string | null): void {
    this.#stage?.end(failure);
    this.#build?.end(failure);
  }
}

export class StopReason extends Error {
  override readonly name = 'StopReason';
  readonly reason: 'cancelled' | 'time_limit' | 'shutdown';

  constructor(reason: StopReason['reason']) {
    super(reason);
    this.reason = reason;
  }
}

interface RunParts {
  readonly builds: BuildStore;
  readonly recorder: BuildRecorder;
  readonly builder: Builder;
  readonly drive?: Drive | undefined;
  readonly workshop: Workshop;
  /** Maximum number of demo builds of a day that ask a model, over all processes. */
  readonly demoModelBuilds: number;
  /** Aborted with a `StopReason`. */
  readonly signal: AbortSignal;
  /** Called with failures that are our own. */
  readonly onFault: (error: unknown, build: Build) => void;
}

/** Runs a build that was claimed to its end, and writes that down whatever it is. Rejects only with `StoreError`. */
export async function runBuild(parts: RunParts): Promise<void> {
  const { recorder, builder, signal } = parts;
  const spans = new BuildSpans(recorder.build);
  let failure: string | null = null;
  try {
    const app = await untilAborted(
      spans.within(() => builder(contextOf(parts, spans))),
      signal,
    );
    const files = app.package.entries.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }));
    const artifact = {
      bytes: app.package.zip.length,
      sha256: app.package.sha256,
      fileName: `${slug(app.spec)}.zip`,
      pictured: app.picture != null,
    };
    const output = { zip: app.package.zip, html: app.html, picture: app.picture ?? null };
    await recorder.take({ type: 'succeed', packed: { artifact, files } }, output);
  } catch (error) {
    if (error instanceof LostJobError) return;
    const step = stepOf(signal.aborted ? signal.reason : error);
    failure = 'failure' in step ? step.failure.code : step.type;
    if (step.type === 'fail' && step.failure.code === 'build_failed') parts.onFault(error, recorder.build);
    await recorder.take(step).catch((late: unknown) => {
      if (!(late instanceof LostJobError)) throw late;
    });
  } finally {
    spans.end(failure);
  }
}

function contextOf(
  { builds, recorder, workshop, drive, signal, demoModelBuilds }: RunParts,
  spans: BuildSpans,
): BuildContext {
  const { id, prompt, options, tenant_id: tenantId } = recorder.build;
  return {
    prompt,
    options,
    workshop,
    drive,
    signal,
    written: () => writtenBefore(recorder.build, builds, workshop),
    async report(report: BuildReport) {
      // Its end may be gathered with this, and would be refused together with a step that cannot follow an end.
      signal.throwIfAborted();
      if (report.type === 'stage') spans.enter(report.stage);
      await recorder.take({ type: 'report', report });
    },
    mayAskModel: async () =>
      tenantId !== null || (await builds.demoBuildsBefore(recorder.build)) < demoModelBuilds,
    async checkpoint(name, produce) {
      const kept = await builds.checkpoint(id, name);
      if (kept !== null) return kept;
      const text = await produce();
      await builds.keepCheckpoint(id, name, text);
      return text;
    },
  };
}

function stepOf(reason: unknown): Step {
  if (reason instanceof StopReason && reason.reason === 'cancelled') return { type: 'cancel' };
  if (reason instanceof StopReason && reason.reason === 'shutdown') return { type: 'release' };
  if (reason instanceof StopReason) return { type: 'fail', failure: failures.time_limit };
  if (reason instanceof NotUnderstood) return { type: 'fail', failure: failures.not_understood };
  if (reason instanceof NotSure) return { type: 'ask', failure: failures.unsure };
  const retryable = !(reason instanceof TemplateFault);
  return { type: 'fail', failure: { ...failures.build_failed, retryable } };
}

const failure = <Code extends BuildFailure['code']>(code: Code, message: string, retryable = true) => ({
  code,
  message,
  retryable,
});

export const failures = {
  time_limit: failure('time_limit', 'The build took too long and was stopped.'),
  build_failed: failure(
    'build_failed',
    'The factory failed. The problem is logged under the id of the build.',
  ),
  not_understood: failure(
    'not_understood',
    'The model could not be asked, and the rules did not understand the instruction. Send the change as spec or patch.',
  ),
  unsure: failure(
    'unsure',
    'The factory is not sure what to build, so nothing was built yet. Choose a starting point.',
    false,
  ),
  queue_timeout: failure('queue_timeout', 'The build waited too long for its turn.'),
  worker_lost: failure('worker_lost', 'The servers that ran the build ended, one after the other.'),
};

/**
 * The app that a build begins with, where a model has written its files: that of the revision before, or of the one that is
 * taken again. Null for every other build. Rejects with `StoreError`.
 */
async function writtenBefore(
  { root_id: rootId, base_id: baseId, change, tenant_id: tenantId }: Build,
  builds: BuildStore,
  workshop: Pick<Workshop, 'sources'>,
): Promise<WrittenApp | null> {
  const base =
    change.restored === undefined
      ? baseId && (await builds.find(baseId))
      : await revisionNumbered(builds.db, rootId, change.restored);
  if (!base || base.tenant_id !== tenantId || base.purged_at !== null) return null;
  const { engine, templateId, plan } = base.state;
  if (engine.mode !== 'model' || templateId !== null || !plan?.spec) return null;
  const zip = await builds.output(base.id, 'zip');
  return zip && { spec: plan.spec, files: await workshop.sources(zip), design: plan.design };
}
