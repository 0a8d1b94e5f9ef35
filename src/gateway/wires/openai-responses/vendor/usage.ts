import type { ResponseUsage } from 'openai/resources/responses/responses';
import type { VendorUsage } from '../../../../model/port.ts';
import { tokenUsage } from '../../../../model/token-usage.ts';
import { count, type Untrusted } from '../../../upstream/untrusted.ts';

/**
 * Tokens, null when the vendor gave none. On this wire the input includes what concerns the cache, and the output the
 * reasoning. OpenAI's caches keep for 30 minutes or 12 hours: the longer is counted as the longer of ours.
 */
export function readUsage(received: unknown): VendorUsage {
  const usage = received as Untrusted<ResponseUsage>;
  const input = count(usage?.input_tokens);
  const total = count(usage?.total_tokens);
  const output = count(usage?.output_tokens) ?? (total === null ? null : Math.max(0, total - (input ?? 0)));
  if (input === null || output === null) return null;
  const { input_tokens_details: read, output_tokens_details: written } = usage ?? {};
  const cacheRead = Math.min(count(read?.cached_tokens) ?? 0, input);
  const cacheWrite = Math.min(count(read?.cache_write_tokens) ?? 0, input - cacheRead);
  const cacheWrite1h = Math.min(count(read?.cache_write_tokens_details?.ttl_12h_tokens) ?? 0, cacheWrite);
  return tokenUsage({
    inputUncached: input - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite5m: cacheWrite - cacheWrite1h,
    cacheWrite1h,
    output,
    reasoning: count(written?.reasoning_tokens) ?? 0,
  });
}
