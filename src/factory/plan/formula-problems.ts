import type jsep from 'jsep';
import type { ErrorDetail } from '../../../generated/types.gen.ts';
import { arithmeticTree, type Tree } from '../../lib/arithmetic-tree.ts';
import type { AppSpec } from '../spec.ts';

type Formula = NonNullable<AppSpec['formula']>;

/** The functions of expressions, with the fewest and the most values that each takes. */
const functions: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['min', [1, 12]],
  ['max', [1, 12]],
  ['round', [1, 2]],
  ['ceil', [1, 1]],
  ['floor', [1, 1]],
  ['sqrt', [1, 1]],
  ['abs', [1, 1]],
]);

/** What the schema cannot say of a formula: keys once each, bounds in order, expressions of what stands before them. */
export function formulaProblems({ inputs, results }: Formula): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const known = new Set<string>();
  const take = (key: string, path: string) => {
    if (known.has(key)) problems.push({ path, code: 'duplicate', message: `is ${key} a second time` });
    if (functions.has(key)) problems.push({ path, code: 'reserved', message: `is the function ${key}` });
    known.add(key);
  };
  for (const [index, { key, value, min, max }] of inputs.entries()) {
    const path = `formula.inputs[${index}]`;
    take(key, `${path}.key`);
    if (min !== undefined && max !== undefined && min > max)
      problems.push({ path: `${path}.max`, code: 'minimum', message: `must be at least ${min}` });
    else if (
      value !== undefined &&
      ((min !== undefined && value < min) || (max !== undefined && value > max))
    )
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

function expressionProblem(expression: string, known: ReadonlySet<string>): string | null {
  let tree: Tree;
  try {
    tree = arithmeticTree(expression);
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : 'it is no arithmetic'}`;
  }
  return treeProblem(tree, known);
}

function treeProblem(node: Tree, known: ReadonlySet<string>): string | null {
  const first = (...nodes: readonly Tree[]): string | null => {
    for (const one of nodes) {
      const problem = treeProblem(one, known);
      if (problem !== null) return problem;
    }
    return null;
  };
  switch (node.type) {
    case 'Literal':
      return Number.isFinite((node as jsep.Literal).value) ? null : 'must be made of numbers';
    case 'Identifier': {
      const { name } = node as jsep.Identifier;
      return known.has(name) ? null : `has the unknown name ${name}; it may use what stands above it`;
    }
    case 'UnaryExpression':
      return first((node as jsep.UnaryExpression).argument);
    case 'BinaryExpression': {
      const { left, right } = node as jsep.BinaryExpression;
      return first(left, right);
    }
    case 'CallExpression': {
      const { callee, arguments: given } = node as jsep.CallExpression;
      const name = callee.type === 'Identifier' ? (callee as jsep.Identifier).name : '';
      const [min, max] = functions.get(name) ?? [0, -1];
      if (max < 0) return `may use the functions ${[...functions.keys()].join(', ')} only`;
      if (given.length < min || given.length > max) return `gives ${name} ${given.length} values`;
      return first(...given);
    }
    default:
      return 'must be arithmetic';
  }
}
