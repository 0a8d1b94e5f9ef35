import { endsSentence, type ListContext, type Zone } from './zone.ts';

/** Sentences behind a list that only add a thing to it: “oh, and the weight please”, “außerdem das Gewicht”. */
export function addedZones({ tokens, lexicon }: ListContext, zones: readonly Zone[]): Zone[] {
  const first = Math.min(...zones.map(({ to }) => to));
  return tokens.flatMap((_, index): Zone[] => {
    if (index <= first || !endsSentence(tokens, index - 1)) return [];
    if (zones.some(({ from, to }) => from <= index && index < to)) return [];
    let from = index;
    while (lexicon.also.at(tokens, from) || tokens[from]?.text === ',') from += 1;
    if (from === index) return [];
    let to = from;
    while (isPart(to)) to += 1;
    const nouns = tokens.slice(from, to).filter(({ pos }) => pos === 'noun');
    const whole = to >= tokens.length || endsSentence(tokens, to) || isPolite(to);
    return nouns.length > 0 && whole ? [{ intro: lexicon.data.fields[0] ?? '', from, to, adds: true }] : [];
  });

  function isPart(index: number): boolean {
    const { pos = 'mark', lower = '' } = tokens[index] ?? {};
    return ['determiner', 'noun', 'name', 'adjective'].includes(pos) && !lexicon.fillers.has(lower);
  }

  function isPolite(index: number): boolean {
    const token = tokens[index];
    return (
      token?.text === ',' ||
      token?.pos === 'adverb' ||
      lexicon.asking.has(token?.lower ?? '') ||
      lexicon.fillers.has(token?.lower ?? '')
    );
  }
}
