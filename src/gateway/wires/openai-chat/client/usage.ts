import type { CompletionUsage } from 'openai/resources/completions';
import { inputTokens, type TokenUsage } from '../../../../model/token-usage.ts';

/** Tokens in OpenAI's terms: the prompt includes what concerns the cache, and the completion the reasoning. */
export function usageOnWire(tokens: TokenUsage): CompletionUsage {
  const prompt = inputTokens(tokens);
  const written = tokens.cacheWrite5m + tokens.cacheWrite1h;
  return {
    prompt_tokens: prompt,
    completion_tokens: tokens.output,
    total_tokens: prompt + tokens.output,
    prompt_tokens_details: {
      cached_tokens: tokens.cacheRead,
      audio_tokens: tokens.audioIn,
      ...(written > 0 && { cache_write_tokens: written }),
    },
    completion_tokens_details: {
      reasoning_tokens: tokens.reasoning,
      audio_tokens: tokens.audioOut,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
