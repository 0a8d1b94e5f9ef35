import jsep from 'jsep';

export type Tree = jsep.Expression;

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

/**
 * The tree of an arithmetic expression. It may still hold nodes that are no arithmetic, such as strings and members: whoever
 * walks it takes only what it knows. Throws an `Error` whose message says what cannot be read.
 */
export function arithmeticTree(expression: string): Tree {
  return jsep(expression);
}
