import { type Asked, headOf, namedBy, textOf } from './asked.ts';
import type { Unserved } from './draft.ts';
import { covers, type KindFound } from './kind-of.ts';
import { choicesFrom } from './unserved.ts';

/** What speaks for the kind that was chosen, and what does not. */
export interface Evidence extends Asked {
  readonly found: KindFound | null;
  /** The fields that are listed say by their types that things are kept. */
  readonly described: boolean;
  /** That of the spec. */
  readonly variant: string;
  /** What of the prompt the spec has no place for. */
  readonly left: readonly string[];
}

/** A kind of which the runner-up has more than this part of its score was guessed. */
const maxLead = 0.2;
/** The least score of a kind that what is asked for does not name. */
const minScore = 9;
/** Of a prompt of which more than this part has no place in the spec, something else was meant. */
const maxLeft = 0.3;
/** How many kinds that something speaks for are offered. */
const maxRanked = 3;

/**
 * Whether the kind is what was asked for, for all that the rules can tell: the words that ask for it name the kind, or it
 * is far ahead of all others, and most of the prompt has its place in the spec.
 */
export function isCertain(evidence: Evidence): boolean {
  const { found, prompt, left, described } = evidence;
  if (found === null) return false;
  const [best = 0, next = 0] = found.ranked.map(({ score }) => score);
  const share = left.reduce((sum, part) => sum + wordsIn(part), 0) / Math.max(1, wordsIn(prompt));
  const isClear = next <= best * maxLead && share < maxLeft;
  const isWhole = !isLeft(evidence) && !isAnyVariant(evidence) && !isPart(evidence);
  return isClear && isWhole && (isNamed(evidence) || (best >= minScore && described));
}

const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

/** Kinds whose variants are different apps, so that one that nothing names is a guess. */
const different = /^(?:document|picker|game|calculator|converter|timer)$/;

const isAnyVariant = ({ found, variant }: Evidence): boolean =>
  found !== null && different.test(found.kind) && found.variant === '' && variant !== 'formula';

/** No app does what stands in or right behind the name of what is asked for: “login page”, “une page de paiement”. */
const isPart = ({ object, cues }: Evidence): boolean =>
  object !== null &&
  cues.some(
    ({ from, to, cues: found }) =>
      to > object.from && from <= object.to + 1 && found.every(({ class: sort }) => sort === 'parts'),
  );

/** What is asked for has itself no place in the spec. */
function isLeft(evidence: Evidence): boolean {
  const { tokens, left } = evidence;
  const head = tokens[headOf(evidence)];
  return head ? left.some((part) => part.split(/[^\p{L}\p{N}]+/u).includes(head.text)) : false;
}

/** The head of what is asked for names the kind. */
function isNamed(evidence: Evidence): boolean {
  const { cues, found } = evidence;
  const at = headOf(evidence);
  const head = at < 0 ? null : cues.find((cue) => covers(cue, at));
  return head?.cues.some(({ kind, class: sort }) => kind === found?.kind && sort === 'heads') === true;
}

/** What is said, and what there is to choose from, where the rules are not certain. */
export function doubtOf(evidence: Evidence): Unserved {
  const { found, prompt, lexicon } = evidence;
  const span = namedBy(evidence, null);
  const head = span ? textOf(evidence, span) : prompt.slice(0, 60).trim();
  const nearest = choicesFrom(found?.ranked.slice(0, maxRanked).map(({ kind }) => kind) ?? []);
  return {
    reason: 'unsure',
    head,
    nearest,
    message: lexicon.data.messages.unsure.replace('{head}', () => head),
  };
}
