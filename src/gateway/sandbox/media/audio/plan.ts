/** One of the four tones, from the lowest. */
export type Tone = 0 | 1 | 2 | 3;

/** A stretch of sound or, where the tone is null, of silence. */
export interface Stretch {
  readonly seconds: number;
  readonly tone: Tone | null;
}

export type Plan = Iterable<Stretch>;

/** Length of a word's sound, in seconds: for the word and for each of its letters. About 160 English words a minute. */
const wordSeconds = 0.12;
const letterSeconds = 0.04;
const gapSeconds = 0.06;
const sentenceGapSeconds = 0.3;

const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}';
/** A word, a character of a script without blanks, or the end of a sentence. A longer run of letters is several words. */
const pattern = `([${unspaced}]|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}]){1,24})|[.!?…。！？\\n]+`;

/**
 * How a text sounds: a tone for each word, as long as the word is, and a pause after each sentence. Speed is 1 for
 * ordinary speech, 2 for twice as fast. A text without words is a moment of silence.
 */
export function* planOf(text: string, speed: number): Generator<Stretch> {
  let spoken = false;
  for (const [found, word] of text.matchAll(new RegExp(pattern, 'gu'))) {
    if (word === undefined) {
      if (spoken) yield { seconds: sentenceGapSeconds / speed, tone: null };
      continue;
    }
    spoken = true;
    yield { seconds: (wordSeconds + letterSeconds * found.length) / speed, tone: toneOf(found) };
    yield { seconds: gapSeconds / speed, tone: null };
  }
  if (!spoken) yield { seconds: sentenceGapSeconds / speed, tone: null };
}

/** The same word has the same tone. */
function toneOf(word: string): Tone {
  let sum = 0;
  for (let at = 0; at < word.length; at += 1) sum = (sum * 31 + word.charCodeAt(at)) >>> 0;
  return (sum % 4) as Tone;
}
