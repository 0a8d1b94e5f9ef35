import type { VendorUsage } from '../port.ts';

/**
 * Token counts in the contract's shape. Of the parts (`cached`, `reasoning`) no more than the whole is reported, and
 * the total is always the sum.
 */
export function usageOf(prompt: number, completion: number, cached: number, reasoning: number): VendorUsage {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: Math.min(cached, prompt) },
    completion_tokens_details: { reasoning_tokens: Math.min(reasoning, completion) },
  };
}
