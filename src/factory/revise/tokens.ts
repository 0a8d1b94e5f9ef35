/** A word, a quoted text, or a mark such as a comma, with its place in the text. */
export interface Token {
  /** Lower case without accents, for comparing; empty for a quoted text, which is never a word of a command. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

/** A text with its tokens. Parts of it are given as ranges of tokens, so that they keep their spelling. */
export interface Tokens {
  readonly text: string;
  readonly all: readonly Token[];
}

const quoted = '"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|‘[^‘’]*’';
const number = '[+-]?\\d+(?:[.,:]\\d+)*';
const address = '[^\\s@,;()]+@[^\\s@,;()]+[^\\s@,;().]|https?://[^\\s,;()]+[^\\s,;().]';
const elision = "\\p{L}{1,5}['’](?=\\p{L}{3})";
const word = "[\\p{L}\\p{N}_#][\\p{L}\\p{N}_'’+&/.-]*[\\p{L}\\p{N}+#]|[\\p{L}\\p{N}#]";
const token = new RegExp(`${quoted}|${address}|${number}|${elision}|${word}|[^\\s]`, 'gu');

/** Takes a text apart. Its time grows with the length of the text times the number of quotation marks in it. */
export function tokensOf(text: string): Tokens {
  const all = [...text.matchAll(token)].map(([part], index, matches): Token => {
    const start = matches[index]?.index ?? 0;
    const isQuoted = part.length > 1 && /^["“„«‘]/u.test(part);
    return { word: isQuoted ? '' : folded(part), start, end: start + part.length, quoted: isQuoted };
  });
  return { text, all };
}

/** Lower case, without accents and with a straight apostrophe: “Échéance” is “echeance”. */
export const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('’', "'").replaceAll('ß', 'ss').toLowerCase();

/** The text of some tokens as it was written, without the quotation marks around a quoted text. */
export function textOf({ text, all }: Tokens, from: number, to: number): string {
  const first = all[from];
  const last = all[to - 1];
  if (!first || !last) return '';
  const only = to - from === 1 && first.quoted;
  return text.slice(first.start + (only ? 1 : 0), last.end - (only ? 1 : 0)).trim();
}
