import type { Span, Token } from './draft.ts';
import type { Lexicon, TaggedPrompt } from './lexicon.ts';
import { spanOf } from './spans.ts';

export interface ColoursFound {
  /** Null where the prompt names no colour. */
  readonly accent: string | null;
  readonly mode: 'auto' | 'light' | 'dark';
  /** The words that said it. */
  readonly spans: readonly Span[];
}

const hex = /#([0-9a-f]{6}|[0-9a-f]{3})(?![\p{L}\p{N}])/iu;

/**
 * The colours of an app: those that stand at its end or beside a word such as “colour”. A colour that describes a thing
 * (“green beans”) or stands in a name or list is none of the app.
 */
export function coloursIn(text: TaggedPrompt, closed: (token: Token) => boolean): ColoursFound {
  const { prompt, tokens, lexicon } = text;
  const { colours, colourWords, determiners, dark, light } = lexicon.data;
  const code = hex.exec(prompt);
  const spans: Span[] = code ? [spanOf(code)] : [];
  let accent = code ? longHex(code[1] ?? '') : null;
  let mode: ColoursFound['mode'] = 'auto';
  for (const [index, token] of tokens.entries()) {
    if (closed(token)) continue;
    const before = tokens[index - 1];
    const next = tokens[index + 1];
    const beside = [before, tokens[index - 2], next].some(
      (other) =>
        other !== undefined && colourWords.some((word) => word === other.lower || word === other.lemma),
    );
    const colour = colours[token.lower] ?? colours[token.lemma] ?? germanColour(token, lexicon);
    const alone = /mark|preposition|conjunction/.test(next?.pos ?? 'mark');
    if (colour && accent === null && (beside || (alone && !determiners.includes(before?.lower ?? '')))) {
      accent = colour;
      spans.push(token);
    }
    // “A dark reading list”: the first thing that is said of it.
    const opens = index === 0 || (index === 1 && before?.pos === 'determiner');
    const isDark = dark.includes(token.lower) && (beside || opens);
    const isLight = light.includes(token.lower) && beside;
    if ((isDark || isLight) && !(next && colours[next.lower])) {
      mode = isDark ? 'dark' : 'light';
      spans.push(token);
    }
  }
  return { accent, mode, spans };
}

/** An adjective with its ending: `grüner`. */
function germanColour({ lower }: Token, { lang, data }: Lexicon): string | undefined {
  const stem = lang === 'de' ? /^(.{3,})e[rsnm]?$/.exec(lower)?.[1] : undefined;
  return stem === undefined ? undefined : data.colours[stem];
}

const longHex = (digits: string) =>
  `#${(digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits).toLowerCase()}`;
