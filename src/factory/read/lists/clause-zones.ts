import { clauseAt } from '../clauses.ts';
import { asksAnew } from './parts.ts';
import { endsSentence, type ListContext, range, type Zone } from './zone.ts';

const maxTail = 6;
/** So many question words in a sentence without commas are no accident. */
const minDictated = 3;

/**
 * Sentences in which indirect questions are listed, from the first of them or of the things before it: “I need to know
 * who rode, when and for how long”. A zone that something introduces stays, with what is asked as its items.
 *
 * @param told the zones that are known
 */
export function clauseZones(context: ListContext, depths: readonly number[], told: readonly Zone[]): Zone[] {
  return sentencesOf(context, depths).flatMap(([from, to]) => {
    const { tokens } = context;
    if (tokens[to]?.text === '?') return [];
    const heads = range(from, to).filter((index) => isHead(index, from, context, depths));
    const [first] = heads;
    if (first === undefined) return [];
    const zone = told.find((one) => one.from <= first && first < one.to && one.from >= from);
    if (zone && zone.from > from) return [{ ...zone, to: Math.max(zone.to, to), asks: true }];
    if (heads.length < 2 && !separated(first, to, context, depths)) return [];
    // “For people who run when it rains”: so few may be relative clauses.
    const before = tokens[first - 1]?.pos;
    if (heads.length < minDictated && unmarked(from, tokens) && before !== 'verb') return [];
    return [
      {
        intro: context.lexicon.data.fields[0] ?? '',
        from: backTo(first, from, context, depths),
        to,
        asks: true,
      },
    ];
  });
}

function sentencesOf({ tokens }: ListContext, depths: readonly number[]): [number, number][] {
  const sentences: [number, number][] = [];
  let from = 0;
  for (let index = 0; index <= tokens.length; index += 1) {
    if (index < tokens.length && ((depths[index] ?? 0) > 0 || !endsSentence(tokens, index))) continue;
    if (index > from) sentences.push([from, index]);
    from = index + 1;
  }
  return sentences;
}

/** A question where a phrase begins: behind a comma, “and”, a colon or the verb that it is the object of. */
function isHead(
  index: number,
  from: number,
  { tokens, lexicon }: ListContext,
  depths: readonly number[],
): boolean {
  if ((depths[index] ?? 0) > 0 || index === from) return false;
  const clause = clauseAt(tokens, index, lexicon);
  if (!clause) return false;
  const before = tokens[index - 1];
  const parted =
    before?.text === ',' ||
    before?.text === ';' ||
    before?.text === ':' ||
    lexicon.joiners.has(before?.lower ?? '');
  if (parted) return true;
  const object = lexicon.with.has(before?.lower ?? '') || lexicon.asking.has(before?.lower ?? '');
  return object || (unmarked(from, tokens) && asksAnew(tokens, index, lexicon));
}

/** Whether a sentence was dictated: it has no comma. */
const unmarked = (from: number, tokens: ListContext['tokens']) => {
  for (let index = from; index < tokens.length && !endsSentence(tokens, index); index += 1)
    if (/^[,;:]$/.test(tokens[index]?.text ?? '')) return false;
  return true;
};

const separated = (from: number, to: number, { tokens, lexicon }: ListContext, depths: readonly number[]) =>
  range(from + 1, to).some(
    (index) =>
      depths[index] === 0 && (tokens[index]?.text === ',' || lexicon.and.has(tokens[index]?.lower ?? '')),
  );

/** The first of the things that stand before the first question, with commas between. */
function backTo(
  first: number,
  from: number,
  { tokens, lexicon }: ListContext,
  depths: readonly number[],
): number {
  let start = first;
  if (unmarked(from, tokens)) {
    while (start > from && isPart(start - 1) && tokens[start - 1]?.pos !== 'preposition') start -= 1;
    return start;
  }
  while (start > from) {
    const mark = tokens[start - 1];
    if (mark?.text !== ',' && !lexicon.joiners.has(mark?.lower ?? '')) break;
    let at = start - 1;
    while (at > from && ((depths[at - 1] ?? 0) > 0 || isPart(at - 1))) at -= 1;
    if (at === start - 1 || range(at, start - 1).filter((index) => depths[index] === 0).length > maxTail)
      break;
    start = at;
    const whole = start === from || tokens[start - 1]?.text === ',';
    if (!whole) break;
  }
  return asking(start) ?? afterVerb(start);

  /** “Keep track of who owes me, how much …”: a question that nothing parts from the verb before it. */
  function asking(at: number): number | null {
    let begin = at - 1;
    while (begin > from && !/^[,;]$/.test(tokens[begin - 1]?.text ?? '')) begin -= 1;
    const parted = start === first || tokens[at - 1]?.text !== ',';
    const head = parted ? range(begin, first).find((index) => asksAnew(tokens, index, lexicon)) : undefined;
    const isLink =
      head !== undefined && lexicon.lang === 'en' && lexicon.about.has(tokens[head]?.lower ?? '');
    return head === undefined ? null : isLink ? head + 1 : head;
  }

  /** “Que pongan su nombre, cuántos vienen …”: the verb is no part of the first thing. */
  function afterVerb(at: number): number {
    const next = range(at + 1, first).find(
      (index) =>
        lexicon.data.possessives.includes(tokens[index]?.lower ?? '') ||
        /^[,;]$/.test(tokens[index]?.text ?? ''),
    );
    const possessive = next !== undefined && tokens[next]?.pos === 'determiner';
    return possessive && tokens[next - 1]?.pos !== 'preposition' ? next : at;
  }

  function isPart(index: number): boolean {
    const { pos = 'mark', lower = '' } = tokens[index] ?? {};
    return (
      ['noun', 'name', 'adjective', 'determiner', 'number', 'preposition'].includes(pos) &&
      !lexicon.with.has(lower) &&
      !lexicon.asking.has(lower)
    );
  }
}
