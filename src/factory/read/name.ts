import type { Span, Token } from './draft.ts';
import { nameEnd } from './facts/proper.ts';
import type { Lexicon } from './lexicon.ts';

export const maxName = 60;
/** A name, and what of the prompt says it: `called Zap`. */
export interface NameFound {
  readonly name: string;
  readonly span: Span;
  /** The naming words with the name. */
  readonly from: number;
  readonly to: number;
}

/** The name that a prompt gives outright: behind “called” and the like, in quotation marks or not. */
export function nameTold(
  prompt: string,
  tokens: readonly Token[],
  quotes: readonly Span[],
  lexicon: Lexicon,
): NameFound | null {
  for (let index = 0; index < tokens.length; index += 1) {
    const naming = lexicon.naming.at(tokens, index);
    if (!naming) continue;
    let next = index + naming.length;
    const word = tokens[next - 1];
    while (
      tokens[next] &&
      /^[:=]$|^["“”„«]$/.test(tokens[next]?.text ?? '') &&
      next < index + naming.length + 2
    )
      next += 1;
    const first = tokens[next];
    if (!first || !word) continue;
    const quote = quotes.find(({ start, end }) => first.start >= start - 2 && first.start < end);
    if (quote)
      return {
        name: quote.text.slice(0, maxName),
        span: quote,
        from: tokens[index]?.start ?? 0,
        to: quote.end,
      };
    // A bare noun such as “name” names something only before a capital or a colon.
    const weak = naming.length === 1 && /noun|name/.test(word.pos);
    const capital = /^\p{Lu}/u.test(first.text);
    if ((weak && !capital) || first.pos === 'mark') continue;
    const end = capital ? Math.max(next + 1, nameEnd(tokens, next)) : clauseEnd(tokens, next, lexicon);
    const last = tokens[end - 1];
    if (end <= next || !last) continue;
    const text = prompt.slice(first.start, last.end);
    return {
      name: text.slice(0, maxName),
      span: { text, start: first.start, end: last.end },
      from: tokens[index]?.start ?? 0,
      to: last.end,
    };
  }
  return null;
}

/** A name in small letters goes to the end of its clause. */
function clauseEnd(tokens: readonly Token[], from: number, lexicon: Lexicon): number {
  const isEnd = ({ pos, lower }: Token, at: number) =>
    pos === 'mark' || lexicon.joiners.has(lower) || lexicon.about.has(lower) || lexicon.with.at(tokens, at);
  const end = tokens.findIndex((token, at) => at > from && isEnd(token, at));
  return end < 0 ? tokens.length : end;
}
