import type { Draft, Token } from '../draft.ts';
import { lexiconOf } from '../lexicon.ts';
import { endsSentence } from '../lists/zone.ts';

const minRun = 3;
const maxWords = 4;

/**
 * The longest run of short things side by side, be they introduced or not: `Ada, Bela and Cem` of `groups of Ada, Bela and
 * Cem`. Empty where fewer than three stand together.
 */
export function runIn(draft: Draft): string[] {
  let best: string[] = [];
  for (const sentence of sentencesOf(draft)) {
    const run = runOf(draft, sentence);
    if (run.length > best.length) best = run;
  }
  return best.length >= minRun ? best : [];
}

function sentencesOf({ tokens }: Draft): Token[][] {
  const sentences: Token[][] = [[]];
  for (const [at, token] of tokens.entries()) {
    if (endsSentence(tokens, at) || token.text === ':' || token.text === ';') sentences.push([]);
    else sentences.at(-1)?.push(token);
  }
  return sentences;
}

function runOf({ prompt, lang }: Draft, sentence: readonly Token[]): string[] {
  const { joiners, asking } = lexiconOf(lang);
  const parts: Token[][] = [[]];
  for (const token of sentence) {
    if (token.text === ',' || joiners.has(token.lower)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  const [first = [], ...others] = parts;
  const short = (part: readonly Token[]) =>
    part.length > 0 &&
    part.length <= maxWords &&
    !part.some(({ pos }) => pos === 'verb' || pos === 'pronoun' || pos === 'adverb') &&
    part[0]?.pos !== 'preposition';
  const end = others.findIndex((part) => part.length > 0 && !short(part));
  const rest = (end < 0 ? others : others.slice(0, end)).filter((part) => part.length > 0);
  // What stands in front of the first thing ends with a preposition.
  const intro = first.findLastIndex(
    ({ pos, lower }) => pos === 'preposition' || pos === 'verb' || asking.has(lower),
  );
  const begin = first.slice(intro + 1);
  return [begin, ...rest].filter(short).map((part) => prompt.slice(part[0]?.start, part.at(-1)?.end));
}
