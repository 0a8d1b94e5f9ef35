/** What runs in the threads of the workshop: the only place of the server where the reader and the bundler are loaded. */

import { stop } from 'esbuild';
import { packageApp } from '../package.ts';
import { read } from '../read/read.ts';
import type { ReadOptions } from '../read/reading.ts';
import { renderApp } from '../render/render.ts';
import type { AppSpec } from '../spec.ts';
import { verifyApp } from '../verify/verify.ts';

interface SpecTask {
  readonly prompt: string;
  readonly options: ReadOptions;
}

interface Making {
  readonly files: ReadonlyMap<string, string>;
  readonly spec: AppSpec;
}

/** Does nothing: that it runs shows that a thread has begun. */
export const begin = () => null;

export const plan = ({ prompt, options }: SpecTask) => read(prompt, options);
export const render = (spec: AppSpec) => renderApp(spec);

/** How long the bundler's process is kept without work, in milliseconds: less than its thread. */
const idleMs = 1_000;
let idle: NodeJS.Timeout | undefined;

/** A thread that ended before the bundler's process would leave that process behind, which nobody could ever collect. */
export const verify = async ({ files, spec }: Making) => {
  clearTimeout(idle);
  try {
    return await verifyApp(files, spec);
  } finally {
    idle = setTimeout(() => void stop(), idleMs);
  }
};
export const pack = ({ files, html, spec }: Making & { readonly html: string }) =>
  packageApp(files, html, spec);
