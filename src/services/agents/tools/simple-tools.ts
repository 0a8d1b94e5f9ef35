import { shorten } from '../../../lib/static-text.ts';
import { nothingSpent } from '../../../tenants/metering/spent.ts';
import type { Feature } from '../../features/catalogue.ts';
import type { FeatureService } from '../../features/service.ts';
import { type AgentTool, ToolError, type ToolSource } from './tool.ts';

export const calculator: AgentTool = {
  name: 'calculator',
  description:
    'Evaluates an arithmetic expression: numbers, + - * / % ^, brackets, pi, e, and abs, ceil, floor, round(value, digits), sqrt, exp, ln, log10, sin, cos, tan, min, max, sum, mean. Angles are in radians.',
  parameters: {
    type: 'object',
    properties: {
      expression: { type: 'string', description: 'For example round(2 * (3 + 4) / 9, 2).', minLength: 1 },
    },
    required: ['expression'],
    additionalProperties: false,
  },
  available: true,
  async run(values) {
    const expression = String(values['expression']);
    const { ArithmeticError, evaluate } = await import('./arithmetic.ts');
    try {
      return evaluate(expression);
    } catch (error) {
      if (!(error instanceof ArithmeticError)) throw error;
      throw new ToolError(`The expression ${JSON.stringify(shorten(expression, 200))} ${error.message}.`);
    }
  },
};

/** @param now milliseconds since the epoch */
export function currentTime(now: () => number): AgentTool {
  return {
    name: 'current_time',
    description: 'The current date and time, in UTC and, if a time zone is given, there.',
    parameters: {
      type: 'object',
      properties: {
        time_zone: { type: 'string', description: 'IANA name, for example Europe/Zurich.', maxLength: 100 },
      },
      additionalProperties: false,
    },
    available: true,
    async run(values) {
      const time = new Date(now());
      const utc = `${time.toISOString().replace(/\.\d+Z$/, 'Z')} (${time.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })})`;
      const zone = values['time_zone'];
      if (typeof zone !== 'string') return utc;
      try {
        const local = time.toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone: zone });
        return `${local} in ${zone}; ${utc} in UTC`;
      } catch {
        throw new ToolError(`There is no time zone ${JSON.stringify(zone)}; use an IANA name.`);
      }
    },
  };
}

/**
 * The AI features as tools, each under its own id. The usage of their models is accounted under the run, which keeps the
 * features that it began with when they are exchanged.
 */
export function featureSource(id: string, features: FeatureService): ToolSource {
  let of: readonly Feature[] = [];
  let tools: readonly AgentTool[] = [];
  const list = () => {
    if (of !== features.all) tools = features.all.map((feature) => toolOf(features, feature));
    of = features.all;
    return tools;
  };
  return { id, list, refresh: async () => undefined, close: async () => undefined };
}

/** Maximum number of characters of a tool's description: the model reads all of them at each step. */
const maxDescriptionLength = 500;

/** On one line, and as many whole sentences as there is room for. */
function descriptionOf(description: string): string {
  const text = description.replaceAll(/\s+/g, ' ').trim();
  if (text.length <= maxDescriptionLength) return text;
  const end = text.slice(0, maxDescriptionLength).search(/[.!?](?=\s[^.!?]*$)/);
  return end < 0 ? shorten(text, maxDescriptionLength) : text.slice(0, end + 1);
}

function toolOf(features: FeatureService, feature: Feature): AgentTool {
  const { id, summary, description, input } = feature.declaration;
  return {
    name: id,
    description: descriptionOf(description || summary),
    parameters: input,
    get available() {
      return features.list().data.some((feature) => feature.id === id && feature.engine !== null);
    },
    async run(values, { caller, signal, onAttempt, onUsage }) {
      const prepared = await features.prepareFeature(feature, { input: { ...values } });
      const spent = nothingSpent();
      try {
        const { output } = await features.execute(
          prepared,
          { signal, tenant: caller.tenantId, onAttempt },
          spent,
        );
        return JSON.stringify(output);
      } finally {
        for (const use of spent.uses) onUsage(use);
      }
    },
  };
}
