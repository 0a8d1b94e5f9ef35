import type { BuiltApp } from './build-app.ts';
import { BuildReporter, TemplateFault } from './build-reporter.ts';
import { type Builder, NotSure } from './builder.ts';
import { asWarning } from './drive/drive.ts';
import { isSure } from './read/draft.ts';
import type { AppSpec } from './spec.ts';

/** Builds by rules alone: no network, no chance, the same bytes for the same prompt. */
export const embeddedBuilder: Builder = (context) => buildByRules(new BuildReporter(context));

/** Plans by rules and builds from templates. Throws `NotSure` where it is to ask first. A build that fails its checks is our own fault and throws. */
export async function buildByRules(reporter: BuildReporter): Promise<BuiltApp> {
  const { prompt, options } = reporter.context;
  await reporter.enter('planning');
  const reading = await reporter.work('plan', prompt, options);
  await reporter.report({ type: 'spec', reading, engine: { mode: 'embedded', model: null } });
  if (options.whenUnsure === 'ask' && !isSure(reading)) throw new NotSure();
  return buildFromTemplates(reporter, reading.spec);
}

/** Makes the app of a spec from templates. Throws `TemplateFault` when it fails its checks. */
export async function buildFromTemplates(reporter: BuildReporter, spec: AppSpec): Promise<BuiltApp> {
  await reporter.enter('generating');
  const files = await reporter.work('render', spec, reporter.context.options.family);
  await reporter.files(files);
  const { passed, checks, html } = await reporter.verify(files, spec);
  if (!passed || html === null) {
    const failed = checks.filter((check) => check.status === 'failed').map((check) => check.id);
    throw new TemplateFault(`The templates failed their checks: ${failed.join(', ')}.`);
  }
  // Rules cannot mend what a browser finds: it is reported.
  const driven = await reporter.drive({ html, must: [], stylesheet: null, lookOnly: true });
  const found = (driven?.checks ?? []).map(asWarning);
  for (const result of found) await reporter.report({ type: 'check', result });
  await reporter.enter('packaging');
  const packed = await reporter.work('pack', files, html, spec);
  return {
    spec,
    files,
    checks: [...checks, ...found],
    html,
    package: packed,
    assumptions: spec.assumptions,
    picture: driven?.picture ?? null,
  };
}
