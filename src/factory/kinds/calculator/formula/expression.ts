import type { Draft, Token } from '../../../read/draft.ts';
import { numberOf } from '../../../read/facts/prices.ts';
import { bare, type Grammar } from './grammar.ts';
import { type Part, partOf } from './labels.ts';
import { unitAt } from './measures.ts';
import { operatorAt } from './zones.ts';

/** What an item writes out: `total = price × quantity`, `paint (area / coverage)`, `length times width`. */
export interface Written {
  /** The tokens of what the result is called; empty where it has no name. */
  readonly label: readonly Token[];
  readonly parts: readonly Symbol_[];
}

type Operator = '+' | '-' | '*' | '/';
type Symbol_ =
  | { readonly operator: Operator | '(' | ')' | ',' }
  | { readonly operand: readonly Token[] }
  | {
      readonly list: readonly (readonly Token[])[];
      readonly name: 'sum' | 'product' | 'difference' | 'ratio' | 'average';
    };

/** The expression that an item writes out; null where it writes none. */
export function writtenIn(draft: Draft, tokens: readonly Token[], grammar: Grammar): Written | null {
  if (tokens.length > maxTokens) return null;
  for (let at = 1; at < tokens.length - 1; at += 1) {
    const found = depthAt(tokens, at) === 0 ? grammar.equals.at(tokens, at) : null;
    if (!found) continue;
    const [left, right] = [tokens.slice(0, at), tokens.slice(at + found.length)];
    const behind = symbolsOf(draft, right, grammar, true);
    if (behind) return { label: bare(left, grammar), parts: behind };
    const before = symbolsOf(draft, left, grammar, true);
    if (before) return { label: bare(right, grammar), parts: before };
  }
  const open = tokens.findIndex(({ text }, at) => at > 0 && text === '(');
  if (open > 0) {
    const close = tokens.findLastIndex(({ text }) => text === ')');
    const inside = symbolsOf(
      draft,
      tokens.slice(open + 1, close < open ? tokens.length : close),
      grammar,
      false,
    );
    if (inside && !symbolsOf(draft, tokens.slice(0, open), grammar, false))
      return { label: bare(tokens.slice(0, open), grammar), parts: inside };
  }
  const parts = symbolsOf(draft, tokens, grammar, false);
  return parts && { label: [], parts };
}

/** So many tokens an expression has at most. */
const maxTokens = 60;

const depthAt = (tokens: readonly Token[], at: number): number =>
  tokens.slice(0, at).reduce((depth, { text }) => depth + (text === '(' ? 1 : text === ')' ? -1 : 0), 0);

const operators = [
  ['times', '*'],
  ['over', '/'],
  ['plus', '+'],
  ['minus', '-'],
] as const;
const lists = ['sum', 'product', 'difference', 'ratio', 'average'] as const;

/** Operands and operators in turn; null where no operator joins two operands. */
function symbolsOf(
  draft: Draft,
  tokens: readonly Token[],
  grammar: Grammar,
  stated: boolean,
): readonly Symbol_[] | null {
  const symbols: Symbol_[] = [];
  let operand: Token[] = [];
  let joined = 0;
  const strong = stated || tokens.some((_, at) => operatorAt(tokens, at, grammar));
  const close = () => {
    const body = bare(operand, grammar);
    if (body.length > 0) symbols.push({ operand: body });
    operand = [];
  };
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    const list =
      operand.length === 0 || bare(operand, grammar).length === 0 ? listAt(tokens, at, grammar) : null;
    if (list) {
      symbols.push(list.symbol);
      joined += 1;
      operand = [];
      at += list.length - 1;
      continue;
    }
    if ((token.text === '(' || token.text === ')') && !isNote(tokens, at)) {
      close();
      symbols.push({ operator: token.text });
      continue;
    }
    const found = operators
      .map(([name, operator]) => ({ length: grammar[name].at(tokens, at)?.length ?? 0, operator }))
      .toSorted((a, b) => b.length - a.length)[0];
    const behind = bare(operand, grammar).length > 0 || endsWithOperand(symbols);
    if (found && found.length > 0 && (behind || token.text === ',') && at + found.length < tokens.length) {
      const isWeak = !operatorAt(tokens, at, grammar);
      const isUnit = token.text === '/' && unitAt(tokens, at - 1)?.measure.unit.includes('/');
      if (
        !isUnit &&
        (!isWeak || strong || joinsConcepts(draft, operand, tokens.slice(at + found.length), grammar))
      ) {
        close();
        symbols.push({ operator: found.operator });
        joined += 1;
        at += found.length - 1;
        continue;
      }
    }
    if (token.text === ',') {
      close();
      symbols.push({ operator: ',' });
      continue;
    }
    operand.push(token);
  }
  close();
  return joined > 0 && isWhole(symbols) ? symbols : null;
}

/** Whether what has been read ends with an operand, be there a comma behind it. */
function endsWithOperand(symbols: readonly Symbol_[]): boolean {
  const last = symbols.findLast((symbol) => !('operator' in symbol && symbol.operator === ','));
  return last !== undefined && (!('operator' in last) || last.operator === ')');
}

/** `(cm)` and `(10 %)` are notes to what stands in front of them. */
const isNote = (tokens: readonly Token[], at: number): boolean => {
  const open = tokens[at]?.text === '(' ? at : tokens.slice(0, at).findLastIndex(({ text }) => text === '(');
  const from = open + 1 + (tokens[open + 1]?.pos === 'number' ? 1 : 0);
  const unit = unitAt(tokens, from);
  return open > 0 && unit !== null && tokens[from + unit.length]?.text === ')';
};

