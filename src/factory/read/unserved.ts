import { wordsOf } from '../revise/words.ts';
import { type TemplateName, templateNames } from '../spec.ts';
import { type Asked, namedBy, textOf } from './asked.ts';
import type { Cue, Impossible } from './cues.ts';
import type { Span, Token, Unserved } from './draft.ts';
import { type CueFound, covers, firstStrong, type KindFound } from './kind-of.ts';
import type { TaggedPrompt } from './lexicon.ts';
import { nextIndex, spanFrom } from './spans.ts';

/** What is known of a prompt when it is decided whether a kind serves it. */
export interface Request extends Asked {
  readonly kind: KindFound | null;
  /** Fields say what is to be kept. */
  readonly described: boolean;
}

/** Beginnings that are offered where too little speaks for others. */
const usual: readonly TemplateName[] = ['tracker', 'notes', 'form'];
/** Kinds whose head says only how something is shown, and not what. */
const pages: ReadonlySet<string> = new Set(['landing', 'portfolio']);

/**
 * What is asked for if no kind serves it; else null. A kind serves it when the head of what is asked for is one of its
 * cues, when what is said of it first speaks for a kind, or when fields are described.
 */
export function unservedIn(request: Request): Unserved | null {
  const { object, cues, described } = request;
  const head = object && cues.find((found) => covers(found, object.head));
  const never = head && speaks(head, ['heads', 'verbs']);
  if (never && !isOfKind(head)) return described && never.kept ? null : unserved(request, head, never);
  const secret = described ? null : secretKept(request);
  if (secret) return unserved(request, secret, null);
  if (head && object && !never && isOfKind(head) && (!request.generic || head.to - head.from > 1))
    return turned(request);
  const first = firstStrong(cues, request);
  const other = first && speaks(first, ['heads', 'verbs', 'traits']);
  if (other && !isOfKind(first)) return isPage(head) ? null : unserved(request, first, other);
  if (first) return turned(request);
  // Sign-in or payment, and nothing that a kind does.
  const isPart =
    !described && !isPage(head) && !cues.some(isOfKind) && cues.some((cue) => speaks(cue, ['parts']));
  return isPart ? unserved(request, null, null) : null;
}

const speaks = ({ cues }: CueFound, classes: readonly Cue['class'][]): Impossible | null =>
  cues.find((cue) => cue.never !== null && classes.includes(cue.class))?.never ?? null;

/** It names a kind or speaks for what one does; beside what no kind does a thing does not count. */
const isOfKind = ({ cues }: CueFound): boolean =>
  cues.some(
    ({ never, class: cueClass }) =>
      never === null && (cueClass !== 'things' || cues.every((cue) => cue.never === null)),
  );

const isPage = (found: CueFound | null | undefined): boolean =>
  found?.cues.some(({ kind, class: cueClass }) => pages.has(kind) && cueClass === 'heads') === true;

/** What a kind serves becomes something that none does: a `live` map. */
function turned(request: Request): Unserved | null {
  for (const found of request.cues) {
    const never = speaks(found, ['verbs', 'traits']);
    if (never?.nearest.includes(request.kind?.kind as TemplateName)) return unserved(request, found, never);
  }
  return null;
}

