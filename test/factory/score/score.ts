import type { Wish } from './checks.ts';
import { type Check, junkChecks, namesHead, writtenChecks } from './checks.ts';
import { droppedSilently } from './honesty.ts';
import type { Reading } from './prompt-set.ts';
import { type PromptEntry, promptLangOf } from './prompt-set.ts';
import { type ScoredSpec, viewOf } from './spec-view.ts';
import { containsText, wordsOf } from './text.ts';

export type Verdict = 'right' | 'usable' | 'asked' | 'wrong';

/** What somebody gets who lets the reader ask: an app as asked for, a question first, or something else. */
export type Outcome = 'as asked' | 'question' | 'something else';

export interface Reason {
  readonly check: string;
  readonly detail: string;
}

export interface Score {
  /**
   * `right`: every assertion holds. `usable`: kind and language are right, and most of the rest. `asked`: a kind serves it, and
   * the reader asks first. Else `wrong`.
   */
  readonly verdict: Verdict;
  readonly outcome: Outcome;
  /** Whether it is something else and nothing at all is said: no question, nothing that was not taken up. */
  readonly isSilent: boolean;
  /** Whether all that the prompt says is in the spec or listed, and what no kind serves is said. */
  readonly honest: boolean;
  /** The assertions that do not hold. */
  readonly reasons: readonly Reason[];
  /** What whoever looks at the result still wants: the same, as wishes. */
  readonly wishes: readonly Wish[];
  /** What is dropped without a word said. */
  readonly dishonest: readonly Reason[];
  /** Entries of the list of what was not taken up that stand in the spec all the same. They cost nothing. */
  readonly overlisted: readonly string[];
}

/** A spec of which more than this part of the assertions fails cannot be used as it is. */
const maxFailedShare = 1 / 3;
/** With one of these failing no number of others makes a result usable. */
const decisive = new Set(['kind', 'language', 'unserved']);

/** Judges what a reader made of a prompt by the assertions that were written before. Pure. */
export function score(spec: ScoredSpec, given: Reading, entry: PromptEntry): Score {
  const { doubt = null } = given;
  // Whoever asks for what no kind serves is told so by the question.
  const reading = entry.expect.unserved ? { ...given, unserved: given.unserved ?? doubt } : given;
  const checks = entry.expect.unserved ? unservedChecks(reading, entry) : servedChecks(spec, reading, entry);
  const failed = checks.filter(({ held }) => !held);
  const dishonest = dishonesty(spec, reading, entry, failed);
  const outcome = outcomeOf(reading, entry, failed);
  return {
    verdict: doubt !== null && !entry.expect.unserved ? 'asked' : verdictOf(checks, failed),
    outcome,
    isSilent: outcome === 'something else' && reading.notTakenUp.length === 0,
    honest: dishonest.length === 0,
    reasons: failed.map(({ check, detail }) => ({ check, detail })),
    wishes: failed.flatMap(({ wishes }) => wishes),
    dishonest,
    overlisted: overlisted(spec, reading, entry),
  };
}

function verdictOf(checks: readonly Check[], failed: readonly Check[]): Verdict {
  if (failed.length === 0) return 'right';
  if (failed.some(({ check }) => decisive.has(check))) return 'wrong';
  return failed.length <= checks.length * maxFailedShare ? 'usable' : 'wrong';
}

function outcomeOf(
  { unserved, doubt = null }: Reading,
  { expect }: PromptEntry,
  failed: readonly Check[],
): Outcome {
  if (unserved !== null || doubt !== null) return 'question';
  const isElse = expect.unserved || failed.some(({ check }) => decisive.has(check) || check === 'variant');
  return isElse ? 'something else' : 'as asked';
}

function servedChecks(spec: ScoredSpec, reading: Reading, entry: PromptEntry): Check[] {
  const { expect, lang } = entry;
  const judged = { spec, view: viewOf(spec), reading, expect, lang };
  return [
    {
      check: 'kind',
      held: expect.kind.includes(spec.kind),
      detail: `${spec.kind}, not ${expect.kind.join(' or ')}`,
      wishes: [{ sort: 'kind', kinds: expect.kind }],
    },
    {
      check: 'language',
      held: spec.lang === lang,
      detail: `${spec.lang}, not ${lang}`,
      wishes: [{ sort: 'language', lang }],
    },
    {
      check: 'unserved',
      held: reading.unserved === null,
      detail: `said to be served by no kind: ${reading.unserved}`,
      wishes: [{ sort: 'served' }],
    },
    ...writtenChecks(judged),
    ...junkChecks(judged, entry.prompt).filter(({ held }) => !held),
  ];
}

function unservedChecks(reading: Reading, entry: PromptEntry): Check[] {
  const { head = [], not_taken_up: wanted = [] } = entry.expect;
  const lang = promptLangOf(entry);
  const said = reading.unserved !== null;
  const wishes: Wish[] = [{ sort: 'told', what: head, head: true }];
  const listed = writtenChecks({
    spec: empty,
    view: viewOf(empty),
    reading,
    expect: wanted.length > 0 ? { kind: [], not_taken_up: wanted } : { kind: [] },
    lang,
  });
  return [
    { check: 'unserved', held: said, detail: 'not said that no kind serves it', wishes },
    ...(said
      ? [
          {
            check: 'head',
            held: namesHead(reading.unserved ?? '', head, lang),
            detail: `"${reading.unserved}" does not name ${head}`,
            wishes,
          },
        ]
      : []),
    ...listed,
  ];
}

const empty: ScoredSpec = {
  kind: '',
  variant: '',
  name: '',
  lang: '',
  palette: { accent: '#000000', mode: 'auto' },
  currency: '',
  entity: null,
  features: [],
};

function dishonesty(
  spec: ScoredSpec,
  reading: Reading,
  entry: PromptEntry,
  failed: readonly Check[],
): Reason[] {
  const said = failed
    .filter(({ check }) => check === 'not taken up' || (check === 'unserved' && entry.expect.unserved))
    .map(({ check, detail }) => ({ check, detail }));
  const dropped = droppedSilently(spec, reading, entry).map(({ sort, text }) => ({
    check: `dropped ${sort}`,
    detail: text,
  }));
  return [...said, ...dropped];
}

function overlisted(spec: ScoredSpec, reading: Reading, { lang, expect }: PromptEntry): string[] {
  if (expect.unserved) return [];
  const { texts } = viewOf(spec);
  return reading.notTakenUp.filter(
    (entry) => wordsOf(entry).length > 0 && texts.some((text) => containsText(text, entry, lang)),
  );
}
