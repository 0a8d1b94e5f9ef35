import type { Step } from './advance.ts';
import type { Job } from './job.ts';
import type { JobStore, Output } from './job-store.ts';

/** The build is not this process's any more: another one has taken it over, or it is over. */
export class LostJobError extends Error {
  override readonly name = 'LostJobError';
}

interface Waiting {
  readonly step: Step;
  readonly output: Output | undefined;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Writes the steps of one build in their order, those that come while it is writing together. */
export class Recorder {
  readonly #jobs: JobStore;
  readonly #told: () => void;
  #job: Job;
  #waiting: Waiting[] = [];
  #writing = false;

  /** @param told is called when something is stored */
  constructor(jobs: JobStore, job: Job, told: () => void) {
    this.#jobs = jobs;
    this.#job = job;
    this.#told = told;
  }

  get job(): Job {
    return this.#job;
  }

  /** Resolves when the step is stored. Rejects with `LostJobError`, `StepError`, `StoreError`. */
  take(step: Step, output?: Output): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ step, output, resolve, reject });
      if (!this.#writing) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const taken = this.#waiting;
      this.#waiting = [];
      try {
        const steps = taken.map(({ step }) => step);
        const next = await this.#jobs.take(this.#job, steps, taken.at(-1)?.output);
        if (next === null) throw new LostJobError('The build is not this process’s any more.');
        this.#job = next;
        this.#told();
        for (const { resolve } of taken) resolve();
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    this.#writing = false;
  }
}
