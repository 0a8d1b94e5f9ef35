import type { AppFormulaInput, AppFormulaResult } from '../../generated/types.gen.ts';
import { compile, functionNames } from './kinds/calculator/app/reckon.js';

interface Formula {
  readonly inputs: readonly Readonly<AppFormulaInput>[];
  readonly results: readonly Readonly<AppFormulaResult>[];
}

/**
 * What is wrong with a formula, one line for each problem: two things of one name, bounds that leave nothing, or an
 * expression that the calculator cannot read. Each expression may use the inputs and the results above it.
 */
export function formulaProblems(formula: Formula | null): string[] {
  if (!formula) return [];
  const known: string[] = [];
  const problems: string[] = [];
  for (const [index, { key, min, max, value }] of formula.inputs.entries()) {
    problems.push(...nameProblems(key, known, `/formula/inputs/${index}`));
    if (min !== undefined && max !== undefined && min > max)
      problems.push(`/formula/inputs/${index}/min is more than max`);
    else if (value !== undefined && (value < (min ?? value) || value > (max ?? value)))
      problems.push(`/formula/inputs/${index}/value is out of its bounds`);
    known.push(key);
  }
  for (const [index, { key, expression }] of formula.results.entries()) {
    problems.push(...nameProblems(key, known, `/formula/results/${index}`));
    try {
      compile(expression, known);
    } catch (error) {
      problems.push(`/formula/results/${index}/expression: ${(error as Error).message}`);
    }
    known.push(key);
  }
  return problems;
}

function nameProblems(key: string, known: readonly string[], path: string): string[] {
  if (functionNames.includes(key)) return [`${path}/key is the name of a function: ${key}`];
  return known.includes(key) ? [`${path}/key is ${key} a second time`] : [];
}
