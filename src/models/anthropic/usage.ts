import type { Usage } from '@anthropic-ai/sdk/resources/messages/messages';
import { isObject } from '../../lib/is-object.ts';
import type { VendorUsage } from '../port.ts';
import { tokenUsage } from '../token-usage.ts';
import { count, type Untrusted } from '../wire/untrusted.ts';

/**
 * Tokens, null when the vendor gave none. On this wire `input_tokens` leaves out what concerns the cache. Writes to the
 * cache whose lifetime is not told are for 5 minutes, the default.
 */
export function readUsage(usage: Untrusted<Usage>): VendorUsage {
  const input = count(usage?.input_tokens);
  const output = count(usage?.output_tokens);
  if (input === null || output === null) return null;
  const forAnHour = count(usage?.cache_creation?.ephemeral_1h_input_tokens) ?? 0;
  const shortly = count(usage?.cache_creation?.ephemeral_5m_input_tokens) ?? 0;
  const written = count(usage?.cache_creation_input_tokens) ?? shortly + forAnHour;
  return tokenUsage({
    inputUncached: input,
    cacheRead: count(usage?.cache_read_input_tokens) ?? 0,
    cacheWrite5m: Math.max(0, written - forAnHour),
    cacheWrite1h: Math.min(forAnHour, written),
    output,
    reasoning: count(usage?.output_tokens_details?.thinking_tokens) ?? 0,
  });
}

/**
 * Usage in a stream comes with `message_start` and again, cumulative, with `message_delta`, where a field that is null has
 * not changed.
 */
export class StreamedUsage {
  readonly #fields: { [field: string]: unknown } = Object.create(null);

  merge(more: unknown): void {
    if (!isObject(more)) return;
    for (const [field, value] of Object.entries(more)) if (value != null) this.#fields[field] = value;
  }

  get told(): VendorUsage {
    return readUsage(this.#fields as Untrusted<Usage>);
  }
}
