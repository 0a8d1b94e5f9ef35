import type { FieldType } from '../spec.ts';
import { typeOfUnit } from './annotations.ts';
import type { Token } from './draft.ts';
import { joinedWords } from './labels.ts';
import type { Lexicon } from './lexicon.ts';

interface Measured {
  /** The label without its unit. */
  readonly tokens: readonly Token[];
  readonly unit: string;
  readonly type: FieldType | null;
}

/** “In”, in all languages. */
const into: ReadonlySet<string> = new Set(['in', 'en', 'em']);
const maxUnitTokens = 4;
const maxSign = 4;

/** The unit that ends a label, behind “in” (`récolte en kg`) or as a sign right behind the noun (`distance km`). */
export function unitBehind(tokens: readonly Token[], lexicon: Lexicon): Measured {
  for (let length = 1; length <= Math.min(maxUnitTokens, tokens.length - 1); length += 1) {
    const unit = joinedWords(tokens.slice(-length));
    const type = typeOfUnit(unit, lexicon);
    const link = tokens[tokens.length - length - 1];
    if (!type || !link) continue;
    if (into.has(link.lower) && tokens.length > length + 1)
      return { tokens: tokens.slice(0, -length - 1), unit, type };
    if (
      unit.length <= maxSign &&
      link.pos === 'noun' &&
      lexicon.data.currencies[unit] === undefined &&
      !lexicon.data.measures.includes(unit)
    )
      return { tokens: tokens.slice(0, -length), unit, type };
  }
  return { tokens, unit: '', type: typeOfUnit(joinedWords(tokens), lexicon) };
}
