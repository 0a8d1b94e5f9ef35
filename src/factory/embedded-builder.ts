import type { BuiltApp } from './build-app.ts';
import { BuildReporter, WorkshopFault } from './build-reporter.ts';
import type { Builder } from './builder.ts';
import type { AppSpec } from './spec.ts';

/** Builds by rules alone: no network, no chance, the same bytes for the same prompt. */
export const embeddedBuilder: Builder = (context) => buildByRules(new BuildReporter(context));

/** Plans by rules and builds from templates. A build that fails its checks is our own fault and throws. */
export async function buildByRules(progress: BuildReporter): Promise<BuiltApp> {
  const { prompt, options } = progress.context;
  await progress.enter('planning');
  const spec = await progress.work('plan', prompt, options);
  await progress.report({ type: 'spec', spec, engine: { mode: 'embedded', model: null } });
  return buildFromTemplates(progress, spec);
}

/** Makes the app of a spec from templates. Throws `WorkshopFault` when it fails its checks. */
export async function buildFromTemplates(progress: BuildReporter, spec: AppSpec): Promise<BuiltApp> {
  await progress.enter('generating');
  const files = await progress.work('render', spec);
  await progress.files(files);
  const { passed, checks, html } = await progress.verify(files, spec);
  if (!passed || html === null) {
    const failed = checks.filter((check) => check.status === 'failed').map((check) => check.id);
    throw new WorkshopFault(`The templates failed their checks: ${failed.join(', ')}.`);
  }
  await progress.enter('packaging');
  const packed = await progress.work('pack', files, html, spec);
  return { spec, files, checks, html, package: packed, assumptions: spec.assumptions };
}
