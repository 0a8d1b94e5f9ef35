import type { BuildReporter } from '../build-reporter.ts';
import { type Grasp, type Instructed, NotUnderstood, type PlanOptions, type WrittenApp } from '../builder.ts';
import { completeSpec } from '../plan/complete-spec.ts';
import type { Reading } from '../read/draft.ts';
import type { Revised } from '../revise/revise.ts';
import type { AppSpec } from '../spec.ts';
import { completedSpec } from './drafted.ts';

import { defaultFiles, type FileToWrite, type ModelSpec, specByModel } from './model-spec.ts';
import type { ToWrite } from './prompts/code.ts';
import { reviseByModel } from './revise.ts';
import type { ModelSession } from './session.ts';

/** Maximum number of lines of what was not taken up. */
const maxLines = 60;

/** Called where the app is written as what no kind is. */
export const beyondKinds = 'No kind of app serves this; the model writes it as what it is.';

const wordsIn = (text: string): readonly string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** What a model has planned. */
export interface Planned {
  /** The plan of the app where a model writes its files. */
  readonly reading: Reading;
  /** The same where the template of its kind is used: whole, and honest about what the template lacks. */
  readonly fromTemplate: Reading;
  /** What the model writes the files by. Null: the app is made from a template, as it was before. */
  readonly toWrite: ToWrite | null;
  /** The app that is changed, where a model has written it. */
  readonly before: WrittenApp | null;
  /** Whether no kind serves what was asked for. */
  readonly beyondKinds: boolean;
  /** What the model has made of an instruction. */
  readonly grasp: Grasp | null;
}

/** Has the model plan what was asked for. Throws a `Shortfall`, and `NotUnderstood`. */
export async function plannedByModel(session: ModelSession, reporter: BuildReporter): Promise<Planned> {
  const { prompt, options } = reporter.context;
  if (options.instructed) return revisedByModel(session, reporter, options.instructed);
  if (options.spec && (options.settled || prompt === '')) {
    const reading = await reporter.work('plan', prompt, options);
    return plain(reading, defaultFiles, options.settled ? await reporter.context.written() : null, null);
  }
  const plan = (asked: PlanOptions) => reporter.work('plan', prompt, asked);
  return readByModel(session, prompt, options, plan);
}

/** Has the model plan what a prompt asks for, from the draft of the rules on. Throws a `Shortfall`. */
export async function readByModel(
  session: ModelSession,
  prompt: string,
  options: PlanOptions,
  plan: (asked: PlanOptions) => Promise<Reading>,
  draft?: Reading,
): Promise<Planned> {
  const read = draft ?? (await plan(options));
  const planned = await specByModel(session, prompt, options, read);
  const whole = (spec: AppSpec) => (options.spec ? completeSpec(options.spec, spec) : spec);
  const spec = whole(planned.spec);
  const ground = await plan({ ...options, kind: spec.kind, against: spec });
  const fit = whole(completedSpec(spec, ground.spec));
  return {
    reading: readingOf(spec, planned, read, ground, 'files'),
    fromTemplate: readingOf(fit, planned, read, ground, 'template'),
    toWrite: { ...planned, spec },
    before: null,
    beyondKinds: isBeyondKinds(planned, read),
    grasp: null,
  };
}

async function revisedByModel(
  session: ModelSession,
  reporter: BuildReporter,
  { base, instruction, byRules }: Instructed,
): Promise<Planned> {
  const before = await reporter.context.written();
  const rules: Revised = { ...byRules, spec: (reporter.context.options.spec ?? base) as AppSpec };
  const byModel = await reviseByModel(session, base, instruction, rules, before !== null);
  const understood = byModel.done.length > 0 || byModel.spec !== base;
  if (!understood && rules.done.length === 0) throw new NotUnderstood();
  const { spec, done, notUnderstood } = understood ? byModel : rules;
  const fit = spec.kind === base.kind ? spec : await ofKind(reporter, spec);
  const reading = { spec, notTakenUp: [], unserved: null };
  return {
    ...plain(reading, before && defaultFiles, before, { understood: done, notUnderstood }),
    fromTemplate: { ...reading, spec: fit },
  };
}

/** What a spec that has become one of another kind needs is what its kind begins with. */
async function ofKind(reporter: BuildReporter, spec: AppSpec): Promise<AppSpec> {
  const { kind, lang } = spec;
  const ground = await reporter.work('plan', '', { kind, spec: { kind, lang }, settled: true });
  return completedSpec(spec, ground.spec);
}

function plain(
  reading: Reading,
  files: readonly FileToWrite[] | null,
  before: WrittenApp | null,
  grasp: Grasp | null,
): Planned {
  const toWrite = files && { spec: reading.spec, files, design: before?.design };
  return { reading, fromTemplate: reading, toWrite, before, beyondKinds: false, grasp };
}

/**
 * What became of a request that a model has planned. What was not taken up is reckoned: what the rules miss in the model's
 * spec, and what the model itself says that the app will not have.
 * @param draft what the rules have read before the model
 * @param ground the same for the model's spec
 * @param madeOf what the app is made of: files of its own, or the template of its kind
 */
function readingOf(
  spec: AppSpec,
  { servedBy, notDone }: Pick<ModelSpec, 'servedBy' | 'notDone'>,
  draft: Reading,
  ground: Reading,
  madeOf: 'files' | 'template',
): Reading {
  const said = notDone.join('\n').toLowerCase();
  const missing = ground.notTakenUp.filter((part) => !said.includes(part.toLowerCase()));
  const served = servedBy === 'template' || servedBy === madeOf;
  return {
    spec,
    notTakenUp: [...notDone, ...missing.filter((part) => !holds(spec, part))].slice(0, maxLines),
    unserved: served ? null : draft.unserved,
  };
}

/** Whether no kind serves what was asked for, so that only files of its own do. */
function isBeyondKinds({ servedBy }: Pick<ModelSpec, 'servedBy'>, draft: Reading): boolean {
  return draft.unserved !== null && servedBy === 'files';
}

/** Whether every word of a part of the prompt is in the spec, but for what it supposes. */
function holds({ assumptions: _, ...spec }: AppSpec, part: string): boolean {
  const held = new Set(wordsIn(JSON.stringify(spec)));
  return wordsIn(part).every((word) => held.has(word));
}
