import { endsSentence, type ListContext } from './zone.ts';

const maxLabel = 3;
const minBefore = 2;

/**
 * The depths with one less within parentheses that hold the list of a sentence: “a log (date, dog, distance)”. They
 * stand before any comma or colon, and hold two commas at least.
 */
export function withOpened(depths: number[], { tokens }: ListContext): number[] {
  const open = [...depths];
  let parted = false;
  for (let index = 0; index < tokens.length; index += 1) {
    const { text = '' } = tokens[index] ?? {};
    if (depths[index] === 0) {
      if (endsSentence(tokens, index)) parted = false;
      else if (/^[,:;]$/.test(text)) parted = true;
      continue;
    }
    let end = index;
    while (end < tokens.length && (depths[end] ?? 0) > 0) end += 1;
    const inside = tokens.slice(index + 1, end - 1);
    const commas = inside.filter((token, at) => token.text === ',' && depths[index + 1 + at] === 1).length;
    const last = end >= tokens.length || endsSentence(tokens, end);
    if (!parted && commas >= minBefore && last && /^[([]$/.test(text))
      for (let at = index; at < end; at += 1) open[at] = (depths[at] ?? 1) - 1;
    index = end - 1;
  }
  return open;
}

/**
 * The depths with one more where the last field of a list says what it may be: “name, date and status: open, done”. To
 * the end of the sentence commas then part choices.
 */
export function withChoices(depths: number[], { tokens, lexicon }: ListContext): number[] {
  const deeper = [...depths];
  let commas = 0;
  let begin = 0;
  let inside = false;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (depths[index] !== 0 || !token) continue;
    if (endsSentence(tokens, index) || token.text === ';') {
      commas = 0;
      begin = index + 1;
      inside = false;
    } else if (inside) deeper[index] = 1;
    else if (token.text === ',' || lexicon.joiners.has(token.lower)) {
      commas += 1;
      begin = index + 1;
    } else if (token.text === ':') {
      inside = commas >= minBefore && isChoosable(begin, index);
      if (inside) deeper[index] = 1;
      else commas = 0;
    }
  }
  return deeper;

  /** Whether a label is of a field that one chooses. */
  function isChoosable(from: number, to: number): boolean {
    const label = tokens.slice(from, to).filter(({ pos }) => pos !== 'determiner');
    const kinds = lexicon.data.types.select ?? [];
    return (
      label.length <= maxLabel &&
      label.some(({ lower, lemma }) => kinds.includes(lower) || kinds.includes(lemma))
    );
  }
}
