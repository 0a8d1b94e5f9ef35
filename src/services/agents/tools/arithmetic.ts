import jsep from 'jsep';

// The parser is for JavaScript's expressions; of its operators only these are left, and `^` is a power.
jsep.removeAllBinaryOps();
jsep.removeAllUnaryOps();
jsep.removeAllLiterals();
for (const operator of ['+', '-']) {
  jsep.addUnaryOp(operator);
  jsep.addBinaryOp(operator, 9);
}
for (const operator of ['*', '/', '%']) jsep.addBinaryOp(operator, 10);
jsep.addBinaryOp('^', 11, true);

/** Maximum length of an expression, in characters. */
const maxLength = 1000;

/** An expression that cannot be evaluated; the message says why. */
export class ArithmeticError extends Error {
  override readonly name = 'ArithmeticError';
}

const constants: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
]);

type Evaluate = (...values: number[]) => number;

/** Each with the minimum and the maximum number of values that it takes. */
const functions: ReadonlyMap<string, readonly [Evaluate, number, number]> = new Map<
  string,
  readonly [Evaluate, number, number]
>([
  ['abs', [Math.abs, 1, 1]],
  ['ceil', [Math.ceil, 1, 1]],
  ['floor', [Math.floor, 1, 1]],
  ['round', [(value, digits = 0) => rounded(value, digits), 1, 2]],
  ['sqrt', [Math.sqrt, 1, 1]],
  ['exp', [Math.exp, 1, 1]],
  ['ln', [Math.log, 1, 1]],
  ['log10', [Math.log10, 1, 1]],
  ['sin', [Math.sin, 1, 1]],
  ['cos', [Math.cos, 1, 1]],
  ['tan', [Math.tan, 1, 1]],
  ['min', [Math.min, 1, 100]],
  ['max', [Math.max, 1, 100]],
  ['sum', [(...values) => values.reduce((sum, value) => sum + value, 0), 1, 100]],
  ['mean', [(...values) => values.reduce((sum, value) => sum + value, 0) / values.length, 1, 100]],
]);

/** Signs of print, as people paste them. */
const signs: ReadonlyMap<string, string> = new Map([
  ['×', '*'],
  ['·', '*'],
  ['÷', '/'],
  ['−', '-'],
  ['**', '^'],
  ['π', 'pi'],
]);

/**
 * The value of an arithmetic expression, as text: numbers, `+ - * / % ^`, brackets, `pi`, `e` and the functions above. The tree
 * that the parser gives is walked here; nothing of it is run, and nothing can be reached by name but the above. Where
 * whole numbers alone lead to it, it has all its digits, and 15 elsewhere. Throws `ArithmeticError`.
 */
export function evaluate(expression: string): string {
  if (expression.length > maxLength) throw new ArithmeticError(`is longer than ${maxLength} characters`);
  let tree: jsep.Expression;
  try {
    tree = jsep(expression.replaceAll(/[×·÷−π]|\*\*/g, (sign) => signs.get(sign) ?? sign));
  } catch (error) {
    throw new ArithmeticError(
      `is not arithmetic: ${error instanceof Error ? error.message : 'it cannot be read'}`,
    );
  }
  const value = evaluateNode(tree);
  if (!Number.isFinite(Number(value))) throw new ArithmeticError('has no finite value');
  return typeof value === 'bigint' ? String(value) : numberText(value);
}

/** As text, without the noise of binary fractions: 0.1 + 0.2 is 0.3. */
function numberText(value: number): string {
  const exact = Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
  return String(exact === 0 ? 0 : exact);
}

/** A whole number that has lost no digit is a `bigint`. */
type Value = number | bigint;

function evaluateNode(node: jsep.Expression): Value {
  switch (node.type) {
    case 'Literal': {
      const { value, raw } = node as jsep.Literal;
      if (typeof value !== 'number') throw new ArithmeticError('holds something that is no number');
      return /^\d+$/.test(raw) ? BigInt(raw) : value;
    }
    case 'Identifier': {
      const { name } = node as jsep.Identifier;
      const value = constants.get(name);
      if (value === undefined) throw new ArithmeticError(`holds the unknown name ${JSON.stringify(name)}`);
      return value;
    }
    case 'UnaryExpression': {
      const { operator, argument } = node as jsep.UnaryExpression;
      // -2^2 is -4: the sign comes after the power.
      return operator === '-' ? -evaluateNode(argument) : evaluateNode(argument);
    }
    case 'BinaryExpression':
      return binary(node as jsep.BinaryExpression);
    case 'CallExpression':
      return called(node as jsep.CallExpression);
    case 'Compound':
      throw new ArithmeticError(
        (node as jsep.Compound).body.length === 0
          ? 'is empty'
          : 'is not one expression; write numbers as 1000 or 0.5, and 2 * 3 with its sign',
      );
    default:
      throw new ArithmeticError('holds something that is neither a number nor an operation');
  }
}

function binary({ operator, left, right }: jsep.BinaryExpression): Value {
  if (operator === '^' && left.type === 'UnaryExpression') {
    const { operator: sign, argument } = left as jsep.UnaryExpression;
    const power = calculate('^', evaluateNode(argument), evaluateNode(right));
    return sign === '-' ? -power : power;
  }
  return calculate(operator, evaluateNode(left), evaluateNode(right));
}

function calculate(operator: string, one: Value, other: Value): Value {
  if (typeof one === 'number' || typeof other === 'number')
    return rounding(operator, Number(one), Number(other));
  const rounded = () => rounding(operator, Number(one), Number(other));
  switch (operator) {
    case '+':
      return one + other;
    case '-':
      return one - other;
    case '*':
      return one * other;
    case '^':
      return other >= 0n && Number.isFinite(rounded()) && other < 5000n ? one ** other : rounded();
    default:
      // A remainder of zero is the whole quotient's.
      if (other === 0n || (operator === '/' && one % other !== 0n)) return rounded();
      return operator === '%' ? one % other : one / other;
  }
}

const byNumbers: Readonly<Record<string, (one: number, other: number) => number>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '%': (one, other) => one % other,
  '^': (one, other) => one ** other,
};

function rounding(operator: string, one: number, other: number): number {
  const run = byNumbers[operator];
  if (run) return run(one, other);
  if (other === 0) throw new ArithmeticError('divides by zero');
  return one / other;
}

function called({ callee, arguments: given }: jsep.CallExpression): number {
  const name = callee.type === 'Identifier' ? (callee as jsep.Identifier).name : null;
  const known = functions.get(name ?? '');
  if (!known) {
    const called =
      name === null
        ? 'something that is no function of the calculator'
        : `the unknown function ${JSON.stringify(name)}`;
    throw new ArithmeticError(`calls ${called}; there are ${[...functions.keys()].join(', ')}`);
  }
  const [run, min, max] = known;
  if (given.length < min || given.length > max)
    throw new ArithmeticError(`calls ${name} with ${given.length} values`);
  return run(...given.map((node) => Number(evaluateNode(node))));
}

function rounded(value: number, digits: number): number {
  if (!Number.isInteger(digits) || Math.abs(digits) > 12)
    throw new ArithmeticError('rounds to digits that are no whole number from -12 to 12');
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}
