import type { BuiltApp } from '../build-app.ts';
import { BuildReporter, WorkshopFault } from '../build-reporter.ts';
import {
  type BuildContext,
  type Builder,
  type BuildMode,
  type Grasp,
  type Instructed,
  NotUnderstood,
} from '../builder.ts';
import { buildByRules, buildFromTemplates, embeddedBuilder } from '../embedded-builder.ts';
import { Shortfall } from './budget.ts';
import { beyondKinds, plannedByModel } from './planned.ts';
import { type ModelOptions, ModelSession } from './session.ts';
import { changedApp, writtenApp } from './write-app.ts';

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
  const { settled = false, instructed } = context.options;
  // An app from a template stays one when its spec is changed by hand: there is nothing to ask.
  if (settled && !instructed && !(await context.written())) return buildByRules(reporter);
  const engine: BuildMode = { mode: 'model', model: options.model };
  await reporter.enter('planning');
  const planned = await onRung(reporter, byRules, async () => {
    if (!(await context.mayAskModel())) throw new Shortfall('allowance');
    return plannedByModel(session, reporter);
  });
  if (!planned) {
    if (instructed?.byRules.done.length === 0) throw new NotUnderstood();
    return buildByRules(reporter);
  }
  const { reading, fromTemplate, before, toWrite, grasp } = planned;
  const design = toWrite?.design;
  const event = { type: 'spec', engine, ...(grasp && { grasp }), ...(design && { design }) } as const;
  if (toWrite) {
    await reporter.report({ ...event, reading });
    if (planned.beyondKinds)
      await reporter.report({ type: 'notice', code: 'beyond_kinds', message: beyondKinds });
    const written = await onRung(reporter, byTemplate, () =>
      before
        ? changedApp(session, reporter, before, reading.spec, async () => {
            if (instructed) await reporter.report({ ...event, reading, grasp: nothingDone(instructed) });
          })
        : writtenApp(session, reporter, toWrite, fromTemplate.spec),
    );
    if (written) return written;
  }
  // A template has not been made for what the model demands, nor tried by it.
  const ofTemplate = design && { design: { ...design, must: [] } };
  await reporter.report({ ...event, ...ofTemplate, reading: fromTemplate, fromTemplate: true });
  const made = await onRung(reporter, byRules, () => buildFromTemplates(reporter, fromTemplate.spec));
  return made ?? buildByRules(reporter);
}

/** What is said where nothing came of an instruction, whatever the model said before. */
const nothingDone = ({ instruction }: Instructed): Grasp => ({
  understood: [],
  notUnderstood: [instruction],
});

const byTemplate = "the app is made from a template, with the model's plan";
const byRules = 'the app is planned by rules and made from a template';

/** What the rung gives, or null with a notice when it does not hold. An aborted build ends here. */
async function onRung<T>(reporter: BuildReporter, next: string, climb: () => Promise<T>): Promise<T | null> {
  try {
    return await climb();
  } catch (thrown) {
    reporter.context.signal.throwIfAborted();
    const shortfall =
      thrown instanceof WorkshopFault ? new Shortfall('checks', null, { cause: thrown }) : thrown;
    if (!(shortfall instanceof Shortfall)) throw thrown;
    reporter.startOver();
    const message = `${shortfall.message}; ${next}.`;
    await reporter.report({ type: 'notice', code: 'engine_degraded', message });
    return null;
  }
}
