import type { Draft, Span, Token } from '../../../read/draft.ts';
import { lexiconOf } from '../../../read/lexicon.ts';
import { endsSentence } from '../../../read/lists/zones.ts';
import type { Grammar } from './grammar.ts';

/** What an item is: something to enter, something to reckon, or what stands before either. */
export type Role = 'head' | 'inputs' | 'results';

export interface Item {
  readonly role: Role;
  readonly tokens: readonly Token[];
}

export interface Zones {
  readonly items: readonly Item[];
  /** The words that tell what is entered and what is reckoned. */
  readonly markers: readonly Span[];
}

interface Open {
  role: Role;
  tokens: Token[];
  /** What stands in front of “from”, once that is reached, is reckoned from it. */
  readonly clause: { role: Role; tokens: readonly Token[] }[];
  readonly markers: Span[];
}

/**
 * The items of a prompt with what they are: `price per kilo from price and weight` reckons the first from the others,
 * `…: length, width. Show the area` enters two and reckons the third.
 */
export function zonesOf(draft: Draft, grammar: Grammar): Zones {
  const { tokens, prompt } = draft;
  const { and } = lexiconOf(draft.lang);
  const done: Item[] = [];
  const open: Open = { role: 'head', tokens: [], clause: [], markers: [] };
  /** Whether “from” has been said in this clause: further ones only join inputs. */
  let fromSaid = false;
  const item = () => {
    if (open.tokens.length > 0) open.clause.push({ role: open.role, tokens: open.tokens });
    open.tokens = [];
  };
  const clause = () => {
    item();
    fromSaid = false;
    done.push(...open.clause.splice(0));
  };
  const mark = (at: number, length: number) => {
    const start = tokens[at]?.start ?? 0;
    const end = tokens[at + length - 1]?.end ?? start;
    open.markers.push({ start, end, text: prompt.slice(start, end) });
  };
  let depth = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    if (/^[([]$/.test(token.text)) depth += 1;
    else if (/^[)\]]$/.test(token.text)) depth = Math.max(0, depth - 1);
    else if (depth === 0) {
      if (endsSentence(tokens, at) && !isDecimal(tokens, at)) {
        clause();
        open.role = 'head';
        continue;
      }
      const gives = grammar.gives.at(tokens, at);
      const many = grammar.many.at(tokens, at);
      if (gives || many) {
        item();
        enterHeads(open.clause);
        open.role = 'results';
        if (gives) mark(at, gives.length);
        at += (gives?.length ?? many?.length ?? 1) - 1;
        continue;
      }
      const from = grammar.from.at(tokens, at);
      const adds = grammar.added.at(tokens, at) !== null;
      if (
        from &&
        !(adds && open.role === 'results') &&
        !(open.role === 'inputs' && open.clause.length === 0 && open.tokens.length === 0)
      ) {
        item();
        if (!adds && !fromSaid) for (const part of open.clause) part.role = 'results';
        fromSaid = true;
        open.role = 'inputs';
        mark(at, from.length);
        at += from.length - 1;
        continue;
      }
      if (token.text === ':' || isBreak(tokens, at, prompt, open.tokens, grammar)) {
        const waiting = open.tokens.length === 0 && open.clause.length === 0;
        if (token.text !== ':') {
          item();
          enterHeads(open.clause);
        }
        const answers = open.role === 'results' && (waiting || open.tokens.length === 0);
        clause();
        open.role = answers ? 'results' : 'inputs';
        continue;
      }
      if (
        token.text === ';' ||
        token.text === ',' ||
        (and.has(token.lower) && !operatorAt(tokens, at, grammar))
      ) {
        if (token.text !== ';' && (joins(open.tokens, grammar) || operatorAt(tokens, at + 1, grammar)))
          open.tokens.push(token);
        else item();
        continue;
      }
    }
    open.tokens.push(token);
  }
  clause();
  return { items: done, markers: open.markers };
}

/** Several things in front of what is reckoned are entered. */
function enterHeads(clause: Open['clause']): void {
  const heads = clause.filter(({ role }) => role === 'head');
  if (heads.length > 1) for (const part of heads) part.role = 'inputs';
}

const isDecimal = (tokens: readonly Token[], at: number) =>
  /^\d/.test(tokens[at - 1]?.text ?? '') && /^\d/.test(tokens[at + 1]?.text ?? '');

/** A dash between clauses. Behind an equals sign it takes away. */
const isBreak = (
  tokens: readonly Token[],
  at: number,
  prompt: string,
  before: readonly Token[],
  { equals }: Grammar,
): boolean => {
  const token = tokens[at];
  if (!token || !/^[-–—]$/.test(token.text)) return false;
  const spaced = prompt[token.start - 1] === ' ' && prompt[token.end] === ' ';
  return spaced && !before.some((_, index) => equals.at(before, index));
};

const prefixes = ['sum', 'product', 'difference', 'ratio', 'average'] as const;

/** Whether what follows still belongs to `the sum of rent`. */
const joins = (before: readonly Token[], grammar: Grammar): boolean =>
  before.some((_, at) => prefixes.some((name) => grammar[name].at(before, at)));

/** Whether an operator that joins the operands on its both sides stands at a token. */
export const operatorAt = (
  tokens: readonly Token[],
  at: number,
  { times, over, plus, minus }: Grammar,
): boolean =>
  [times, over, plus, minus].some((words) => {
    const found = words.at(tokens, at);
    return (
      found !== null &&
      (found.length > 1 || !/^(?:-|–|por|per|par|entre|sur|durch|less|x)$/.test(tokens[at]?.lower ?? ''))
    );
  });
