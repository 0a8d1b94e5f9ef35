import type { Draft, Token } from '../../../read/draft.ts';
import { lexiconOf } from '../../../read/lexicon.ts';
import { writtenIn } from './expression.ts';
import { type Grammar, grammarOf } from './grammar.ts';
import { type Part, partOf } from './labels.ts';
import { type FormulaTold, maxInputs, Table, type Wish } from './table.ts';
import { zonesOf } from './zones.ts';

const maxResults = 8;

/**
 * The formula that a prompt tells: what is entered, what is reckoned, and how. A result of which nothing says for certain
 * how it is reckoned is left out, and so is an input that none needs; null where no result is left.
 */
export function formulaIn(draft: Draft): FormulaTold | null {
  const grammar = grammarOf(draft.lang);
  const { items, markers } = zonesOf(draft, grammar);
  const { asking, generic } = lexiconOf(draft.lang);
  const wishes: Wish[] = [];
  const entered: Part[] = [];
  const topics: Part[] = [];
  for (const { role, tokens } of items) {
    const written = writtenIn(draft, tokens, grammar);
    if (written) {
      const [first, last] = [tokens[0], tokens.at(-1)];
      const span = { start: first?.start ?? 0, end: last?.end ?? 0 };
      wishes.push({ part: partOf(draft, written.label, grammar), written, percent: null, span });
      continue;
    }
    if (role === 'results') {
      const wish = wishOf(draft, tokens, grammar);
      // “Bags of 25 kg” are counted by what one of them holds.
      if (wish && wish.part?.value == null) wishes.push(wish);
      continue;
    }
    const part = partOf(draft, tokens, grammar);
    const names = tokens.some(
      ({ pos, lemma }) => (pos === 'noun' || pos === 'name') && !asking.has(lemma) && !generic.has(lemma),
    );
    if (part && (role === 'inputs' || names)) (role === 'inputs' ? entered : topics).push(part);
  }
  const told = wishes.some(({ written }) => written !== null) || entered.length > 1;
  if (!told || entered.length > maxInputs) return null;
  const table = new Table(draft, grammar, entered);
  const asked = wishes.length > 0 ? wishes : topics.map((part) => ({ part, written: null, percent: null }));
  // What stands in front of the inputs is what the app is about, and a result only where no other is told.
  const first = asked.filter(
    ({ part }) =>
      part === null ||
      asked.length === 1 ||
      part.start > (entered[0]?.start ?? 0) ||
      wishesOnly(asked, entered),
  );
  for (const [at, wish] of (first.length > 0 ? first : asked).slice(0, maxResults).entries())
    table.add(wish, topics, at === asked.length - 1);
  table.addPacks();
  table.addFurther();
  return table.formula(
    markers,
    wishes.some(({ written }) => written !== null),
  );
}

/** Whether no result stands behind the inputs. */
const wishesOnly = (wishes: readonly Wish[], entered: readonly Part[]): boolean =>
  !wishes.some(({ part }) => part !== null && part.start > (entered[0]?.start ?? 0));

/** What is to be reckoned, without the percentage that is put on top of it. */
function wishOf(draft: Draft, tokens: readonly Token[], grammar: Grammar): Wish | null {
  for (let at = 1; at < tokens.length; at += 1) {
    const added = grammar.added.at(tokens, at);
    const found = added ?? grammar.taken.at(tokens, at);
    const part = found ? partOf(draft, tokens.slice(at + found.length), grammar) : null;
    const base = part ? partOf(draft, tokens.slice(0, at), grammar) : null;
    if (part && base) return { part: base, written: null, percent: { part, sign: added ? '+' : '-' } };
  }
  const part = partOf(draft, tokens, grammar);
  return part && { part, written: null, percent: null };
}
