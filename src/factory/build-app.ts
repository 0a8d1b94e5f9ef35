import { type Package, packageApp } from './package.ts';
import { cleanPrompt, promptLimits } from './prompt.ts';
import type { ReadOptions } from './read/draft.ts';
import { read } from './read/read.ts';
import type { Family } from './render/app-data.ts';
import { renderApp } from './render/render.ts';
import { type AppSpec, specProblems } from './spec.ts';
import { type CheckResult, verifyApp } from './verify/verify.ts';

export interface BuiltApp {
  readonly spec: AppSpec;
  /** Sources by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly checks: readonly CheckResult[];
  /** The whole app as one page. */
  readonly html: string;
  readonly package: Package;
  readonly assumptions: readonly string[];
  /** How it looks, as PNG, where a browser has opened it. */
  readonly picture?: Uint8Array | null;
}

/** A prompt that is too short or too long to be built from. */
class PromptError extends Error {
  override readonly name = 'PromptError';
}

/**
 * Makes an app from a prompt by rules, without a model. It has no side effects, and the same prompt always gives the
 * same bytes. A check that fails here is our own fault and throws.
 */
export async function buildApp(prompt: string, options: ReadOptions = {}): Promise<BuiltApp> {
  const length = [...cleanPrompt(prompt)].length;
  if (length < promptLimits.min)
    throw new PromptError(`The prompt needs at least ${promptLimits.min} characters.`);
  if (length > promptLimits.max)
    throw new PromptError(`The prompt may have at most ${promptLimits.max} characters.`);
  return buildFromSpec(read(prompt, options).spec);
}

/** The same from a spec that a person or a model has written. */
export async function buildFromSpec(spec: AppSpec, family?: Family): Promise<BuiltApp> {
  const wrong = specProblems(spec);
  if (wrong.length > 0) throw new TypeError(`The spec is not valid: ${wrong.join('; ')}`);
  const files = renderApp(spec, family);
  const { passed, checks, html } = await verifyApp(files, spec);
  if (!passed || html === null) {
    const failed = checks.flatMap((check) =>
      check.problems.filter((problem) => problem.severity === 'error'),
    );
    throw new Error(
      `The build failed its checks: ${failed.map(({ id, file, line, message }) => `${id} ${file ?? ''}:${line ?? ''} ${message}`).join('; ')}`,
    );
  }
  return { spec, files, checks, html, package: packageApp(files, html, spec), assumptions: spec.assumptions };
}
