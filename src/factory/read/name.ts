import type { Span, Stretch, Token } from './draft.ts';
import { nameEnd } from './facts/proper.ts';
import type { TaggedPrompt } from './lexicon.ts';
import { nextIndex, spanFrom } from './spans.ts';

export const maxName = 60;
/** A name, and what of the prompt says it: `called Zap`. */
export interface NameFound {
  readonly name: string;
  readonly span: Span;
  /** The naming words with the name. */
  readonly whole: Stretch;
}

/** The name that a prompt gives outright: behind “called” and the like, in quotation marks or not. */
export function statedName(text: TaggedPrompt, quotes: readonly Span[]): NameFound | null {
  const { tokens, lexicon } = text;
  for (const [index, { start }] of tokens.entries()) {
    const naming = lexicon.naming.at(tokens, index);
    if (!naming) continue;
    const behind = index + naming.length;
    let next = behind;
    while (next < behind + 2 && /^[:="“”„«]$/.test(tokens[next]?.text ?? '')) next += 1;
    const first = tokens[next];
    if (!first) continue;
    const quote = quotes.find((quoted) => first.start >= quoted.start - 2 && first.start < quoted.end);
    // A bare noun such as “name” names something only before a capital or a colon.
    const weak = naming.length === 1 && /noun|name/.test(tokens[index]?.pos ?? '');
    const capital = /^\p{Lu}/u.test(first.text);
    if (!quote && ((weak && !capital) || first.pos === 'mark')) continue;
    const end = capital ? Math.max(next + 1, nameEnd(tokens, next)) : clauseEnd(text, next);
    const span = quote ?? spanFrom(text, next, end);
    return { name: span.text.slice(0, maxName), span, whole: { start, end: span.end } };
  }
  return null;
}

/** A name in small letters goes to the end of its clause. */
const clauseEnd = ({ tokens, lexicon }: TaggedPrompt, from: number): number =>
  nextIndex(
    tokens,
    from,
    ({ pos, lower }: Token, at) =>
      pos === 'mark' || lexicon.joiners.has(lower) || lexicon.about.has(lower) || lexicon.with.at(tokens, at),
  );
