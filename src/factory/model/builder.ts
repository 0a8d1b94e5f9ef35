import type { BuiltApp } from '../build-app.ts';
import { BuildReporter, WorkshopFault } from '../build-reporter.ts';
import { type BuildContext, type Builder, type BuildMode, type Grasp, NotUnderstood } from '../builder.ts';
import { buildByRules, buildFromTemplates, embeddedBuilder } from '../embedded-builder.ts';
import { completeSpec } from '../plan/complete-spec.ts';
import { readmeOf } from '../render/readme.ts';
import { source } from '../render/sources.ts';
import type { AppSpec } from '../spec.ts';
import { completedSpec } from './completed-spec.ts';
import { generateFiles } from './generate.ts';
import { defaultFiles, type givenFiles, type ModelSpec, specByModel } from './model-spec.ts';
import { verifiedOrRepaired } from './repair.ts';
import { revisedByModel } from './revision.ts';
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
  const reporter = new BuildReporter(context);
  const session = new ModelSession(options, reporter);
  const engine: BuildMode = { mode: 'model', model: options.model };
  await reporter.enter('planning');
  const modelSpec = await onRung(reporter, byRules, async () => {
    if (!(await context.mayAskModel())) throw new Shortfall('allowance');
    return plannedByModel(session, reporter);
  });
  if (!modelSpec) {
    if (context.options.instructed?.ruled === false) throw new NotUnderstood();
    return buildByRules(reporter);
  }
  const reading = { spec: modelSpec.spec, notTakenUp: [], unserved: null };
  const { grasp } = modelSpec;
  await reporter.report({ type: 'spec', reading, engine, ...(grasp && { grasp }) });
  const written = await onRung(reporter, fromTemplate, () => buildFromModel(session, reporter, modelSpec));
  if (written) return written;
  const made = await onRung(reporter, byRules, async () =>
    buildFromTemplates(reporter, await templateSpec(reporter, modelSpec.spec)),
  );
  return made ?? buildByRules(reporter);
}

/** The plan, with what the model has understood of an instruction. Throws a `Shortfall`. */
async function plannedByModel(
  session: ModelSession,
  reporter: BuildReporter,
): Promise<ModelSpec & { readonly grasp?: Grasp }> {
  const { prompt, options } = reporter.context;
  if (options.instructed) {
    const { spec, ...grasp } = await revisedByModel(session, options.instructed);
    return { spec, files: defaultFiles, grasp };
  }
  if (options.spec && (options.settled || prompt === '')) {
    const { spec } = await reporter.work('plan', prompt, options);
    return { spec, files: defaultFiles };
  }
  const planned = await specByModel(session, prompt, options);
  return options.spec ? { ...planned, spec: completeSpec(options.spec, planned.spec) } : planned;
}

const fromTemplate = "the app is made from a template, with the model's plan";
const byRules = 'the app is planned by rules and made from a template';

/** What the rung gives, or null with a notice when it does not hold. An aborted build ends here. */
async function onRung<T>(reporter: BuildReporter, next: string, climb: () => Promise<T>): Promise<T | null> {
  try {
    return await climb();
  } catch (thrown) {
    reporter.context.signal.throwIfAborted();
    const shortfall = thrown instanceof WorkshopFault ? new Shortfall('checks', { cause: thrown }) : thrown;
    if (!(shortfall instanceof Shortfall)) throw thrown;
    reporter.startOver();
    const message = `${shortfall.message}; ${next}.`;
    await reporter.report({ type: 'notice', code: 'engine_degraded', message });
    return null;
  }
}

/** An app out of files that the model writes. Throws a `Shortfall`. */
async function buildFromModel(
  session: ModelSession,
  reporter: BuildReporter,
  modelSpec: ModelSpec,
): Promise<BuiltApp> {
  const { spec } = modelSpec;
  await reporter.enter('generating');
  const given = await givenTo(reporter, modelSpec);
  const own = modelSpec.files.map(({ path }) => path);
  const total = own.length + given.size;
  const files = await generateFiles(session, reporter, reporter.context.prompt, modelSpec, total);
  for (const [index, [path, text]] of [...given].entries())
    await reporter.file(path, text, own.length + index + 1, total);
  const whole = new Map([...files, ...given].sort(([a], [b]) => (a < b ? -1 : 1)));
  const sound = await verifiedOrRepaired(session, reporter, whole, spec, own);
  await reporter.enter('packaging');
  const packed = await reporter.work('pack', sound.files, sound.html, spec);
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
async function givenTo(reporter: BuildReporter, { spec, files }: ModelSpec): Promise<Map<string, string>> {
  const template = await reporter.work('render', await templateSpec(reporter, spec));
  const texts: Record<(typeof givenFiles)[number], string> = {
    'src/theme.css': template.get('src/theme.css') ?? '',
    'src/kit/storage.js': source('kit/storage.js'),
    'README.md': readmeOf(spec, files),
  };
  return new Map(Object.entries(texts));
}

async function templateSpec(reporter: BuildReporter, spec: AppSpec): Promise<AppSpec> {
  const { prompt, options } = reporter.context;
  // What was sent as a spec was checked, and needs nothing of the rules.
  if (options.settled || (options.spec && prompt === '')) return spec;
  const rules = await reporter.work('plan', prompt, { ...options, kind: spec.kind });
  const fit = completedSpec(spec, rules.spec);
  return options.spec ? completeSpec(options.spec, fit) : fit;
}
