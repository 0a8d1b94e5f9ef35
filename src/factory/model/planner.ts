import type { Planner } from '../builder.ts';
import { Shortfall } from './budget.ts';
import { beyondKinds, readByModel } from './planned.ts';
import { type ModelOptions, ModelSession } from './session.ts';

/** A planner that asks the model, and plans by rules where that fails. */
export function createPlanner(options: ModelOptions): Planner {
  return async ({ prompt, options: asked, signal, byRules, onUsage }) => {
    const draft = await byRules(prompt, asked);
    // Without a prompt there is nothing that a model could read.
    if (prompt === '') return { ...rules, reading: draft };
    const session = new ModelSession(options, {
      context: { signal, checkpoint: (_name, produce) => produce() },
      report: async (report) => {
        if (report.type === 'usage') onUsage(report.usage);
      },
    });
    try {
      const planned = await readByModel(session, prompt, asked, (options) => byRules(prompt, options), draft);
      return {
        reading: planned.reading,
        engine: { mode: 'model', model: options.model },
        degradedFrom: null,
        notices: planned.beyondKinds ? [beyondKinds] : [],
        design: planned.toWrite?.design,
      };
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof Shortfall)) throw thrown;
      return {
        ...rules,
        reading: draft,
        degradedFrom: options.model,
        notices: [`${thrown.message}; the rules plan.`],
      };
    }
  };
}

const rules = { engine: { mode: 'embedded', model: null }, degradedFrom: null, notices: [] } as const;
