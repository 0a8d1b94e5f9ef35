import type { Lang } from '../spec.ts';
import type { Span } from './draft.ts';

/** French and Italian write some short words against the next one: l’eau, dell’anno. */
const elides: ReadonlySet<Lang> = new Set(['fr', 'it'] as Lang[]);

const address = String.raw`[\p{L}\d._+-]{1,64}@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,4}`;
const link = String.raw`(?:https?://|www\.)[^\s,;"“”<>]{1,300}`;
const number = String.raw`\d+(?:[.,]\d+)*`;
const elided = String.raw`\p{L}{1,5}['’](?=[\p{L}])`;
const wordOf = String.raw`\p{Lu}[\p{L}\p{M}]*\d+|[\p{L}\p{M}]+(?:['’-](?=\p{L})[\p{L}\p{M}]+)*[²³]?`;
const common = new RegExp(`${address}|${link}|${number}|${wordOf}|\\S`, 'gu');
const eliding = new RegExp(`${address}|${link}|${number}|${elided}|${wordOf}|\\S`, 'gu');

/** The words, numbers and marks of a prompt, in order. Addresses and links are one each. */
export function spansOf(prompt: string, lang: Lang): Span[] {
  return [...prompt.matchAll(elides.has(lang) ? eliding : common)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Text in quotation marks of any of the six languages, without them. An apostrophe opens nothing. */
export function quotedIn(prompt: string): Span[] {
  return [
    ...prompt.matchAll(
      /["“„«»”]\s?([^"“”„«»]{1,200}?)\s?["“”»«]|(?<![\p{L}\d])['‘]([^'‘’]{2,80})['’](?![\p{L}\d])/gu,
    ),
  ]
    .map((match) => {
      const text = (match[1] ?? match[2] ?? '').trim();
      const start = prompt.indexOf(text, match.index + 1);
      return { text, start, end: start + text.length };
    })
    .filter(({ text }) => text !== '');
}
