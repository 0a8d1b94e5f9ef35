import { cleanPrompt } from '../prompt.ts';
import { wordsOf } from '../revise/words.ts';
import type { AppSpec, TemplateName } from '../spec.ts';
import { askedFor } from './asked.ts';
import { doubtOf, isCertain } from './certainty.ts';
import { coloursIn } from './colours.ts';
import { notTakenUp } from './coverage.ts';
import { type Cue, impossibleCues } from './cues.ts';
import type { Draft, ListItem, Phrase, Reading, ReadOptions, Span, Stretch, Token } from './draft.ts';
import { factsIn } from './facts/facts.ts';
import { nameEnd } from './facts/proper.ts';
import { fieldsOf } from './fields.ts';
import { type CueFound, covers, cuesIn, kindOf } from './kind-of.ts';
import type { Kinds } from './kinds.ts';
import { languageAsked, languageOf } from './language.ts';
import { readLangs } from './language-data.ts';
import { lexiconOf, type TaggedPrompt } from './lexicon.ts';
import { listsOf } from './lists/lists.ts';
import { depthsOf } from './lists/zones.ts';
import { maxName, statedName } from './name.ts';
import { capitalised } from './parts/naming.ts';
import { quotedIn } from './phrases.ts';
import { type NounPhrase, objectPhrase } from './request.ts';
import { isWithin, spanFrom } from './spans.ts';
import { subjectOf } from './subject.ts';
import { quotedTokens, tagged } from './tag.ts';
import { denialsIn, ordersIn, unservedIn } from './unserved.ts';
import { wholeSpec } from './whole-spec.ts';

const defaultKind: TemplateName = 'tracker';
/** So many listed fields describe a thing to keep. */
const minDescription = 3;
/** Of which so many are dates, numbers and the like. */
const minTyped = 2;
/** Kinds that are called by the name of whom they are of. */
const sites: ReadonlySet<string> = new Set(['landing', 'portfolio']);

/**
 * Reads a prompt by rules alone: normalise, language, tag, facts, kind, lists and fields, subject, name, colours; then
 * the kind composes its part, and what of the prompt is in no part of the spec is listed. The same prompt always gives
 * the same reading.
 */
