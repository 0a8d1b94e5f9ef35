import type { Span, Token } from './draft.ts';
import type { Lexicon } from './lexicon.ts';

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
export function coloursIn(
  prompt: string,
  tokens: readonly Token[],
  lexicon: Lexicon,
  closed: (token: Token) => boolean,
): ColoursFound {
  const { data } = lexicon;
  const code = hex.exec(prompt);
  const words = new Set(data.colourWords);
  const spans: Span[] = [];
  let accent = code ? longHex(code[1] ?? '') : null;
  let mode: ColoursFound['mode'] = 'auto';
  if (code) spans.push({ text: code[0], start: code.index, end: code.index + code[0].length });
  for (const [index, token] of tokens.entries()) {
    if (closed(token)) continue;
    const before = tokens[index - 1];
    const next = tokens[index + 1];
    const beside = [before, tokens[index - 2], next].some(
      (other) => other !== undefined && (words.has(other.lower) || words.has(other.lemma)),
    );
    const colour = data.colours[token.lower] ?? data.colours[token.lemma] ?? germanColour(token, lexicon);
    const alone = !next || next.pos === 'mark' || next.pos === 'preposition' || next.pos === 'conjunction';
    if (
      colour &&
      accent === null &&
      (beside || (alone && !lexicon.data.determiners.includes(before?.lower ?? '')))
    ) {
      accent = colour;
      spans.push(token);
    }
    // “A dark reading list”: the first thing that is said of it.
    const opens = index === 0 || (index === 1 && before?.pos === 'determiner');
    const dark = data.dark.includes(token.lower) && (beside || opens);
    const light = data.light.includes(token.lower) && beside;
    if ((dark || light) && !(next && data.colours[next.lower])) {
      mode = dark ? 'dark' : 'light';
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
