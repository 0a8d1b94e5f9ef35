import type { TokenUsage } from '../models/token-usage.ts';

/**
 * What a model's tokens cost, in US dollars for a million of them: the same as millionths of a dollar for one. A class without a
 * price of its own costs what the class costs that it belongs to, as it does at the vendors unless they say otherwise.
 */
export interface Price {
  readonly prompt: number;
  readonly completion: number;
  /** For prompt tokens that the provider read from its cache; else as `prompt`. */
  readonly cachedPrompt?: number;
  /** For prompt tokens that the provider wrote to its cache for five minutes; else as `prompt`. */
  readonly cacheWrite5m?: number;
  /** The same for an hour; else as those for five minutes. */
  readonly cacheWrite1h?: number;
  /** For audio in the prompt; else as `prompt`. */
  readonly audioPrompt?: number;
  /** For images in the prompt; else as `prompt`. */
  readonly imagePrompt?: number;
  /** For thinking; else as `completion`. */
  readonly reasoning?: number;
  /** For audio in the answer; else as `completion`. */
  readonly audioCompletion?: number;
  /** For images in the answer; else as `completion`. */
  readonly imageCompletion?: number;
}

/** Finds the price of a model at a provider; null where none is known. */
export type PriceOf = (provider: string, model: string) => Price | null;

/** Cost in whole millionths of a US dollar. Null where no price is known: unknown is not free. */
export function costOf(price: Price | null, tokens: TokenUsage): number | null {
  if (price === null) return null;
  const { prompt, completion } = price;
  const written = price.cacheWrite5m ?? prompt;
  // What belongs to a class costs what it does more than the rest, so that no token counts twice.
  const input =
    tokens.inputUncached * prompt +
    tokens.audioIn * more(price.audioPrompt, prompt) +
    tokens.imageIn * more(price.imagePrompt, prompt) +
    tokens.cacheRead * (price.cachedPrompt ?? prompt) +
    tokens.cacheWrite5m * written +
    tokens.cacheWrite1h * (price.cacheWrite1h ?? written);
  const output =
    tokens.output * completion +
    tokens.reasoning * more(price.reasoning, completion) +
    tokens.audioOut * more(price.audioCompletion, completion) +
    tokens.imageOut * more(price.imageCompletion, completion);
  return Math.max(0, Math.round(input + output));
}

function more(price: number | undefined, than: number): number {
  return price === undefined ? 0 : price - than;
}
