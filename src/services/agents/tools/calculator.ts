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
