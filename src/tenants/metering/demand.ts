import type { DryRun, DryTokens } from '../../contract/dry-run.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { LimitState } from '../../contract/limit-state.ts';
import { isTagName, isTagValue, maxTags, readTagsHeader, type Tags } from '../../lib/tags.ts';
import type { Need } from '../../limits/authority.ts';
import type { Attempt } from '../../model/port.ts';
import type { Budget } from '../accounts/budgets.ts';
import type { Caller } from '../accounts/caller.ts';
import type { AdmissionRequest, ClientSaw } from './admission.ts';
import type { Admissions } from './admissions.ts';
import { budgetNeeds, budgetsOn, countingNeeds, needsEstimate, type TokenBound } from './budget-needs.ts';

/** A request of a caller, as metering sees it. */
export interface MeteredRequest {
  readonly caller: Caller;
  readonly requestId: string;
  /** As the contract names it. */
  readonly operation: string;
  /** The client's `x-switchyard-tags`; null or left out: it has sent none. */
  readonly tagsHeader?: string | null;
  /** Aborted when the client goes away. */
  readonly signal?: AbortSignal;
  /** Takes how the caller's limits stand with this request counted. */
  readonly tellLimits: (state: LimitState) => void;
  /** It is only to be found out what it would come to. */
  readonly dryRun?: DryRun | undefined;
  /** Called at the end of each attempt. Must not throw. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** The demand of a request. */
export interface Demand {
  /** The model as the client named it; null where none was. */
  readonly model: string | null;
  /** Whether it calls no model: one that is not named is not the default one then. */
  readonly callsNone?: boolean;
  /**
   * Whether it gives what was made before, or costs nothing: budgets of tokens and money count what turns out to have been used, and
   * do not refuse it.
   */
  readonly onlyCounts?: boolean;
  /**
   * Tokens that it may use, asked only where they or costs are limited; none if left out.
   * @param perMinute the limit of the caller; the largest whole number where it has none
   */
  readonly tokens?: ((perMinute: number) => number | TokenBound | Promise<number | TokenBound>) | null;
  /** Tokens that its answer may use besides: budgets set them aside, limits of tokens a minute count them when they are used. */
  readonly madeTokens?: () => number;
  /** The most that it may use, for a dry run; the tokens as a prompt if left out. */
  readonly estimate?: () => Promise<DryTokens>;
  /** How its body labels it: those that can be tags are, beside those of the key and the header. */
  readonly metadata?: unknown;
  /**
   * The part that its client receives in any case, where that is the record of work that runs to its end without the client;
   * `nothing` if left out: the request ends with its client.
   */
  readonly clientSaw?: ClientSaw;
}

/** A request as it asks to be admitted, and the budgets that it counts for. */
export interface Asked {
  readonly asked: AdmissionRequest;
  readonly budgets: readonly Budget[];
}

const noBudgets: readonly Budget[] = [];

/**
 * The admission request of a demand; a promise only where its tokens have to be estimated. Throws `ServiceError` for tags
 * that are wrong or missing, and for a budget that cannot be held against the request.
 */
export function askedOf(
  admissions: Admissions,
  request: MeteredRequest,
  demand: Demand,
): Asked | Promise<Asked> {
  const { caller } = request;
  const { model, callsNone = false } = demand;
  const tags = tagsOf({ caller, header: request.tagsHeader, metadata: demand.metadata });
  const { tokensPerMinute } = caller.limits;
  const budgets = caller.budgets?.length
    ? budgetsOn(caller, { model, callsNone, tags }, admissions.canonicalOf)
    : noBudgets;
  const settled = (bound: TokenBound | null): Asked => {
    const tokens = tokensPerMinute === null || bound === null ? undefined : bound.prompt + bound.answer;
    const needs =
      budgets.length > 0 ? needsFor(budgets, admissions, demand, withMade(bound, demand)) : undefined;
    const { requestId, operation, signal } = request;
    return { asked: { caller, requestId, operation, model, signal, tokens, tags, needs }, budgets };
  };
  if (tokensPerMinute === null && (budgets.length === 0 || !needsEstimate(budgets))) return settled(null);
  const estimate = demand.tokens?.(tokensPerMinute ?? Number.MAX_SAFE_INTEGER);
  return estimate instanceof Promise
    ? estimate.then((tokens) => settled(boundOf(tokens)))
    : settled(boundOf(estimate));
}

function needsFor(
  budgets: readonly Budget[],
  admissions: Admissions,
  { model, onlyCounts }: Demand,
  tokens: TokenBound | null,
): readonly Need[] {
  if (onlyCounts) return countingNeeds(budgets);
  const cost = (most: TokenBound) => admissions.costBound(model, most);
  return budgetNeeds(budgets, model, { tokens, cost });
}

function withMade(bound: TokenBound | null, { madeTokens }: Demand): TokenBound | null {
  return bound && madeTokens ? { ...bound, answer: bound.answer + madeTokens() } : bound;
}

/** A plain number says nothing of what is the prompt: all of it may be the answer. */
function boundOf(tokens: number | TokenBound | undefined): TokenBound | null {
  if (tokens === undefined) return null;
  return typeof tokens === 'number' ? { prompt: 0, answer: tokens } : tokens;
}

/** The header that tags come in. */
export const tagsHeader = 'x-switchyard-tags';

/** Where the tags of a request come from. */
export interface TagSources {
  readonly caller: Pick<Caller, 'tags' | 'requiredTags'>;
  /** Of the client's request; null or left out: it has none. */
  readonly header?: string | null | undefined;
  /** Labels in the body: of whatever form, where its interface has rules of its own for them. */
  readonly metadata?: unknown;
}

/**
 * The tags of a request: those of the header, of the body, which go before them, and of the key, which go before both: whoever
 * has made the key says whose costs they are, and no client can take them elsewhere. Other labels of a body, and those
 * beyond the rest of `maxTags`, are no tags. Undefined for none, at no cost. Throws `ServiceError`: `invalid_request` for a
 * header that is wrong, `tag_required`.
 */
export function tagsOf({ caller, header, metadata }: TagSources): Tags | undefined {
  const { tags: own, requiredTags } = caller;
  const labelled = typeof metadata === 'object' && metadata !== null;
  const tags = header || labelled ? merged(own, header ?? '', labelled ? metadata : {}) : own;
  if (requiredTags !== undefined) requireTags(tags, requiredTags);
  return tags;
}

function merged(own: Tags | undefined, header: string, metadata: object): Tags | undefined {
  const tags: Record<string, string> = { ...headed(header), ...own };
  let count = Object.keys(tags).length;
  if (count > maxTags)
    throw invalid(`There are at most ${maxTags} tags with those of the key, not ${count}.`);
  for (const [name, value] of Object.entries(metadata)) {
    if (!isTagName(name) || !isTagValue(value)) continue;
    if (own !== undefined && Object.hasOwn(own, name)) continue;
    if (!Object.hasOwn(tags, name)) {
      if (count === maxTags) continue;
      count += 1;
    }
    tags[name] = value;
  }
  return count === 0 ? undefined : tags;
}

function headed(text: string): Tags {
  try {
    return readTagsHeader(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(error.message);
    throw error;
  }
}

function requireTags(tags: Tags | undefined, required: readonly string[]): void {
  const missing = required.filter((name) => tags === undefined || !Object.hasOwn(tags, name) || !tags[name]);
  if (missing.length === 0) return;
  const names = missing.map((name) => JSON.stringify(name)).join(', ');
  const message = `Every request needs ${missing.length === 1 ? 'the tag' : 'the tags'} ${names}: send ${tagsHeader}: ${missing.map((name) => `${name}=…`).join(', ')}, or use a key that has ${missing.length === 1 ? 'it' : 'them'}.`;
  const details = missing.map((name) => ({
    path: tagsHeader,
    code: 'required',
    message: `needs the tag ${name}`,
  }));
  throw new ServiceError('tag_required', message, { details });
}

function invalid(message: string): ServiceError {
  const details = [{ path: tagsHeader, code: 'format', message }];
  return new ServiceError('invalid_request', `${tagsHeader} is wrong. ${message}`, { details });
}
