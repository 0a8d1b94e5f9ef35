import type { CompletionUsage } from 'openai/resources/completions';
import type { VendorUsage } from '../port.ts';
import { tokenUsage } from '../token-usage.ts';
import { count, type Untrusted } from '../wire/untrusted.ts';

type Usage = CompletionUsage & {
  /** DeepSeek's name for cached tokens. */
  prompt_cache_hit_tokens: number;
};

/**
 * Tokens, null when the vendor gave none. On this wire the prompt includes what concerns the cache, and the completion
 * the reasoning; Gemini and xAI leave the reasoning out of the completion but not of the total, which tells on them.
 */
export function readUsage(received: unknown): VendorUsage {
  const usage = received as Untrusted<Usage>;
  const prompt = count(usage?.prompt_tokens);
  if (prompt === null) return null;
  const total = count(usage?.total_tokens);
  const given = count(usage?.completion_tokens);
  if (given === null && total === null) return null;
  const hidden = Math.max(0, (total ?? 0) - prompt - (given ?? 0));
  const { prompt_tokens_details: read, completion_tokens_details: written } = usage ?? {};
  const reasoning = count(written?.reasoning_tokens) ?? 0;
  const cached = count(read?.cached_tokens) ?? count(usage?.prompt_cache_hit_tokens) ?? 0;
  const cacheRead = Math.min(cached, prompt);
  const cacheWrite5m = Math.min(count(read?.cache_write_tokens) ?? 0, prompt - cacheRead);
  return tokenUsage({
    inputUncached: prompt - cacheRead - cacheWrite5m,
    cacheRead,
    cacheWrite5m,
    // Where the vendor gave no completion at all, what is missing from the total is the answer.
    output: (given ?? 0) + hidden,
    reasoning: given === null ? reasoning : Math.max(reasoning, hidden),
    audioIn: count(read?.audio_tokens) ?? 0,
    imageIn: count(read?.image_tokens) ?? 0,
    audioOut: count(written?.audio_tokens) ?? 0,
  });
}
