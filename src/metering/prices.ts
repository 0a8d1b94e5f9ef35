/** What a model's tokens cost, in US dollars for a million of them: the same as millionths of a dollar for one. */
export interface Price {
  readonly prompt: number;
  readonly completion: number;
  /** For prompt tokens that the provider read from its cache; as `prompt` where it is not given. */
  readonly cachedPrompt?: number;
}

export interface Tokens {
  readonly prompt: number;
  readonly completion: number;
  /** Among those of the prompt. */
  readonly cached: number;
}

/** Finds the price of a model at a provider; null where none is known. */
export type PriceOf = (provider: string, model: string) => Price | null;

/** Cost in whole millionths of a US dollar. Null where no price is known: unknown is not free. */
export function costOf(price: Price | null, { prompt, completion, cached }: Tokens): number | null {
  if (price === null) return null;
  const { prompt: full, completion: out, cachedPrompt = full } = price;
  return Math.round((prompt - cached) * full + cached * cachedPrompt + completion * out);
}
