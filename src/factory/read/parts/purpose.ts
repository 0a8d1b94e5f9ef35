import { yamlFile } from '../../../lib/yaml-file.ts';
import type { Lang } from '../../spec.ts';
import type { Draft, Token } from '../draft.ts';
import { lexiconOf } from '../lexicon.ts';
import { fold } from '../phrases.ts';
import { capitalised } from './naming.ts';

const words = (
  yamlFile(new URL('words.yaml', import.meta.url)) as {
    readonly purpose: Readonly<Record<Lang, readonly string[]>>;
  }
).purpose;

const maxWords = 8;

/**
 * What the prompt says that an app is for, as a line below its name: `For the swimming club`. Empty where it says nothing
 * more than what the app is about.
 */
export function purposeOf(draft: Draft): string {
  const { tokens, prompt, lang, subject } = draft;
  const about = fold(`${subject?.text ?? ''} ${draft.name ?? ''}`);
  for (const [at, { lower }] of tokens.entries()) {
    if (!words[lang].includes(lower) || isListed(draft, tokens[at + 1])) continue;
    const phrase = phraseBehind(draft, at);
    const said = phrase.slice(1).filter(({ pos }) => ['noun', 'name', 'verb', 'adjective'].includes(pos));
    const [first, last] = [phrase[0], phrase.at(-1)];
    const lacks = (draft.lacking ?? []).some(
      ({ start, end }) => start < (last?.end ?? 0) && (first?.start ?? 0) < end,
    );
    const tells = !lacks && said.some(({ text }) => !about.includes(fold(text)));
    if (tells && isWhole(phrase, draft, at))
      return capitalised(prompt.slice(phrase[0]?.start, phrase.at(-1)?.end), lang).slice(0, 160);
  }
  return '';
}

const isListed = ({ lists }: Draft, token: Token | undefined): boolean =>
  token !== undefined &&
  lists.some(
    ({ items }) =>
      items.length > 1 && items.some(({ start, end }) => token.start >= start && token.end <= end),
  );

/** From the word itself to a mark, a number, or a word that begins something else. */
function phraseBehind({ tokens, lang }: Draft, from: number): readonly Token[] {
  const { data, joiners, generic, asking, naming } = lexiconOf(lang);
  let end = from + 1;
  while (end < tokens.length && end - from <= maxWords) {
    const { pos, lower } = tokens[end] as Token;
    const stops =
      ['mark', 'number', 'conjunction', 'adverb'].includes(pos) ||
      data.with.includes(lower) ||
      joiners.has(lower) ||
      generic.has(lower) ||
      (asking.has(lower) && !lower.endsWith('ing')) ||
      naming.has(lower) ||
      (end > from + 1 && words[lang].includes(lower));
    if (stops) break;
    end += 1;
  }
  while (end > from + 1 && ['preposition', 'determiner', 'pronoun'].includes(tokens[end - 1]?.pos ?? ''))
    end -= 1;
  return tokens.slice(from, end);
}

/** With a noun, or with nothing behind what is done: `para meditar`, but not `para saber cuánto …`. */
function isWhole(phrase: readonly Token[], { tokens }: Draft, from: number): boolean {
  const next = tokens[from + phrase.length];
  return (
    phrase.slice(1).some(({ pos }) => pos === 'noun' || pos === 'name') ||
    next === undefined ||
    next.pos === 'mark' ||
    next.pos === 'number'
  );
}
