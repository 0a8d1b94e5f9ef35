import type { BuiltApp } from '../build-app.ts';
import { BuildReporter, WorkshopFault } from '../build-reporter.ts';
import type { BuildContext, Builder, BuildMode } from '../builder.ts';
import { buildByRules, buildFromTemplates, embeddedBuilder } from '../embedded-builder.ts';
import type { AppSpec } from '../spec.ts';
import { asset } from '../templates/assets.ts';
import { readmeOf } from '../templates/readme.ts';
import { completedSpec } from './completed-spec.ts';
import { generateFiles } from './generate.ts';
import { type givenFiles, type ModelSpec, specByModel } from './model-spec.ts';
import { verifiedOrRepaired } from './repair.ts';
import { type ModelOptions, ModelSession } from './session.ts';
import { Shortfall } from './shortfall.ts';

export interface BuilderOptions extends Omit<ModelOptions, 'model'> {
  /** Null: build by rules alone. */
  readonly model: string | null;
}

/**
 * The builder of a server. With a model it has three rungs: files that the model writes, templates with the model's
 * plan, templates with a spec by rules. Whatever fails on one leads to the next, so a build ends with a working app.
 */
export function createBuilder({ model, ...options }: BuilderOptions): Builder {
  return model === null ? embeddedBuilder : (context) => buildWithModel({ ...options, model }, context);
}

async function buildWithModel(options: ModelOptions, context: BuildContext): Promise<BuiltApp> {
  const progress = new BuildReporter(context);
  const session = new ModelSession(options, progress);
  const engine: BuildMode = { mode: 'model', model: options.model };
  await progress.enter('planning');
  const modelSpec = await onRung(progress, byRules, async () => {
    if (!(await context.mayAskModel())) throw new Shortfall('allowance');
    return specByModel(session, context.prompt, context.options);
  });
  if (!modelSpec) return buildByRules(progress);
  await progress.report({ type: 'spec', spec: modelSpec.spec, engine });
  const written = await onRung(progress, fromTemplate, () => buildFromModel(session, progress, modelSpec));
  if (written) return written;
  const made = await onRung(progress, byRules, async () =>
    buildFromTemplates(progress, await templateSpec(progress, modelSpec.spec)),
  );
  return made ?? buildByRules(progress);
}

const fromTemplate = "the app is made from a template, with the model's plan";
const byRules = 'the app is planned by rules and made from a template';

/** What the rung gives, or null with a notice when it does not hold. An aborted build ends here. */
async function onRung<T>(progress: BuildReporter, next: string, climb: () => Promise<T>): Promise<T | null> {
  try {
    return await climb();
  } catch (thrown) {
    progress.context.signal.throwIfAborted();
    const shortfall = thrown instanceof WorkshopFault ? new Shortfall('checks', { cause: thrown }) : thrown;
    if (!(shortfall instanceof Shortfall)) throw thrown;
    progress.startOver();
    const message = `${shortfall.message}; ${next}.`;
    await progress.report({ type: 'notice', code: 'engine_degraded', message });
    return null;
  }
}

/** An app out of files that the model writes. Throws a `Shortfall`. */
async function buildFromModel(
  session: ModelSession,
  progress: BuildReporter,
  modelSpec: ModelSpec,
): Promise<BuiltApp> {
  const { spec } = modelSpec;
  await progress.enter('generating');
  const given = await givenTo(progress, modelSpec);
  const own = modelSpec.files.map(({ path }) => path);
  const total = own.length + given.size;
  const files = await generateFiles(session, progress, progress.context.prompt, modelSpec, total);
  for (const [index, [path, text]] of [...given].entries())
    await progress.file(path, text, own.length + index + 1, total);
  const whole = new Map([...files, ...given].sort(([a], [b]) => (a < b ? -1 : 1)));
  const sound = await verifiedOrRepaired(session, progress, whole, spec, own);
  await progress.enter('packaging');
  const packed = await progress.work('pack', sound.files, sound.html, spec);
  return {
    spec,
    files: sound.files,
    checks: sound.verification.checks,
    html: sound.html,
    package: packed,
    assumptions: spec.assumptions,
  };
}

/** The files beside the model's own: the colours of the spec, the way to the storage, the README. */
async function givenTo(progress: BuildReporter, { spec, files }: ModelSpec): Promise<Map<string, string>> {
  const template = await progress.work('render', await templateSpec(progress, spec));
  const texts: Record<(typeof givenFiles)[number], string> = {
    'src/theme.css': template.get('src/theme.css') ?? '',
    'src/kit/storage.js': asset('kit/storage.js'),
    'README.md': readmeOf(spec, files),
  };
  return new Map(Object.entries(texts));
}

async function templateSpec(progress: BuildReporter, spec: AppSpec): Promise<AppSpec> {
  const { prompt, options } = progress.context;
  const rules = await progress.work('plan', prompt, { ...options, kind: spec.kind });
  return completedSpec(spec, rules, prompt);
}
