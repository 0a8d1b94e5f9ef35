import { createRequire } from 'node:module';
import type { Model, WinkMethods } from 'wink-nlp';
import type { PartOfSpeech, Span, Token } from './draft.ts';
import type { Lexicon } from './lexicon.ts';
import { singularOf } from './plural.ts';

let tagger: WinkMethods | undefined;

/** The tagger, loaded with the first English prompt: other languages have no use for it. */
function loaded(): WinkMethods {
  const require = createRequire(import.meta.url);
  tagger ??= (require('wink-nlp') as (model: Model, pipe: string[]) => WinkMethods)(
    require('wink-eng-lite-web-model') as Model,
    ['sbd', 'pos'],
  );
  return tagger;
}

/** Universal parts of speech (https://universaldependencies.org/u/pos/) as ours. */
const parts: Readonly<Record<string, PartOfSpeech>> = {
  NOUN: 'noun',
  PROPN: 'name',
  VERB: 'verb',
  AUX: 'verb',
  ADJ: 'adjective',
  ADV: 'adverb',
  PRON: 'pronoun',
  DET: 'determiner',
  ADP: 'preposition',
  PART: 'preposition',
  CCONJ: 'conjunction',
  SCONJ: 'conjunction',
  NUM: 'number',
  PUNCT: 'mark',
};

interface WinkToken extends Span {
  readonly pos: string;
  readonly lemma: string;
}

/** Tags English. What the language's file knows as a function word is that, whatever the tagger thinks. */
export function tagEnglish(
  prompt: string,
  spans: readonly Span[],
  lexicon: Lexicon,
  starts: ReadonlySet<number>,
): Token[] {
  const found = winkTokens(prompt);
  let next = 0;
  const tokens = spans.map((span, index) => {
    while (found[next] && (found[next]?.end ?? 0) <= span.start) next += 1;
    const inside: WinkToken[] = [];
    for (let at = next; at < found.length && (found[at]?.start ?? 0) < span.end; at += 1) {
      const token = found[at];
      if (token) inside.push(token);
    }
    const lower = span.text.toLowerCase().replaceAll('’', "'");
    const pos = posOf(span.text, lower, inside, lexicon, starts.has(index));
    return { ...span, lower, pos, lemma: lemmaOf(lower, pos, inside, lexicon) };
  });
  return tokens.map((token, index) =>
    isCompoundPart(tokens, index, lexicon) ? { ...token, pos: 'noun' } : token,
  );
}

/** A base form between two nouns is a part of their compound: `guitar pedal collection`. */
function isCompoundPart(tokens: readonly Token[], index: number, { closed }: Lexicon): boolean {
  const [before, token, next] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  return (
    token?.pos === 'verb' &&
    token.lower === token.lemma &&
    !closed.has(token.lower) &&
    next?.pos === 'noun' &&
    before?.pos === 'noun' &&
    before.lower === before.lemma
  );
}

function winkTokens(prompt: string): WinkToken[] {
  const nlp = loaded();
  const tokens = nlp.readDoc(prompt).tokens();
  const texts = tokens.out(nlp.its.value) as string[];
  const tags = tokens.out(nlp.its.pos) as string[];
  const lemmas = tokens.out(nlp.its.lemma as never) as unknown as string[];
  let cursor = 0;
  return texts.flatMap((text, index) => {
    const start = prompt.indexOf(text, cursor);
    if (start < 0) return [];
    cursor = start + text.length;
    return [{ text, start, end: cursor, pos: tags[index] ?? '', lemma: lemmas[index] ?? text }];
  });
}

function posOf(
  text: string,
  lower: string,
  inside: readonly WinkToken[],
  lexicon: Lexicon,
  starts: boolean,
): PartOfSpeech {
  if (!/[\p{L}\d]/u.test(text)) return 'mark';
  if (/^\d/.test(text)) return 'number';
  const closed = lexicon.closed.get(lower);
  if (closed) return closed;
  const capital = /^\p{Lu}/u.test(text);
  // “Parent’s” is what “parent” is.
  const own = /[^s]'s$/.test(lower) ? inside[0] : inside.at(-1);
  const pos = parts[own?.pos ?? ''] ?? 'noun';
  if (pos === 'name' && !capital) return 'noun';
  if (capital && !starts && pos !== 'mark' && pos !== 'number') return 'name';
  return pos === 'name' ? 'noun' : pos;
}

function lemmaOf(lower: string, pos: PartOfSpeech, inside: readonly WinkToken[], { data }: Lexicon): string {
  if (pos === 'noun' || pos === 'name') return singularOf(lower, data);
  const [only, more] = inside;
  return only && !more && pos === 'verb' ? only.lemma : lower;
}
