import type { Usage } from '@anthropic-ai/sdk/resources/messages/messages';
import { isObject } from '../../../../lib/json.ts';
import type { VendorUsage } from '../../../../model/port.ts';
import { count, noTokens, sumOfTokens, type TokenUsage, tokenUsage } from '../../../../model/usage.ts';
import type { Untrusted } from '../../../upstream/vendor.ts';

/**
 * Tokens, null when the vendor gave none. Where the vendor has asked models several times for one answer, it bills what all of
 * them used, of which the fields at the top leave out what condensed the conversation
 * (https://platform.claude.com/docs/en/build-with-claude/compaction#understanding-usage).
 */
export function readUsage(usage: Untrusted<Usage>): VendorUsage {
  const atTop = tokensIn(usage);
  const { iterations } = (usage ?? {}) as Readonly<Record<string, unknown>>;
  if (atTop === null || !Array.isArray(iterations) || iterations.length < 2) return atTop;
  const all = iterations
    .map((iteration: unknown) => (isObject(iteration) ? tokensIn(iteration) : null))
    .reduce<TokenUsage>((sum, tokens) => (tokens === null ? sum : sumOfTokens(sum, tokens)), noTokens);
  return greaterOf(atTop, all);
}

/** Class by class: an iteration may leave out fields that the top has. */
function greaterOf(one: TokenUsage, other: TokenUsage): TokenUsage {
  const greater = { ...one } as { -readonly [Class in keyof TokenUsage]: number };
  for (const name of Object.keys(noTokens) as (keyof TokenUsage)[])
    greater[name] = Math.max(one[name], other[name]);
  return greater;
}

/**
 * On this wire `input_tokens` excludes the cache's tokens. Cache writes of an unstated lifetime are for 5 minutes, the
 * default.
 */
function tokensIn(usage: Untrusted<Usage>): VendorUsage {
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

type Fields = { [field: string]: unknown };

/**
 * Usage in a stream comes with `message_start` and again, cumulative, with `message_delta`, where a field that is null has
 * not changed. Some vendors send zero there for counts that they sent before, which undoes nothing.
 */
export class StreamedUsage {
  readonly #fields: Fields = Object.create(null);

  merge(more: unknown): void {
    if (isObject(more)) mergeInto(this.#fields, more);
  }

  get total(): VendorUsage {
    return readUsage(this.#fields as Untrusted<Usage>);
  }
}

function mergeInto(fields: Fields, more: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(more)) {
    const before = fields[field];
    if (value == null || (value === 0 && before !== undefined)) continue;
    if (isObject(value) && isObject(before)) {
      const merged: Fields = Object.assign(Object.create(null), before);
      mergeInto(merged, value);
      fields[field] = merged;
    } else fields[field] = value;
  }
}