export function readPrompt(raw: string, options: ReadOptions, kinds: Kinds): Reading {
  // People put choices in brackets as well as in parentheses.
  const prompt = cleanPrompt(raw).replaceAll('[', '(').replaceAll(']', ')');
  const { lang, foreign, isGuess } = options.lang
    ? { lang: options.lang, foreign: false, isGuess: false }
    : languageOf(prompt, kinds);
  const lexicon = lexiconOf(lang);
  const all = tagged(prompt, lexicon);
  const whole = { prompt, tokens: all, lexicon };
  const quoted = quotedTokens(prompt, all);
  const allCues = cuesIn(whole, [kinds.cues(lang), impossibleCues(lang)], quoted);
  // A generator of passwords leaves out what is denied, and cards for a language are not in it.
  const isOf = (name: string) =>
    allCues.some(({ cues: found }) => found.some(({ kind, variant }) => name === kind || name === variant));
  const wish = isOf('flashcards') ? null : languageAsked(whole, depthsOf({ tokens: all, quoted }));
  const unmet = [...ordersIn(whole), ...(isOf('password') ? [] : denialsIn(whole))];
  const aside = wish ? [...unmet, wish] : unmet;
  // The words of such wishes belong to no phrase around them, and a comma before them ends no item.
  const tokens = all.map((token, index): Token => {
    const ends = token.text === ',' && isIn(all[index + 1], aside);
    return ends || isWithin(token, aside) ? { ...token, pos: 'mark', lower: '', lemma: '' } : token;
  });
  const text: TaggedPrompt = { prompt, tokens, lexicon };
  const spanOfCue = ({ from, to }: CueFound) => spanFrom(text, from, to);
  const quotes = quotedIn(prompt);
  const { facts, quantities } = factsIn(text);
  const cues = allCues.filter(({ from }) => tokens[from] === all[from]);
  // A “weight log in pounds” lets nobody in.
  const missing = cues.filter(
    ({ cues: found, to }) =>
      found.some(({ never }) => never !== null) &&
      !(tokens[to - 1]?.pos === 'preposition' && /noun|name|number/.test(tokens[to]?.pos ?? '')),
  );
  const lists = listsOf({ ...text, quoted, facts })
    .map((list) => ({ ...list, items: list.items.filter((item) => !asksForPart(item, missing, text)) }))
    .filter(({ items }) => items.length > 0);
  const stated = statedName(text, quotes);
  const naming = stated ? [stated.whole] : [];
  const listed = (index: number) =>
    isIn(tokens[index], [
      ...lists.flatMap(({ intro, items }) => (lexicon.fields.has(intro) ? items : items.slice(1))),
      ...naming,
    ]);
  const isHead = (index: number) =>
    cues.some(
      (cue) =>
        covers(cue, index) &&
        // “Countdown to” ends before what it counts to.
        !(cue.to === index + 1 && tokens[index]?.pos === 'preposition') &&
        cue.cues.some(({ class: cueClass }) => cueClass === 'heads'),
    );
  const object = objectPhrase(text, isHead);
  const fields = fieldsOf(lists, lexicon);
  const head = tokens[object?.head ?? -1];
  const generic = head !== undefined && [head.lower, head.lemma].some((word) => lexicon.generic.has(word));
  const typed = fields.filter(({ type }) => type !== 'text').length;
  const described = typed >= minTyped || lists.some(({ intro }) => intro !== '' && lexicon.fields.has(intro));
  const place = { ...text, object, generic, listed, cues };
  const found = kindOf(
    cues,
    place,
    fields.length >= minDescription ? { kind: defaultKind, sure: typed >= minTyped } : null,
    options.kind,
  );
  const unserved = options.kind || foreign ? null : unservedIn({ ...place, kind: found, described });
  const kind =
    options.kind ?? unserved?.nearest[0] ?? (found?.kind as TemplateName | undefined) ?? defaultKind;
  const own = found?.kind === kind ? found : null;
  const name = stated?.name ?? nameBeside(text, quotes, object, sites.has(kind));
  const keeps = kind === defaultKind;
  const forbidden = missing.filter(isForbidden).map(spanOfCue);
  const draft: Draft = {
    prompt,
    lang,
    kind,
    variant: own?.variant ?? '',
    tokens,
    subject: unserved
      ? null
      : subjectWithout(subjectOf({ ...text, kind: own, object, keeps, table: kinds.cues(lang) }), forbidden),
    name,
    fields: unserved ? [] : fields,
    lists: unserved ? [] : lists,
    facts,
    quantities,
    quoted: quotes.filter((quote) => quote.text !== name),
    currency: [...facts.currencies, ...facts.prices][0]?.currency ?? lexicon.data.currency,
  };
  const colours = coloursIn(text, (token) => isWithin(token, [...naming, ...quotes]));
  const asked = unserved
    ? ''
    : without(askedFor({ ...place, generic: generic && sites.has(kind) }), forbidden);
  const made = wholeSpec(draft, { kinds, colours, lexicon, foreign, asked, wish });
  const isServed = wish !== null && readLangs.some((known) => known === wish.code);
  const deciding = [
    ...(own?.cues ?? [])
      .filter(
        (cue) =>
          // A die is called by its sides, which the app has as numbers; “landing” of a landing page names the kind.
          /\d/.test(spanOfCue(cue).text) || cue.cues.some(({ phrase }) => phrase.startsWith(`${kind} `)),
      )
      .map(spanOfCue),
    ...colours.spans,
    // “Rating from 1 to 5” is a rating.
    ...fields.filter(
      ({ type, label }) => type === 'rating' && made.spec.entity?.fields.some((kept) => kept.label === label),
    ),
    ...facts.currencies.slice(0, 1),
    ...tokens.filter(
      ({ lemma, end }) =>
        lexicon.fields.has(lemma) && lists.some(({ start }) => start >= end && start - end <= 2),
    ),
    ...(stated ? [{ start: stated.whole.start, end: stated.span.start }] : []),
    ...(wish && isServed ? [wish] : []),
    ...made.taken,
  ];
  const never = missing
    .filter(({ cues: of }) =>
      of.every((cue) => cue.never !== null || (cue.class === 'things' && of.some(isPart))),
    )
    .filter((cue) => {
      const subject = draft.subject && !isForbidden(cue) ? [draft.subject] : [];
      return !isWithin(spanOfCue(cue), [...fields, ...subject]);
    })
    .map(spanOfCue);
  const refused = forbidden.filter((span) => never.some(({ start }) => start === span.start));
  const spec = withRefusals(made.spec, refused);
  const left = notTakenUp(draft, {
    spec: options.against ?? spec,
    deciding,
    impossible: [...never, ...unmet, ...(wish && !isServed ? [wish] : [])],
    lexicon,
  });
  const { variant } = made.spec;
  // An order or a denial leaves no doubt about the app.
  const doubtful = left.filter((part) => !unmet.some((span) => part.includes(span.text)));
  const evidence = { ...place, found, described, left: doubtful, variant };
  const isSure =
    options.kind !== undefined || unserved !== null || (!foreign && !isGuess && isCertain(evidence));
  return { spec, notTakenUp: left, unserved, doubt: isSure ? null : doubtOf(evidence) };
}

