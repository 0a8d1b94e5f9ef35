import { LostJobError, Recorder } from '../../jobs/recorder.ts';
import type { Step } from './advance.ts';
import type { Job } from './build.ts';
import type { JobStore, Output } from './build-store.ts';

/** Writes the steps of one build. */
export class BuildRecorder {
  readonly #recorder: Recorder<{ readonly step: Step; readonly output: Output | undefined }>;
  #job: Job;

  /** @param onWritten is called when something is stored */
  constructor(jobs: JobStore, job: Job, onWritten: () => void) {
    this.#job = job;
    this.#recorder = new Recorder(async (items) => {
      const steps = items.map(({ step }) => step);
      const next = await jobs.take(this.#job, steps, items.at(-1)?.output);
      if (next === null) throw new LostJobError('The build is not this process’s any more.');
      this.#job = next;
    }, onWritten);
  }

  get job(): Job {
    return this.#job;
  }

  /** Resolves when the step is stored. Rejects with `LostJobError`, `StepError`, `StoreError`. */
  take(step: Step, output?: Output): Promise<void> {
    return this.#recorder.take({ step, output });
  }
}
