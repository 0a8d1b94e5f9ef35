import type { AppFormulaInput, AppFormulaResult, ErrorDetail } from '../../generated/types.gen.ts';
import { compile, functionNames } from './kinds/calculator/app/reckon.js';

interface Formula {
  readonly inputs: readonly Readonly<AppFormulaInput>[];
  readonly results: readonly Readonly<AppFormulaResult>[];
}

/**
 * What the schema cannot say of a formula: keys once each and none that is a function, bounds in order, and expressions
 * that the calculator in the app can read, each of the inputs and the results above it. Paths begin at the spec.
 */
export function formulaProblems({ inputs, results }: Formula): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const known: string[] = [];
  const take = (key: string, path: string) => {
    if (known.includes(key)) problems.push({ path, code: 'duplicate', message: `is ${key} a second time` });
    if (functionNames.includes(key))
      problems.push({ path, code: 'reserved', message: `is the function ${key}` });
    known.push(key);
  };
  for (const [index, { key, value, min = -Infinity, max = Infinity }] of inputs.entries()) {
    const path = `formula.inputs[${index}]`;
    take(key, `${path}.key`);
    if (min > max)
      problems.push({ path: `${path}.max`, code: 'minimum', message: `must be at least ${min}` });
    else if (value !== undefined && (value < min || value > max))
      problems.push({ path: `${path}.value`, code: 'range', message: 'must be from min to max' });
  }
  for (const [index, { key, expression }] of results.entries()) {
    const path = `formula.results[${index}]`;
    const message = expressionProblem(expression, known);
    if (message !== null) problems.push({ path: `${path}.expression`, code: 'expression', message });
    take(key, `${path}.key`);
  }
  return problems;
}

function expressionProblem(expression: string, known: readonly string[]): string | null {
  try {
    compile(expression, known);
    return null;
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`;
  }
}
