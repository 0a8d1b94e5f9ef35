import { LostJobError, Recorder } from '../../background/jobs/recorder.ts';
import type { Step } from './advance.ts';
import type { Build } from './build.ts';
import type { BuildStore, Output } from './build-store.ts';

/**
 * Writes the steps of one build. Those that are gathered are written together or, where one of them cannot follow, not at
 * all. So nothing may be taken after a step that ends the build or gives it back, which makes the one that succeeds, and
 * brings the output, the last of those it is written with.
 */
export class BuildRecorder {
  readonly #recorder: Recorder<{ readonly step: Step; readonly output: Output | undefined }>;
  #job: Build;

  /** @param onWritten is called when something is stored */
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
