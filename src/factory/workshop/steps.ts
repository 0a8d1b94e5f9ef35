/** What runs in the threads of the workshop: the only place of the server where the reader and the bundler are loaded. */

import { stop } from 'esbuild';
import type { PlanOptions } from '../builder.ts';
import { archiveFiles, compareFiles, compareSpecs } from '../compare.ts';
import { packageApp, packedSources } from '../package.ts';
import { plan as planned } from '../plan/complete-spec.ts';
import type { Family } from '../render/app-data.ts';
import { renderApp } from '../render/render.ts';
import { revise as revised } from '../revise/revise.ts';
import type { AppSpec } from '../spec.ts';
import { verifyApp } from '../verify/verify.ts';

interface SpecTask {
  readonly prompt: string;
  readonly options: PlanOptions;
}

/** A build that is compared: of a first build there is nothing before it. */
export interface Compared {
  readonly spec: AppSpec | null;
  readonly zip: Uint8Array;
}

interface Rendering {
  readonly spec: AppSpec;
  readonly family?: Family;
}

interface Making {
  readonly files: ReadonlyMap<string, string>;
  readonly spec: AppSpec;
}

/** Does nothing: that it runs shows that a thread has begun. */
export const begin = () => null;

export const plan = ({ prompt, options }: SpecTask) => planned(prompt, options);
export const render = ({ spec, family }: Rendering) => renderApp(spec, family);
export const revise = ({ spec, instruction }: { readonly spec: AppSpec; readonly instruction: string }) =>
  revised(spec, instruction);
export const unpack = (zip: Uint8Array) => archiveFiles(zip);
export const sources = (zip: Uint8Array) => packedSources(archiveFiles(zip));
export const compare = ({
  before,
  after,
}: {
  readonly before: Compared | null;
  readonly after: Compared;
}) => ({
  spec: compareSpecs(before?.spec ?? {}, after.spec ?? {}),
  files: compareFiles(before === null ? new Map() : archiveFiles(before.zip), archiveFiles(after.zip)),
});

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
