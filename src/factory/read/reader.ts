import { cleanPrompt } from '../prompt.ts';
import type { TemplateName } from '../spec.ts';
import { coloursIn } from './colours.ts';
import { notTakenUp } from './coverage.ts';
import type { Draft, DraftField, List, ListItem, Span, Token } from './draft.ts';
import { factsIn } from './facts/facts.ts';
import { fieldsOf } from './fields.ts';
import { cuesIn, kindOf } from './kind-of.ts';
import type { Kinds } from './kinds.ts';
import { languageOf } from './language.ts';
import { type Lexicon, lexiconOf } from './lexicon.ts';
import { listsOf } from './lists.ts';
import { nameTold, ownerName } from './name.ts';
import type { Reading, ReadOptions } from './reading.ts';
import { objectPhrase } from './request.ts';
import { subjectOf } from './subject.ts';
import { quotedTokens, tagged } from './tag.ts';
import { quotedIn } from './tokens.ts';
import { corrected } from './typos.ts';
import { impossibleIn, unservedIn } from './unserved.ts';
import { wholeSpec } from './whole-spec.ts';

const defaultKind: TemplateName = 'tracker';
/** So many listed fields describe a thing to keep. */
const minDescription = 3;
/** Kinds that are called by the proper name of whom they are of. */
const named: ReadonlySet<string> = new Set(['landing', 'portfolio']);

/**
 * Reads a prompt by rules alone: normalise, language, tag, facts, kind, lists and fields, subject, name, colours; then
 * the kind composes its part, and what of the prompt is in no part of the spec is listed. The same prompt always gives
 * the same reading.
 */
