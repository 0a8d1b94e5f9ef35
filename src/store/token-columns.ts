/**
 * The columns in which ledger and daily sums count tokens, each a class of them. Tokens neither read from a cache nor
 * written to one have no column: they are the rest of `prompt_tokens`.
 */
export const tokenColumns = [
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'reasoning_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'audio_prompt_tokens',
  'audio_completion_tokens',
  'image_prompt_tokens',
  'image_completion_tokens',
] as const;

export type TokenColumn = (typeof tokenColumns)[number];

/** The columns of a settlement that describe the end, beside its status. */
export const endColumns = [
  ...(['http_status', 'model', 'provider'] as const),
  ...tokenColumns,
  ...(['usage_source', 'cost_micro_usd', 'error_code', 'finish_reason', 'first_byte_ms'] as const),
  ...(['total_ms', 'attempts', 'warnings', 'settled_at'] as const),
] as const;

/** The columns that a row of the daily sums adds up. */
export const sumColumns = [
  'requests',
  'succeeded',
  'failed',
  'cancelled',
  'interrupted',
  ...tokenColumns,
  'cost_micro_usd',
  'unpriced',
] as const;

export type SumColumn = (typeof sumColumns)[number];

/** An object with the same value under each of the names. */
export function byName<Name extends string, Value>(
  names: readonly Name[],
  value: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>;
}
