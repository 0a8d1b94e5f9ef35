import type { Usage } from '../../generated/types.gen.ts';

/**
 * The tokens of an answer, each token in one class, so that each can have a price of its own. Vendors count in different
 * ways (Anthropic leaves the cache out of its input, OpenAI does not; Gemini leaves thinking out of its answer): the
 * readers of their wires bring all of them to this form.
 */
export interface TokenUsage {
  /** Of the prompt, neither read from a cache nor written to one. Includes images and audio. */
  readonly inputUncached: number;
  /** Of the prompt, read from the vendor's cache. */
  readonly cacheRead: number;
  /** Of the prompt, written to the vendor's cache for 5 minutes. */
  readonly cacheWrite5m: number;
  /** Of the prompt, written to the vendor's cache for an hour. */
  readonly cacheWrite1h: number;
  /** Of the answer, thinking included. */
  readonly output: number;
  /** Among `output`: thinking. */
  readonly reasoning: number;
  /** Among `inputUncached`: audio. */
  readonly audioIn: number;
  /** Among `output`: audio. */
  readonly audioOut: number;
  /** Among `inputUncached`: images, where the vendor counts them. */
  readonly imageIn: number;
  /** Among `output`: images, where the vendor counts them. */
  readonly imageOut: number;
}

/** Tokens, and who has counted them. */
export interface CountedTokens {
  readonly tokens: TokenUsage;
  readonly source: Usage['source'];
}

export const noTokens: TokenUsage = {
  inputUncached: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  audioIn: 0,
  audioOut: 0,
  imageIn: 0,
  imageOut: 0,
};

/** Usage with a vendor's counts; of a part (reasoning, audio, images) never more than its whole. */
export function tokenUsage(told: Partial<TokenUsage>): TokenUsage {
  const usage = { ...noTokens, ...told };
  return {
    ...usage,
    reasoning: Math.min(usage.reasoning, usage.output),
    audioIn: Math.min(usage.audioIn, usage.inputUncached),
    audioOut: Math.min(usage.audioOut, usage.output),
    imageIn: Math.min(usage.imageIn, usage.inputUncached),
    imageOut: Math.min(usage.imageOut, usage.output),
  };
}

/** The tokens of two answers together, class by class. */
export function sumOfTokens(one: TokenUsage, other: TokenUsage): TokenUsage {
  const sum = { ...one } as { -readonly [Class in keyof TokenUsage]: number };
  for (const name of Object.keys(noTokens) as (keyof TokenUsage)[]) sum[name] += other[name];
  return sum;
}

/** All tokens of the prompt. */
export function inputTokens({ inputUncached, cacheRead, cacheWrite5m, cacheWrite1h }: TokenUsage): number {
  return inputUncached + cacheRead + cacheWrite5m + cacheWrite1h;
}

/** All tokens of the prompt and the answer. */
export function totalTokens(usage: TokenUsage): number {
  return inputTokens(usage) + usage.output;
}

/** More tokens than any model takes or gives; the sums of such counts stay exact. */
const maxCounted = 2 ** 31;

/** A count that a vendor gave: a whole number from 0 to 2^31, else null. */
export function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxCounted
    ? value
    : null;
}
