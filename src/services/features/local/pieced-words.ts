import type { Word } from './words.ts';

/**
 * What the segmenter leaves of words that it does not know, such as 公|交 and スマート|フォン, and how long they may be.
 */
const pieced = [
  { piece: /^\p{Script=Han}$/u, maxLength: 4 },
  { piece: /^[\p{Script=Katakana}ー]+$/u, maxLength: 20 },
] as const;

/** The words of a language without blanks, with those put together that the segmenter has left in pieces. */
export function withWholeWords(words: readonly Word[], stopWords: ReadonlySet<string>): Word[] {
  const whole: Word[] = [];
  let last: { readonly word: Word; readonly kind: (typeof pieced)[number] } | undefined;
  for (const word of words) {
    const kind = stopWords.has(word.key) ? undefined : pieced.find(({ piece }) => piece.test(word.key));
    const end = last === undefined ? -1 : last.word.at + last.word.text.length;
    const joins = last !== undefined && kind === last.kind && end === word.at;
    if (kind && last && joins && last.word.text.length + word.text.length <= kind.maxLength) {
      const { text, key, at } = last.word;
      last = { word: { text: text + word.text, key: key + word.key, at }, kind };
      whole[whole.length - 1] = last.word;
    } else {
      whole.push(word);
      last = kind ? { word, kind } : undefined;
    }
  }
  return whole;
}
