import type { Reading } from '../../read/draft.ts';

const wordsIn = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

/**
 * Whether what the rules have made of a prompt is worth showing to a model: a wrong draft misleads more than none helps. They
 * are not where they know no kind, where the draft has no place for a third of the words, or where a word or two is all.
 */
export function isSure({ unserved, notTakenUp }: Reading, prompt: string): boolean {
  const words = wordsIn(prompt);
  return unserved === null && words > 2 && wordsIn(notTakenUp.join(' ')) * 3 < words;
}
