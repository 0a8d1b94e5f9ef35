import { shorten } from '../../../lib/static-text.ts';
import { type AgentTool, ToolError } from './tool.ts';

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
    const { ArithmeticError, evaluate, numberText } = await import('./arithmetic.ts');
    try {
      return numberText(evaluate(expression));
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
