import { completeSpec } from '../plan/complete-spec.ts';
import type { Planner } from '../plan/planner.ts';
import { specByModel } from './model-spec.ts';
import { type ModelOptions, ModelSession } from './session.ts';
import { Shortfall } from './shortfall.ts';

/** A planner that asks the model, and plans by rules where that fails. */
export function createPlanner(options: ModelOptions): Planner {
  return async ({ prompt, options: asked, signal, byRules, onUsage }) => {
    const { spec: given } = asked;
    try {
      // Without a prompt there is nothing that a model could read.
      if (prompt === '') return { ...rules, reading: await byRules(prompt, asked) };
      const session = new ModelSession(options, {
        context: { signal, checkpoint: (_name, produce) => produce() },
        report: async (report) => {
          if (report.type === 'usage') onUsage(report.usage);
        },
      });
      const { spec } = await specByModel(session, prompt, asked);
      return {
        reading: { spec: given ? completeSpec(given, spec) : spec, notTakenUp: [], unserved: null },
        engine: { mode: 'model', model: options.model },
        degradedFrom: null,
        notices: [],
      };
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof Shortfall)) throw thrown;
      const reading = await byRules(prompt, asked);
      return {
        ...rules,
        reading,
        degradedFrom: options.model,
        notices: [`${thrown.message}; the rules plan.`],
      };
    }
  };
}

const rules = { engine: { mode: 'embedded', model: null }, degradedFrom: null, notices: [] } as const;
