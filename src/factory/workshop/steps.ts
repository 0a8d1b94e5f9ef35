/** What runs in the threads of the workshop: the only place of the server where the planner and the bundler are loaded. */
import { packageApp } from '../package.ts';
import { type PlanOptions, planApp } from '../planner/plan.ts';
import type { AppSpec } from '../spec.ts';
import { renderApp } from '../templates/render.ts';
import { verifyApp } from '../verify/verify.ts';

interface Planning {
  readonly prompt: string;
  readonly options: PlanOptions;
}

interface Making {
  readonly files: ReadonlyMap<string, string>;
  readonly spec: AppSpec;
}

export const plan = ({ prompt, options }: Planning) => planApp(prompt, options);
export const render = (spec: AppSpec) => renderApp(spec);
export const verify = ({ files, spec }: Making) => verifyApp(files, spec);
export const pack = ({ files, html, spec }: Making & { readonly html: string }) =>
  packageApp(files, html, spec);
