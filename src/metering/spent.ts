import type { ToolCall, Usage } from '../../generated/types.gen.ts';
import { estimatePromptTokens, estimateTokens } from '../lib/tokens.ts';
import type { Served, UnroutedCall, VendorUsage } from '../models/port.ts';
import { inputTokens, type TokenUsage } from '../models/token-usage.ts';
import type { ModelUse } from './admission.ts';

/** What the estimate of an answer's tokens counts. */
export function answerText(content: string, toolCalls: readonly ToolCall[]): string {
  return toolCalls.reduce(
    (text, call) => `${text} ${call.function.name} ${call.function.arguments}`,
    content,
  );
}

/** Tokens in the contract's terms, in which the prompt includes what concerns the cache. */
export function usageOnWire(tokens: TokenUsage, source: Usage['source']): Usage {
  const prompt = inputTokens(tokens);
  return {
    prompt_tokens: prompt,
    completion_tokens: tokens.output,
    total_tokens: prompt + tokens.output,
    prompt_tokens_details: { cached_tokens: tokens.cacheRead },
    completion_tokens_details: { reasoning_tokens: tokens.reasoning },
    source,
  };
}

/** The usage of a call: as the vendor counted it, else estimated from the prompt and the answer's text. */
export async function usageOf(counted: VendorUsage, call: UnroutedCall, answer: string): Promise<Usage> {
  if (counted) return usageOnWire(counted, 'provider');
  const prompt = await estimatePromptTokens(call);
  const completion = Math.min(await estimateTokens(answer), call.maxTokens ?? Number.POSITIVE_INFINITY);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
    source: 'estimated',
  };
}

/** Tokens that are set aside for the answer of a call that names no maximum. */
const unstatedMaxTokens = 4096;

/** An upper bound of what a call may use: its prompt, estimated, and the longest answer it asks for. */
export async function maxTokensOf(call: UnroutedCall): Promise<number> {
  return (await estimatePromptTokens(call)) + (call.maxTokens ?? unstatedMaxTokens);
}

/** The tokens of two calls together. One that was estimated makes the sum an estimate. */
export function sumOfUsage(one: Usage | null, other: Usage): Usage {
  if (one === null) return other;
  return {
    prompt_tokens: one.prompt_tokens + other.prompt_tokens,
    completion_tokens: one.completion_tokens + other.completion_tokens,
    total_tokens: one.total_tokens + other.total_tokens,
    prompt_tokens_details: {
      cached_tokens: one.prompt_tokens_details.cached_tokens + other.prompt_tokens_details.cached_tokens,
    },
    completion_tokens_details: {
      reasoning_tokens:
        one.completion_tokens_details.reasoning_tokens + other.completion_tokens_details.reasoning_tokens,
    },
    source: one.source === 'provider' ? other.source : 'estimated',
  };
}

/** What the calls of models in one request have used so far, also when it fails in the end. */
export interface Spent {
  /** Who answered last. */
  served: Served | null;
  /** Of all calls together; null: there was none. */
  usage: Usage | null;
  /** Of each call. */
  readonly uses: ModelUse[];
}

export function nothingSpent(): Spent {
  return { served: null, usage: null, uses: [] };
}

/** Adds what a call used to the rest. */
export function spend(spent: Spent, { provider, model, usage }: ModelUse): void {
  spent.usage = sumOfUsage(spent.usage, usage);
  spent.uses.push({ provider, model, usage });
}