/** Words that also mean something else join what both has a known measure, and is no unit. */
function joinsConcepts(
  draft: Draft,
  left: readonly Token[],
  right: readonly Token[],
  grammar: Grammar,
): boolean {
  const [before, behind] = [partOf(draft, left, grammar), partOf(draft, bare(right, grammar), grammar)];
  return hasMeasure(before) && hasMeasure(behind) && !unitAt(bare(right, grammar), 0);
}

const hasMeasure = (part: Part | null): boolean =>
  part !== null && (part.concept !== null || (part.share !== null && part.measure !== null));

function listAt(
  tokens: readonly Token[],
  at: number,
  grammar: Grammar,
): { readonly symbol: Symbol_; readonly length: number } | null {
  for (const name of lists) {
    const found = grammar[name].at(tokens, at);
    if (!found) continue;
    const parts: Token[][] = [[]];
    let end = at + found.length;
    for (; end < tokens.length; end += 1) {
      const token = tokens[end] as Token;
      if (operatorAt(tokens, end, grammar)) break;
      if (token.text === ',' || token.pos === 'conjunction') {
        if (operatorAt(tokens, end + 1, grammar)) break;
        parts.push([]);
      } else parts.at(-1)?.push(token);
    }
    const list = parts.map((part) => bare(part, grammar)).filter((part) => part.length > 0);
    const enough = name === 'difference' || name === 'ratio' ? list.length === 2 : list.length > 1;
    if (enough) return { symbol: { name, list }, length: end - at };
  }
  return null;
}

/** Operands and operators take turns, and parentheses close. */
function isWhole(symbols: readonly Symbol_[]): boolean {
  let depth = 0;
  let wants = true;
  for (const symbol of symbols) {
    const operator = 'operator' in symbol ? symbol.operator : null;
    if (operator === ',') continue;
    if (operator === '(' ? !wants : operator === ')' ? wants : operator ? wants : !wants) return false;
    if (operator === '(') depth += 1;
    else if (operator === ')') depth -= 1;
    else wants = operator !== null;
    if (depth < 0) return false;
  }
  return !wants && depth === 0;
}

/** What operands are in an expression: the key of an input or result, and whether it is a percentage. */
export type Resolve = (
  operand: readonly Token[],
  /** What it begins with, where the prompt says a number with it. */
  value?: number,
) => { readonly key: string; readonly percent: boolean } | null;

/** The expression with keys for operands; null where one of them is nothing. */
export function expressionOf({ parts }: Written, resolve: Resolve): string | null {
  const levels = [''];
  let operator: Operator | null = null;
  const put = (text: string, percent = false) => {
    const level = levels.length - 1;
    const before = levels[level] ?? '';
    if (operator === null) levels[level] = before + (percent ? `${text} / 100` : text);
    else if (percent && (operator === '+' || operator === '-'))
      levels[level] = `${grouped(before, true)} * (1 ${operator} ${text} / 100)`;
    else
      levels[level] =
        `${before} ${operator} ${percent ? (operator === '/' ? `(${text} / 100)` : `${text} / 100`) : text}`;
    operator = null;
  };
  const waiting: (Operator | null)[] = [];
  for (const symbol of parts) {
    if ('operand' in symbol) {
      const found = operandOf(symbol.operand, resolve);
      if (!found) return null;
      put(found.key, found.percent);
    } else if ('list' in symbol) {
      const keys = symbol.list.map((tokens) => operandOf(tokens, resolve)?.key);
      if (keys.includes(undefined)) return null;
      put(listed(symbol.name, keys as string[]));
    } else if (symbol.operator === '(') {
      waiting.push(operator);
      operator = null;
      levels.push('');
    } else if (symbol.operator === ')') {
      const inside = levels.pop() ?? '';
      operator = waiting.pop() ?? null;
      put(grouped(inside, true));
    } else if (symbol.operator === ',') {
      const level = levels.length - 1;
      levels[level] = grouped(levels[level] ?? '', false);
    } else operator = symbol.operator;
  }
  return levels[0] ?? null;
}

const signs = { sum: ' + ', product: ' * ', difference: ' - ', ratio: ' / ', average: ' + ' } as const;

const listed = (name: keyof typeof signs, keys: readonly string[]): string =>
  `(${keys.join(signs[name])})${name === 'average' ? ` / ${keys.length}` : ''}`;

const grouped = (text: string, always: boolean): string =>
  /^[\w.]+$/.test(text) || (!always && !/ [+-] /.test(text)) ? text : `(${text})`;

/** `10`, `10 %`, `10 % of the price`, `50 delivery` or the name of something. */
function operandOf(tokens: readonly Token[], resolve: Resolve): { key: string; percent: boolean } | null {
  const [first, second] = tokens;
  if (first?.pos !== 'number') return resolve(tokens);
  const number = numberOf(first.text);
  const unit = unitAt(tokens, 1);
  const isPercent = second !== undefined && unit?.measure.unit === '%';
  const rest = tokens.slice(1 + (unit?.length ?? 0));
  const named = rest[0]?.pos === 'preposition' ? rest.slice(1) : rest;
  if (isPercent) {
    const of = named.length > 0 ? resolve(named, rest === named ? number : undefined) : null;
    if (of && rest !== named) return { key: `${of.key} * ${number} / 100`, percent: false };
    // “20 % tax” is a percentage with a name.
    return { key: of?.percent ? of.key : String(number), percent: true };
  }
  const content = named.some(({ pos }) => pos === 'noun' || pos === 'name');
  return (content ? resolve(named, number) : null) ?? { key: String(number), percent: false };
}
