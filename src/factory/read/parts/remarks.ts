import type { Draft, Span, Token } from '../draft.ts';
import { lexiconOf } from '../lexicon.ts';
import { fold } from '../phrases.ts';
import { capitalised } from './naming.ts';
import { endsHere } from './words.ts';

const minWords = 2;

/**
 * Sentences that tell of what a site is about and that no other part of it has: `Last seen behind the allotments.` What asks
 * for something or speaks of whoever asks, and what says how it should look, is none.
 *
 * @param held what the site says already
 */
export function remarksIn(draft: Draft, held: string): Span[] {
  const said = new Set(fold(held).match(/[\p{L}\d]+/gu));
  return sentencesOf(draft)
    .slice(1)
    .flatMap((tokens): Span[] => {
      const [first, last] = [tokens[0], tokens.at(-1)];
      if (!first || !last || !tells(tokens, draft)) return [];
      const words = tokens.filter(({ pos }) => ['noun', 'name', 'adjective', 'number'].includes(pos));
      const missing = words.filter(({ lower, lemma }) => !said.has(fold(lower)) && !said.has(fold(lemma)));
      if (missing.length < minWords || missing.length * 2 < words.length) return [];
      const text = capitalised(draft.prompt.slice(first.start, last.end), draft.lang);
      return [{ text, start: first.start, end: last.end }];
    });
}

/** Whether a sentence is about the thing itself. */
function tells(tokens: readonly Token[], { lang, lists, facts, lacking = [] }: Draft): boolean {
  const { data, asking, generic, stops, joiners } = lexiconOf(lang);
  const looks = new Set([...data.colourWords, ...Object.keys(data.colours), ...data.dark, ...data.light]);
  const [start, end] = [tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0];
  return (
    !tokens.some(
      ({ lower, lemma, pos }, at) =>
        asking.has(lower) ||
        asking.has(lemma) ||
        generic.has(lower) ||
        looks.has(lower) ||
        pos === 'pronoun' ||
        data.possessives.includes(lower) ||
        (pos === 'verb' && data.auxiliaries.includes(lower)) ||
        (at === 0 && (data.with.includes(lower) || stops.has(lower) || joiners.has(lower))),
    ) &&
    ![...lists, ...lacking].some((span) => span.start < end && start < span.end) &&
    ![...facts.prices, ...facts.hours, ...facts.phones, ...facts.emails].some(
      (fact) => fact.start >= start && fact.end <= end,
    ) &&
    tokens.some(({ pos }) => pos === 'noun' || pos === 'adjective')
  );
}

function sentencesOf(draft: Draft): Token[][] {
  const { tokens } = draft;
  const sentences: Token[][] = [[]];
  for (const [at, token] of tokens.entries()) {
    if (endsHere(draft, at)) sentences.push([]);
    else sentences.at(-1)?.push(token);
  }
  return sentences;
}

/**
 * Proper names that a site says nowhere yet: behind a comma, a parenthesis or a preposition, as in `Ines Okafor, Brighton`.
 * German writes every noun so; there it takes a preposition of place.
 */
export function namesLeft(draft: Draft, held: string): string[] {
  const { tokens, prompt, lang, lists, quoted, facts } = draft;
  const { data } = lexiconOf(lang);
  const known = fold(held);
  const taken = [
    ...lists.flatMap(({ items }) => items),
    ...quoted,
    ...facts.addresses,
    ...facts.emails,
    ...facts.urls,
  ];
  const found: string[] = [];
  for (let at = 1; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    const before = tokens[at - 1] as Token;
    const capital = /^\p{Lu}\p{Ll}/u.test(token.text);
    const isName = lang === 'de' ? data.places.includes(before.lower) : token.pos === 'name';
    const stands = /^[,(]$/.test(before.text) || ['preposition', 'verb', 'pronoun'].includes(before.pos);
    if (!capital || !isName || !stands || isTime(token, data)) continue;
    let end = at + 1;
    while (/^\p{Lu}\p{Ll}/u.test(tokens[end]?.text ?? '') && tokens[end]?.pos !== 'mark' && lang !== 'de')
      end += 1;
    const span = { start: token.start, end: tokens[end - 1]?.end ?? token.end };
    const text = prompt.slice(span.start, span.end);
    const inside = taken.some((other) => other.start <= span.start && other.end >= span.end);
    if (!inside && !known.includes(fold(text))) found.push(text);
    at = end - 1;
  }
  return [...new Set(found)].slice(0, 3);
}

const isTime = (
  { lower }: Token,
  { months, weekdays }: { months: readonly (readonly string[])[]; weekdays: readonly (readonly string[])[] },
) => months.flat().includes(lower) || weekdays.flat().includes(lower);