/** Sign-in and payment are reported even where the name of the app has them: a password-protected diary. */
const isForbidden = ({ cues }: CueFound): boolean =>
  cues.some(({ never }) => never?.id === 'accounts' || never?.id === 'payments');

/** Without what no app does: a password-protected diary is a diary. */
const without = (text: string, parts: readonly Span[]): string =>
  parts
    .reduce((left, part) => left.replace(part.text, ''), text)
    .replace(/\s+/g, ' ')
    .trim();

function subjectWithout(subject: Phrase | null, parts: readonly Span[]): Phrase | null {
  if (!subject || without(subject.text, parts) === '') return null;
  const [text, singular, plural] = [subject.text, subject.singular, subject.plural].map((said) =>
    without(said, parts),
  ) as [string, string, string];
  return { ...subject, text, singular, plural };
}

const maxRefused = 3;

/** Says of parts such as sign-in that no app has them. */
function withRefusals(spec: AppSpec, parts: readonly Span[]): AppSpec {
  const { notServed } = wordsOf(spec.lang).file.refused;
  const lines = [...new Set(parts.map(({ text }) => `${capitalised(text, spec.lang)}: ${notServed}.`))];
  return lines.length === 0
    ? spec
    : { ...spec, assumptions: [...spec.assumptions, ...lines.slice(0, maxRefused)] };
}

const isPart = ({ class: cueClass }: Cue) => cueClass === 'parts';

/**
 * An item that is something which no kind does, by its head: `login for members`, but no `payment method`. The head of a
 * noun phrase is its last noun in English and German, its first in the Romance languages.
 */
function asksForPart(
  item: ListItem,
  missing: readonly CueFound[],
  { tokens, lexicon }: TaggedPrompt,
): boolean {
  const { lang, closed } = lexicon;
  const inside = (token: Token | undefined) => isIn(token, [item]);
  const isAsked = ({ from, to, cues }: CueFound): boolean => {
    if (!cues.some(({ never, class: cueClass }) => never && !never.kept && cueClass !== 'verbs'))
      return false;
    if (!inside(tokens[from]) || !inside(tokens[to - 1])) return false;
    if (lang === 'en' || lang === 'de') return tokens[to]?.pos !== 'noun' || !inside(tokens[to]);
    return tokens.slice(0, from).every((token) => !inside(token) || closed.has(token.lower));
  };
  // What has options of its own is something to keep.
  return item.options.length === 0 && missing.some(isAsked);
}

const isIn = (token: Token | undefined, spans: readonly Stretch[]) =>
  token !== undefined && isWithin(token, spans);

/** The name beside what is asked for: quoted text right behind it (an app “Zap”), or of a site several words with capitals. */
function nameBeside(
  { prompt, tokens }: TaggedPrompt,
  quotes: readonly Span[],
  object: NounPhrase | null,
  isSite: boolean,
): string | null {
  if (object === null) return null;
  const rest = tokens.slice(object.from);
  const behind = tokens[object.to - 1]?.end ?? 0;
  const most = isSite
    ? (rest.find(({ text }) => /^[:;.!?]$/.test(text))?.start ?? prompt.length)
    : behind + 3;
  const quote = quotes.find(({ start }) => start >= behind && start <= most);
  if (quote || !isSite) return quote && quote.text.length <= maxName ? quote.text : null;
  // In a name an article has a capital, too: La Espiga. German writes all nouns so.
  const from = rest.findIndex(
    ({ pos, text, start }) => start >= behind && start < most && pos !== 'noun' && /^\p{Lu}/u.test(text),
  );
  const to = from < 0 ? from : nameEnd(rest, from + 1);
  return to - from > 1 ? spanFrom({ prompt, tokens: rest }, from, to).text : null;
}
