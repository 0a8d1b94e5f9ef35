import { untilAborted } from '../lib/timers.ts';
import type { BuildContext, BuildReport, Stage, Workshop } from './builder.ts';
import { BrowserAway } from './drive/devtools.ts';
import type { AppToDrive, Driven } from './drive/drive.ts';
import { fileEntry } from './package.ts';
import type { AppSpec } from './spec.ts';
import type { Verification } from './verify/verify.ts';

/** A step of the workshop failed: on files that it cannot cope with, or by our own fault. */
export class WorkshopFault extends Error {
  override readonly name: string = 'WorkshopFault';
}

/** What rules have made fails its checks: they would make the same again. */
export class TemplateFault extends WorkshopFault {
  override readonly name = 'TemplateFault';
}

/**
 * A build on its way. Each visit of a stage, each file and each check is reported once, and an aborted signal ends the
 * build at once, whatever it waits for.
 */
export class BuildReporter {
  readonly #context: BuildContext;
  readonly #reported = new Map<string, string>();
  #stage: Stage | null = null;
  #undriven = false;

  constructor(context: BuildContext) {
    this.#context = context;
  }

  get context(): BuildContext {
    return this.#context;
  }

  async enter(stage: Stage): Promise<void> {
    if (stage === this.#stage) return;
    this.#stage = stage;
    await this.report({ type: 'stage', stage });
  }

  async report(report: BuildReport): Promise<void> {
    this.#context.signal.throwIfAborted();
    await this.#context.report(report);
    this.#context.signal.throwIfAborted();
  }

  /** Has a step done by the workshop. Throws `WorkshopFault` when it fails. */
  async work<Step extends keyof Workshop>(
    step: Step,
    ...input: Parameters<Workshop[Step]>
  ): Promise<Awaited<ReturnType<Workshop[Step]>>> {
    const { workshop, signal } = this.#context;
    const run = workshop[step] as (...given: unknown[]) => Promise<unknown>;
    try {
      return (await untilAborted(run(...input), signal)) as Awaited<ReturnType<Workshop[Step]>>;
    } catch (cause) {
      signal.throwIfAborted();
      throw new WorkshopFault(`The build failed while it should ${step}.`, { cause });
    }
  }

  /** Begins with other files: all of them will be reported. */
  startOver(): void {
    this.#reported.clear();
  }

  /** Reports a file, unless it was reported as it is. `index` counts from 1. */
  async file(path: string, text: string, index: number, total: number): Promise<void> {
    const { bytes, sha256 } = fileEntry(path, text);
    if (this.#reported.get(path) === sha256) return;
    this.#reported.set(path, sha256);
    await this.report({ type: 'file', path, bytes, sha256, index, total });
  }

  async files(files: ReadonlyMap<string, string>): Promise<void> {
    for (const [index, [path, text]] of [...files].entries())
      await this.file(path, text, index + 1, files.size);
  }

  async verify(files: ReadonlyMap<string, string>, spec: AppSpec): Promise<Verification> {
    await this.enter('verifying');
    const verification = await this.work('verify', files, spec);
    for (const result of verification.checks) await this.report({ type: 'check', result });
    return verification;
  }

  /** Has a browser try an app, where there is one. Null: none has, which is said once where one should have. */
  async drive(app: AppToDrive): Promise<Driven | null> {
    const { drive, signal } = this.#context;
    if (!drive || this.#undriven) return null;
    try {
      return await drive(app, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      this.#undriven = true;
      const why = thrown instanceof BrowserAway ? thrown.message : 'The browser has failed.';
      const message = `${why} The app was not tried in it; every other check holds.`;
      await this.report({ type: 'notice', code: 'not_driven', message });
      return null;
    }
  }
}
