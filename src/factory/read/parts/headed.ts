import type { Draft, Span, Token } from '../draft.ts';
import { lexiconOf } from '../lexicon.ts';
import { capitalised } from './naming.ts';
import { endsHere } from './words.ts';

/** What stands below a heading of its own: `Skills: SQL, Python`. */
export interface Headed extends Pick<Span, 'start' | 'end'> {
  readonly title: string;
  /** The words of the heading. */
  readonly label: readonly Token[];
  readonly items: readonly Span[];
}

const maxLabel = 3;

/**
 * The headings of a prompt with what stands below them. A heading begins a sentence or a clause and ends with a colon; what
 * stands in front of the first colon of the prompt asks for the app and is none, unless a clause begins there.
 */
export function headedIn(draft: Draft): Headed[] {
  const { tokens, prompt, lang } = draft;
  const colons = tokens.flatMap(({ text }, at) => (text === ':' && !isTime(tokens, at) ? [at] : []));
  const labels = colons.flatMap((colon) => {
    const from = labelStart(draft, colon);
    const label = tokens.slice(from, colon);
    const named = label.some(({ pos }) => ['noun', 'name', 'adjective', 'verb'].includes(pos));
    const verbal = label.length > 1 && label.some(({ pos }) => pos === 'verb' || pos === 'pronoun');
    const before = tokens[from - 1]?.text;
    const asks = colon === colons[0] && before === ',';
    return from > 0 && named && !verbal && !asks && label.length <= maxLabel ? [{ from, colon, label }] : [];
  });
  return labels.flatMap(({ from, colon, label }, at): Headed[] => {
    const limit = labels[at + 1]?.from ?? tokens.length;
    const close = tokens.findIndex((_, index) => index > colon && index < limit && endsHere(draft, index));
    const body = tokens.slice(colon + 1, close < 0 ? limit : close);
    const items = itemsOf(draft, body);
    const [first, last] = [tokens[from], body.at(-1)];
    if (items.length === 0 || !first || !last) return [];
    const title = capitalised(prompt.slice(first.start, tokens[colon]?.start).trim(), lang);
    return [{ title, label, items, start: first.start, end: last.end }];
  });
}

const isTime = (tokens: readonly Token[], at: number) =>
  /^\d/.test(tokens[at - 1]?.text ?? '') && /^\d/.test(tokens[at + 1]?.text ?? '');

/** Where the words begin that stand in front of a colon: behind a mark, or behind “with” and “and”. */
function labelStart(draft: Draft, colon: number): number {
  const { tokens, lang } = draft;
  const lexicon = lexiconOf(lang);
  for (let at = colon - 1; at >= 0; at -= 1) {
    const token = tokens[at] as Token;
    if (/^[,;:()]$/.test(token.text) || endsHere(draft, at)) return at + 1;
    const intro = lexicon.data.with.includes(token.lower) || lexicon.joiners.has(token.lower);
    if (intro && at < colon - 1) return at + 1;
  }
  return 0;
}

/** The parts between commas that stand in no parentheses, and between “and” in the last of them. */
function itemsOf({ prompt, lang }: Draft, body: readonly Token[]): Span[] {
  const { and } = lexiconOf(lang);
  const parts: Token[][] = [[]];
  let depth = 0;
  const commas = body.some(({ text }) => text === ',');
  for (const token of body) {
    if (/^[([]$/.test(token.text)) depth += 1;
    if (/^[)\]]$/.test(token.text)) depth -= 1;
    const joins = and.has(token.lower) && (!commas || (parts.at(-1)?.length ?? 0) <= 2);
    if (depth === 0 && (/^[,;•|]$/.test(token.text) || joins)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.flatMap((part) => {
    const [first, last] = [part[0], part.at(-1)];
    if (!first || !last) return [];
    return [{ text: prompt.slice(first.start, last.end), start: first.start, end: last.end }];
  });
}
