import type { Draft, Token } from '../../../read/draft.ts';
import { numberOf } from '../../../read/facts/prices.ts';
import type { Grammar } from './grammar.ts';
import { type Part, partOf } from './labels.ts';
import { alike, type Measure, unitAt } from './measures.ts';

/** Something that is bought in packs, with how much one holds. */
export interface Pack {
  readonly part: Part;
  readonly size: { readonly value: number; readonly measure: Measure };
}

const maxBetween = 4;

/** `bags of 25 kg`, `Säcke à 40 kg`, `a bag holds 0.02 m³`: the last size that is told of a thing counts. */
export function packsIn(draft: Draft, grammar: Grammar): Pack[] {
  const { tokens } = draft;
  const found: Pack[] = [];
  for (const [at, token] of tokens.entries()) {
    const rate = at > 0 && grammar.per.at(tokens, at - 1) !== null && tokens[at - 1]?.text !== 'à';
    const unit = token.pos === 'number' && !rate ? unitAt(tokens, at + 1) : null;
    if (!unit || unit.measure.unit === '%' || unit.measure.unit === 'money') continue;
    const head = headBefore(tokens, at);
    const part = head && partOf(draft, [head], grammar);
    if (part) found.push({ part, size: { value: numberOf(token.text), measure: unit.measure } });
  }
  return found;
}

/** The noun that a size belongs to, close in front of it. */
function headBefore(tokens: readonly Token[], at: number): Token | null {
  const before = tokens.slice(Math.max(0, at - maxBetween), at);
  const mark = before.findLastIndex(({ pos, text }) => pos === 'mark' && text !== 'à');
  const head = before.slice(mark + 1).findLast(({ pos }) => pos === 'noun');
  if (!head) return null;
  return tokens.find(({ lemma, pos }) => pos === 'noun' && alike(lemma, head.lemma)) ?? head;
}
