import type { ToolCall, Usage, Warning } from '../../../generated/types.gen.ts';
import type { DryTokens } from '../../contract/dry-run.ts';
import { estimatePromptTokens, estimateTokens } from '../../lib/tokens.ts';
import type { Served, UnroutedCall, VendorUsage } from '../../model/port.ts';
import { type CountedTokens, inputTokens, sumOfTokens, tokenUsage } from '../../model/usage.ts';
import type { TokenBound } from './budget-needs.ts';

/** The text that the estimate of an answer's tokens counts. */
export function answerText(content: string, toolCalls: readonly ToolCall[]): string {
  return toolCalls.reduce(
    (text, call) => `${text} ${call.function.name} ${call.function.arguments}`,
    content,
  );
}

/**
 * Tokens in the contract's terms, in which the prompt includes what concerns the cache. Classes that most answers have none of
 * are left out where they are 0.
 */
export function usageView({ tokens, source }: CountedTokens): Usage {
  const prompt = inputTokens(tokens);
  const { cacheWrite5m, cacheWrite1h, audioIn, imageIn, audioOut, imageOut } = tokens;
  return {
    prompt_tokens: prompt,
    completion_tokens: tokens.output,
    total_tokens: prompt + tokens.output,
    prompt_tokens_details: {
      cached_tokens: tokens.cacheRead,
      ...(cacheWrite5m > 0 && { cache_write_5m_tokens: cacheWrite5m }),
      ...(cacheWrite1h > 0 && { cache_write_1h_tokens: cacheWrite1h }),
      ...(audioIn > 0 && { audio_tokens: audioIn }),
      ...(imageIn > 0 && { image_tokens: imageIn }),
    },
    completion_tokens_details: {
      reasoning_tokens: tokens.reasoning,
      ...(audioOut > 0 && { audio_tokens: audioOut }),
      ...(imageOut > 0 && { image_tokens: imageOut }),
    },
    source,
  };
}

/** A step's usage, stored in the contract's terms. */
export function countedIn({
  prompt_tokens: prompt,
  completion_tokens: output,
  prompt_tokens_details: read,
  completion_tokens_details: written,
  source,
}: Usage): CountedTokens {
  const { cached_tokens: cacheRead, cache_write_5m_tokens: cacheWrite5m = 0 } = read;
  const { cache_write_1h_tokens: cacheWrite1h = 0 } = read;
  const tokens = {
    inputUncached: prompt - cacheRead - cacheWrite5m - cacheWrite1h,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h,
    output,
    reasoning: written.reasoning_tokens,
    audioIn: read.audio_tokens ?? 0,
    audioOut: written.audio_tokens ?? 0,
    imageIn: read.image_tokens ?? 0,
    imageOut: written.image_tokens ?? 0,
  };
  return { tokens, source };
}

/** The usage of a call: as the vendor counted it, else estimated from the prompt and the answer's text. */
export async function usageOf(
  counted: VendorUsage,
  call: UnroutedCall,
  answer: string,
  length = answer.length,
): Promise<CountedTokens> {
  if (counted) return { tokens: counted, source: 'provider' };
  const prompt = await estimatePromptTokens(call);
  const tokens = await estimateTokens(answer);
  const estimate = answer === '' ? 0 : Math.ceil((tokens * length) / answer.length);
  const completion = Math.min(estimate, call.maxTokens ?? Number.POSITIVE_INFINITY);
  return { tokens: tokenUsage({ inputUncached: prompt, output: completion }), source: 'estimated' };
}

/** Tokens that are set aside for the answer of a call that names no maximum. */
export const unstatedMaxTokens = 4096;

/** An upper bound of what a call may use: its prompt, estimated, and the longest answer it asks for. */
export async function maxTokensOf(call: UnroutedCall): Promise<TokenBound> {
  return { prompt: await estimatePromptTokens(call), answer: call.maxTokens ?? unstatedMaxTokens };
}

/** The tokens of a call, before it is made. */
export async function tokensBefore(call: UnroutedCall): Promise<DryTokens> {
  return { prompt: await estimatePromptTokens(call), maxCompletion: call.maxTokens ?? null };
}

/** The tokens of two calls together. One that was estimated makes the sum an estimate. */
export function sumOfUsage(one: CountedTokens | null, other: CountedTokens): CountedTokens {
  if (one === null) return other;
  const source = one.source === 'provider' ? other.source : 'estimated';
  return { tokens: sumOfTokens(one.tokens, other.tokens), source };
}

/** The usage of one call of a model. */
export interface ModelUse {
  readonly provider: string;
  readonly model: string;
  readonly usage: CountedTokens;
}

/** The usage of a request's calls of models so far, also when it fails in the end. */
export interface Spent {
  /** Who answered last. */
  served: Served | null;
  /** Of all calls together; null: there was none. */
  usage: CountedTokens | null;
  /** Of each call. */
  readonly uses: ModelUse[];
  /** The warnings of the calls, each once. */
  readonly warnings: Warning[];
}

export function nothingSpent(): Spent {
  return { served: null, usage: null, uses: [], warnings: [] };
}

/** Notes who answers a call, and what it was warned of. */
export function answeredBy(spent: Spent, served: Served): void {
  spent.served = served;
  for (const warning of served.warnings) {
    const { code, param } = warning;
    if (!spent.warnings.some((known) => known.code === code && known.param === param))
      spent.warnings.push(warning);
  }
}

/** Adds what a call used to the rest. */
export function spend(spent: Spent, { provider, model, usage }: ModelUse): void {
  spent.usage = sumOfUsage(spent.usage, usage);
  spent.uses.push({ provider, model, usage });
}
