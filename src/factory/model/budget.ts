import type { Attempt } from '../../model/port.ts';
import {
  costOf,
  inputTokens,
  noTokens,
  type Price,
  type PriceOf,
  sumOfTokens,
  type TokenUsage,
} from '../../model/usage.ts';
import type { ModelUsage } from '../builder.ts';

/** What those who watch the build see. Nothing in it comes from a vendor or from a model's answer. */
const reasons = {
  allowance: "The demo's builds by a model are used up for today",
  unreachable: 'The model could not be reached',
  context: "The model's context is too small for the build's prompt",
  refused: 'The model declined to answer',
  plan: 'The model gave no plan that can be used',
  noFiles: 'The model sent no files',
  incomplete: 'The model did not bring its files to an end',
  checks: 'What the model made did not pass the checks',
  noProgress: 'The model could not repair its files',
  tokens: 'The build has used up the tokens that it may take',
  cost: 'The build has used up what it may cost',
  time: 'The model took longer than a build may',
  calls: 'The build has used up the calls that it may make',
} as const;

/** A model's work fell short of what is needed: the build goes one step down the ladder. */
export class Shortfall extends Error {
  override readonly name = 'Shortfall';
  readonly reason: ShortfallReason;

  /** @param figures what a reader can act upon, after a colon; null: nothing */
  constructor(reason: ShortfallReason, figures: string | null = null, options: ErrorOptions = {}) {
    super(figures === null ? reasons[reason] : `${reasons[reason]}: ${figures}`, options);
    this.reason = reason;
  }
}

/** What the model calls of one build may take together. */
export interface ModelLimits {
  /** Tokens that the model writes, its reasoning included. */
  readonly outputTokens: number;
  /** US dollars. Holds as far as prices are known. */
  readonly costUsd: number;
  /** Milliseconds spent waiting for the model. */
  readonly timeMs: number;
}

/** What one call has taken. */
export interface Spent {
  readonly provider: string | null;
  readonly model: string | null;
  readonly tokens: TokenUsage;
  readonly ms: number;
  /** Left out in what is kept from version 1.1. */
  readonly attempts?: readonly Attempt[];
}

/** What the next call may take. */
export interface Room {
  readonly tokens: number;
  readonly ms: number;
}

const maxCalls = 10;
/** Fewer tokens than these are not worth a call. */
const minTokens = 256;
/** A careful guess for prompts, which are English and code. */
const charactersPerToken = 3;

/** Counts what a build takes, and says what is left. It knows no clock, so a build that is taken up again goes on. */
export class Budget {
  readonly #limits: ModelLimits;
  readonly #priceOf: PriceOf;
  #calls = 0;
  #tokens = noTokens;
  #microUsd: number | null = 0;
  #ms = 0;
  #price: Price | null = null;
  #attempts: readonly Attempt[] = [];
  #served: ModelUsage['served'] = null;

  constructor(limits: ModelLimits, priceOf: PriceOf) {
    this.#limits = limits;
    this.#priceOf = priceOf;
  }

  get usage(): ModelUsage {
    return {
      calls: this.#calls,
      inputTokens: inputTokens(this.#tokens),
      outputTokens: this.#tokens.output,
      tokens: this.#tokens,
      costUsd: this.#microUsd === null ? null : this.#microUsd / 1e6,
      attempts: this.#attempts,
      served: this.#served,
    };
  }

  /**
   * What is left for a call with a prompt of so many characters, of at most `wanted` tokens in the answer. Throws a
   * `Shortfall` when that is too little.
   */
  room(promptLength: number, wanted: number): Room {
    const { outputTokens, timeMs } = this.#limits;
    if (this.#calls >= maxCalls) throw new Shortfall('calls');
    if (this.#ms >= timeMs) throw new Shortfall('time');
    const left = outputTokens - this.#tokens.output;
    if (left < minTokens) throw new Shortfall('tokens');
    const payable = this.payable(this.#price, promptLength);
    if (payable < minTokens) throw new Shortfall('cost');
    return { tokens: Math.min(wanted, left, payable), ms: timeMs - this.#ms };
  }

  /** How many tokens can be paid for in the answer to such a prompt. */
  payable(price: Price | null, promptLength: number): number {
    if (price === null || price.completion === 0) return Number.POSITIVE_INFINITY;
    const left = this.#limits.costUsd * 1e6 - (this.#microUsd ?? 0);
    return Math.floor((left - (promptLength / charactersPerToken) * price.prompt) / price.completion);
  }

  spend({ provider, model, tokens, ms, attempts = [] }: Spent): void {
    this.#attempts = [...this.#attempts, ...attempts];
    this.#calls += 1;
    this.#tokens = sumOfTokens(this.#tokens, tokens);
    this.#ms += ms;
    if (provider === null || model === null) return;
    this.#served = { provider, model };
    this.#price = this.#priceOf(provider, model);
    const cost = costOf(this.#price, tokens);
    this.#microUsd = cost === null || this.#microUsd === null ? null : this.#microUsd + cost;
  }
}

/** Why a model's work cannot be used. */
export type ShortfallReason = keyof typeof reasons;