export function readPrompt(raw: string, options: ReadOptions, kinds: Kinds): Reading {
  const prompt = cleanPrompt(raw);
  const { lang, foreign } = options.lang ? { lang: options.lang, foreign: false } : languageOf(prompt, kinds);
  const lexicon = lexiconOf(lang);
  const plain = tagged(prompt, lexicon);
  const quoted = quotedTokens(prompt, plain);
  const { tokens, corrections } = corrected(plain, kinds.cues(lang), lexicon, quoted);
  const quotes = quotedIn(prompt);
  const { facts, quantities } = factsIn(prompt, tokens, lexicon);
  const impossible = impossibleIn(tokens, quoted, lang);
  const possible = (intro: string) => (item: ListItem) =>
    !impossible.some(({ from, to }) =>
      lexicon.data.with.includes(intro)
        ? isIn(tokens[from], [item])
        : isOnly(item.text, tokens.slice(from, to)),
    );
  const lists = listsOf({ prompt, tokens, lexicon, quoted, facts, quantities })
    .map((list) => ({ ...list, items: list.items.filter(possible(list.intro)) }))
    .filter(({ items }) => items.length > 0);
  const told = nameTold(prompt, tokens, quotes, lexicon);
  const listed = (index: number) =>
    isIn(
      tokens[index],
      lists.flatMap(({ items }) => items.slice(1)),
    ) ||
    (told !== null && isIn(tokens[index], [{ start: told.from, end: told.to }]));
  const cues = cuesIn(tokens, kinds.cues(lang), quoted);
  const namesKind = (index: number) =>
    cues.some(
      ({ from, to, cues: found }) =>
        index >= from && index < to && found.some((cue) => cue.class === 'heads'),
    );
  const object = objectPhrase(tokens, lexicon, namesKind);
  const fields = fieldsOf(lists, lexicon);
  const found = kindOf(
    cues,
    object,
    listed,
    lexicon,
    tokens,
    fields.length >= minDescription ? defaultKind : null,
    options.kind,
  );
  const unserved =
    options.kind || foreign
      ? null
      : unservedIn(tokens, object, found, impossible, fields.length > 1, listed, prompt, lexicon);
  const kind =
    options.kind ?? unserved?.nearest[0] ?? (found?.kind as TemplateName | undefined) ?? defaultKind;
  const own = found?.kind === kind ? found : null;
  const owner =
    told === null && named.has(kind) && unserved === null
      ? ownerName(prompt, tokens, quotes, object, own?.cues ?? [], lexicon)
      : null;
  const name = told?.name ?? owner?.text ?? appositionName(quotes, object, tokens);
  const draft: Draft = {
    prompt,
    lang,
    kind,
    variant: own?.variant ?? '',
    tokens,
    subject: unserved
      ? null
      : subjectOf({
          prompt,
          tokens,
          lexicon,
          kind: own,
          object,
          keeps: kind === defaultKind,
          table: kinds.cues(lang),
        }),
    name,
    fields: unserved || areEntries(own?.variant, fields, lists, lexicon) ? [] : fields,
    lists: unserved ? [] : lists,
    facts,
    quantities,
    quoted: quotes.filter(({ text }) => text !== name),
    currency:
      facts.currencies[0]?.currency ??
      facts.prices.find(({ currency }) => currency !== '')?.currency ??
      lexicon.data.currency,
  };
  const colours = coloursIn(
    prompt,
    tokens,
    lexicon,
    ({ start, end }) =>
      (told !== null && start >= told.from && end <= told.to) ||
      isIn({ start, end }, owner ? [owner] : []) ||
      isIn({ start, end }, quotes),
  );
  const made = wholeSpec(draft, {
    kinds,
    colours,
    lexicon,
    corrections,
    foreign,
    vague: own === null && fields.length === 0,
  });
  const deciding = [
    ...(own?.cues
      .filter(({ cues: found }) => found.some((cue) => cue.class !== 'things'))
      .map(({ from, to }) => ({
        start: tokens[from]?.start ?? 0,
        end: tokens[to - 1]?.end ?? 0,
      })) ?? []),
    ...colours.spans,
    ...facts.currencies.slice(0, 1),
    ...tokens.filter(
      ({ lemma, end }) =>
        lexicon.fields.has(lemma) && lists.some(({ start }) => start >= end && start - end <= 2),
    ),
    ...(told ? [{ start: told.from, end: told.span.start }] : []),
    ...made.taken,
  ];
  const missing = impossible.map(({ from, to }) => ({
    start: tokens[from]?.start ?? 0,
    end: tokens[to - 1]?.end ?? 0,
  }));
  const counted = deciding.filter(
    (span) => unserved === null || !missing.some((gone) => span.start < gone.end && gone.start < span.end),
  );
  return {
    spec: made.spec,
    notTakenUp: notTakenUp(draft, options.against ?? made.spec, counted, lexicon),
    unserved,
  };
}

/** What stands on a checklist are things to tick off, unless it says that they are fields or one of them has a type. */
const areEntries = (
  variant: string | undefined,
  fields: readonly DraftField[],
  lists: readonly List[],
  lexicon: Lexicon,
): boolean =>
  variant === 'checklist' &&
  fields.every(({ type }) => type === 'text') &&
  !lists.some(({ intro }) => lexicon.fields.has(intro));

/** An item that says nothing but something that no kind does. */
const isOnly = (label: string, found: readonly Token[]): boolean =>
  label.toLowerCase() === found.map(({ lower }) => lower).join(' ');

const isIn = (
  token: Pick<Span, 'start' | 'end'> | undefined,
  spans: readonly Pick<Span, 'start' | 'end'>[],
) => token !== undefined && spans.some(({ start, end }) => token.start >= start && token.end <= end);

/** Quoted text right behind the head is a name: an app “Zap”. */
function appositionName(
  quotes: readonly Span[],
  object: { readonly to: number } | null,
  tokens: readonly Token[],
): string | null {
  const behind = object ? (tokens[object.to - 1]?.end ?? -1) : -1;
  const quote = quotes.find(({ start }) => behind >= 0 && start >= behind && start - behind <= 3);
  return quote && quote.text.length <= 60 ? quote.text : null;
}