/** Passwords that are kept, as whoever has the device may read them. */
function secretKept({ cues, tokens, lexicon }: Request): CueFound | null {
  const secret = cues.find(({ cues: found }) =>
    found.some(({ variant, phrase }) => variant === 'password' && !/gen|maker|cr[ié]|strong/.test(phrase)),
  );
  if (!secret) return null;
  const { lang } = lexicon;
  const isOwner = ({ lower }: Token) => lexicon.data.possessives.includes(lower);
  const owned = tokens.slice(secret.to, secret.to + 2).some(isOwner);
  // “My neighbour's wifi password”, “the passwords of my ex”: those of others are not to be made up.
  const [link, owner] = tokens.slice(secret.to);
  const ofOther =
    tokens.slice(Math.max(0, secret.from - 2), secret.from).some(({ lower }) => /.['’]s?$/.test(lower)) ||
    (link?.lower === 'of' && owner !== undefined && isOwner(owner));
  const isKept = cues.some(({ cues: found }) =>
    found.some(({ kind, class: sort }) => kind === 'tracker' && sort === 'verbs'),
  );
  return isKept || (lang === 'en' ? ofOther : owned) ? secret : null;
}

/** The kinds to choose from, the likeliest first; at least three. */
export function choicesFrom(likely: readonly string[]): readonly TemplateName[] {
  const known = [...new Set(likely)].flatMap((kind) => templateNames.find((name) => name === kind) ?? []);
  return known.length >= usual.length ? known : [...new Set([...known, ...usual])];
}

/** Says what no kind serves, as the prompt says it: no app can do it, or none of the kinds is for it. */
function unserved(request: Request, found: CueFound | null, never: Impossible | null): Unserved | null {
  const { lexicon, kind, cues } = request;
  const span = namedBy(request, found);
  if (!span) return null;
  const head = textOf(request, span);
  const isPart = cues.some((cue) => cue.from >= span.from && cue.to <= span.to && speaks(cue, ['parts']));
  const isImpossible = never === null && (isPart || (found !== null && isOfKind(found)));
  return {
    head,
    nearest: choicesFrom([...(never?.nearest ?? []), ...(kind ? [kind.kind] : [])]),
    message: isImpossible
      ? `${head}: ${wordsOf(lexicon.lang).file.refused.notServed}.`
      : lexicon.data.messages.unserved.replace('{head}', () => head),
  };
}

/** A participle of ordering, in any language. */
export const ordered =
  /^(?:sorted|ordered|grouped|arranged|ranked|(?:vor)?sortiert(?:e[nrs]?)?|geordnet|gruppiert|(?:tri|class|ordonn|group|rang)ée?s?|(?:orden|agrup|clasific|classific)ad[oa]s?|(?:ordin|raggrupp)at[oaie])$/;
/** What stands behind it. */
export const by = /^(?:by|nach|par|por|per|alphabet.*|alphabét.*|alfab.*)$/;
const maxBefore = 4;

/** What a prompt says of an order: “sorted by author”, “nach Autor sortiert”. People sort in an app; a plan has no order. */
export function ordersIn(text: TaggedPrompt): Span[] {
  const { tokens, lexicon } = text;
  return tokens.flatMap(({ lower }, index) => {
    if (!ordered.test(lower)) return [];
    const isBy = (at: number) => by.test(tokens[at]?.lower ?? '');
    if (isBy(index + 1)) {
      const to = nextIndex(tokens, index, ({ pos }, at) => pos === 'mark' || lexicon.with.at(tokens, at));
      return [spanFrom(text, index, to)];
    }
    let from = index;
    while (index - from < maxBefore && !isBy(from)) from -= 1;
    return lexicon.lang === 'de' && isBy(from) ? [spanFrom(text, from, index + 1)] : [];
  });
}

/** Words that something is not to be or to have, by language. */
const denials: Readonly<Record<string, RegExp>> = {
  en: /^(?:not|without|no)$/,
  de: /^(?:nicht|ohne|keine?[nmrs]?)$/,
  fr: /^sans$/,
  es: /^sin$/,
  it: /^senza$/,
  pt: /^sem$/,
};
/** Words behind a denial that it is about, at most. */
const maxDenied = 3;
const denied = /^(?:determiner|noun|adjective|name)$/;

/** What an app is not to be or to have: “not red”, “ohne Preis”. Rules would read the words as wishes. */
export function denialsIn(text: TaggedPrompt): Span[] {
  const { tokens, lexicon } = text;
  return tokens.flatMap(({ lower }, index) => {
    if (!denials[lexicon.lang]?.test(lower)) return [];
    const endFrom = (from: number) =>
      Math.min(
        from + maxDenied,
        nextIndex(tokens, from - 1, ({ pos }) => !denied.test(pos)),
      );
    let to = endFrom(index + 1);
    // “Without author and pages” denies both.
    while (tokens[to]?.pos === 'conjunction' && endFrom(to + 1) > to + 1) to = endFrom(to + 1);
    return to > index + 1 ? [spanFrom(text, index, to)] : [];
  });
}
