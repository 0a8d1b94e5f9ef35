/**
 * Expressions such as `ceil(width * height / 10) + 1`: numbers, names, `+ - * / ^ %`, parentheses, and the functions
 * below. `%` is what is left after a division, and `^` binds from the right. Nothing else can be said in them, and
 * nothing is ever run as a program.
 */

/** What can be called, with how many values at least and at most. */
const functions = {
  min: { least: 1, most: 12, run: Math.min },
  max: { least: 1, most: 12, run: Math.max },
  round: { least: 1, most: 2, run: (value, digits = 0) => Math.round(value * 10 ** digits) / 10 ** digits },
  ceil: { least: 1, most: 1, run: Math.ceil },
  floor: { least: 1, most: 1, run: Math.floor },
  sqrt: { least: 1, most: 1, run: Math.sqrt },
  abs: { least: 1, most: 1, run: Math.abs },
};

/** @type {Readonly<Record<string, (left: number, right: number) => number>>} */
const operations = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '^': (left, right) => left ** right,
};

/**
 * Reads an expression.
 * @param {string} text
 * @param {readonly string[]} names those that it may use
 * @returns {(values: Readonly<Record<string, number>>) => number} reckons its value; NaN or infinite where there is none
 * @throws {Error} that says what is wrong and at which character, counted from 1
 */
export function compile(text, names) {
  const tokens = [...text.matchAll(/\s*(?:(\d+(?:\.\d+)?|\.\d+)|([a-z][a-z0-9_]*)|(\S))/gy)];
  let at = 0;
  const peek = () => tokens[at]?.[3] ?? '';
  const fail = (what) => {
    const token = tokens[at];
    const place = token ? token.index + token[0].length - token[0].trimStart().length + 1 : text.length + 1;
    throw new Error(`${what} at character ${place}`);
  };
  const expect = (sign) => {
    if (peek() !== sign) fail(`“${sign}” is missing`);
    at++;
  };
  const chain = (signs, next) => () => {
    let left = next();
    while (peek() !== '' && signs.includes(peek())) {
      const run = operations[tokens[at++][3]];
      const [before, right] = [left, next()];
      left = (values) => run(before(values), right(values));
    }
    return left;
  };
  const signed = () => {
    if (peek() !== '-') return power();
    at++;
    const value = signed();
    return (values) => -value(values);
  };
  const power = () => {
    const base = single();
    if (peek() !== '^') return base;
    at++;
    const exponent = signed();
    return (values) => operations['^'](base(values), exponent(values));
  };
  const product = chain('*/%', signed);
  const sum = chain('+-', product);
  const single = () => {
    const [, digits, name] = tokens[at] ?? [];
    if (digits !== undefined) {
      at++;
      const value = Number(digits);
      return () => value;
    }
    if (name !== undefined) return tokens[at + 1]?.[3] === '(' ? call(name) : named(name);
    if (peek() !== '(') fail('a number or a name is missing');
    at++;
    const inner = sum();
    expect(')');
    return inner;
  };
  const named = (name) => {
    if (!names.includes(name)) fail(`“${name}” is no input and no result above it`);
    at++;
    return (values) => values[name];
  };
  const call = (name) => {
    const known = Object.hasOwn(functions, name) ? functions[name] : fail(`there is no function “${name}”`);
    at += 2;
    const given = [sum()];
    while (peek() === ',') {
      at++;
      given.push(sum());
    }
    expect(')');
    if (given.length < known.least || given.length > known.most) fail(`“${name}” has ${given.length} values`);
    return (values) => known.run(...given.map((value) => value(values)));
  };
  const whole = sum();
  if (at < tokens.length) fail('an operation is missing');
  return whole;
}

/** The names that cannot be those of inputs. */
export const functionNames = Object.keys(functions);
