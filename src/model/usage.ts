import type { Usage } from '../../generated/types.gen.ts';

/** The provider that is always there, is no language model and costs nothing. */
export const sandboxId = 'sandbox';

/**
 * The prices of a model's tokens, in US dollars for a million of them: the same as millionths of a dollar for one. A class
 * without a price of its own costs the same as the class that it belongs to, as it does at the vendors unless they say
 * otherwise.
 */
export interface Rates {
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

/** Rates for all tokens of a request whose prompt is longer than others'. */
export interface Tier extends Rates {
  /** It holds where the whole prompt has more tokens than this. */
  readonly above: number;
}

/** The rates of a model, by the length of the prompt. */
export interface Price extends Rates {
  /** From the shortest prompt to the longest. */
  readonly tiers?: readonly Tier[];
}

/** A price from a time on. */
interface PriceChange {
  /** Milliseconds since the epoch: it holds for requests that were admitted then or later. */
  readonly from: number;
  readonly price: Price;
}

/** The price of a model over time. */
export interface PriceHistory extends Price {
  /** Its changes, the earliest first. */
  readonly changes?: readonly PriceChange[];
}

/** Prices by `provider/model`. */
export type PriceBook = Readonly<Record<string, PriceHistory>>;

/**
 * Finds the price of a model at a provider; null where none is known.
 * @param at when the request was admitted, in milliseconds since the epoch; now if left out
 */
export type PriceOf = (provider: string, model: string, at?: number) => Price | null;

/**
 * Input tokens of a vendor that counts them with those from its cache. xAI at times counts these apart: then they are more than the input,
 * and the total has both (https://github.com/vercel/ai/blob/main/packages/xai/src/responses/convert-xai-responses-usage.ts).
 */
export function wholeInput(input: number, cached: number, output: number, total: number | null): number {
  return cached > input && total !== null && total >= input + cached + output ? input + cached : input;
}

/** Cost in whole millionths of a US dollar, rounded half up. Null where no price is known: unknown is not free. */
export function costOf(price: Price | null, tokens: TokenUsage): number | null {
  if (price === null) return null;
  const rates = exact(ratesFor(price, inputTokens(tokens)));
  let sum = 0n;
  for (const { count, rate } of rates) {
    const number = count(tokens);
    if (number !== 0) sum += BigInt(number) * rate;
  }
  return sum <= 0n ? 0 : Number(divideHalfUp(sum, one));
}

/** The rates for a request with so many tokens in its prompt. */
function ratesFor(price: Price, promptTokens: number): Rates {
  if (price.tiers === undefined) return price;
  return price.tiers.findLast(({ above }) => promptTokens > above) ?? price;
}

/** The price of one token of a class, in billionths of a millionth of a dollar. */
interface ExactRate {
  readonly count: (tokens: TokenUsage) => number;
  readonly rate: bigint;
}

const known = new WeakMap<Rates, readonly ExactRate[]>();

function exact(rates: Rates): readonly ExactRate[] {
  let found = known.get(rates);
  if (found === undefined) {
    found = exactRates(rates);
    known.set(rates, found);
  }
  return found;
}

/** The rate of a class within another is the difference between the two, so that no token counts twice. */
function exactRates(rates: Rates): readonly ExactRate[] {
  const prompt = toBillionths(rates.prompt);
  const completion = toBillionths(rates.completion);
  const or = (rate: number | undefined, whole: bigint) => (rate === undefined ? whole : toBillionths(rate));
  const written = or(rates.cacheWrite5m, prompt);
  const all: readonly ExactRate[] = [
    { count: (tokens) => tokens.inputUncached, rate: prompt },
    { count: (tokens) => tokens.audioIn, rate: or(rates.audioPrompt, prompt) - prompt },
    { count: (tokens) => tokens.imageIn, rate: or(rates.imagePrompt, prompt) - prompt },
    { count: (tokens) => tokens.cacheRead, rate: or(rates.cachedPrompt, prompt) },
    { count: (tokens) => tokens.cacheWrite5m, rate: written },
    { count: (tokens) => tokens.cacheWrite1h, rate: or(rates.cacheWrite1h, written) },
    { count: (tokens) => tokens.output, rate: completion },
    { count: (tokens) => tokens.reasoning, rate: or(rates.reasoning, completion) - completion },
    { count: (tokens) => tokens.audioOut, rate: or(rates.audioCompletion, completion) - completion },
    { count: (tokens) => tokens.imageOut, rate: or(rates.imageCompletion, completion) - completion },
  ];
  return all.filter(({ rate }) => rate !== 0n);
}

/** Who may answer a request that names a model; null: none. Throws for a model without a provider. */
export type TargetsOf = (
  model: string | null,
) => readonly { readonly provider: string; readonly model: string }[];

/** There is no bound on what a request costs: this, as `provider/model`, may answer and has no price. */
export interface Unpriced {
  readonly unpriced: string;
}

/**
 * The most that so many tokens may cost, in whole millionths of a US dollar: every one of its dearest class, at the dearest of who may
 * answer. The sandbox's answers cost nothing.
 */
export function costBound(
  { priceOf, targetsOf }: { readonly priceOf: PriceOf; readonly targetsOf?: TargetsOf | undefined },
  model: string | null,
  tokens: { readonly prompt: number; readonly answer: number },
): number | Unpriced {
  let most = 0;
  for (const target of targetsOf?.(model) ?? []) {
    if (target.provider === sandboxId) continue;
    const price = priceOf(target.provider, target.model);
    if (price === null) return { unpriced: `${target.provider}/${target.model}` };
    // By the tier of the longest prompt that it may have.
    const rates = ratesFor(price, tokens.prompt + tokens.answer);
    const dearest = [price, rates].map(
      (each) => tokens.prompt * dearestPrompt(each) + tokens.answer * dearestAnswer(each),
    );
    most = Math.max(most, ...dearest);
  }
  return Math.ceil(most);
}

const ofPrompts = ['prompt', 'cacheWrite5m', 'cacheWrite1h', 'audioPrompt', 'imagePrompt'] as const;
const ofAnswers = ['completion', 'reasoning', 'audioCompletion', 'imageCompletion'] as const;

const dearestPrompt = (price: Rates) => Math.max(...ofPrompts.map((name) => price[name] ?? 0));

/** Tokens without a class may belong to the prompt. */
const dearestAnswer = (price: Rates) =>
  Math.max(dearestPrompt(price), ...ofAnswers.map((name) => price[name] ?? 0));

/** Decimals of a fraction that is kept. */
const decimals = 9;

/** The value of 1 in these units. */
export const one = 10n ** BigInt(decimals);

/**
 * A number as a whole count of billionths, exactly as it is written in decimal: 0.1 is 100,000,000, which no sum of floating-point
 * numbers promises. Digits beyond nine decimals are rounded half up.
 * @param value finite
 */
export function toBillionths(value: number): bigint {
  const [mantissa = '', power = '0'] = String(Math.abs(value)).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = decimals - fraction.length + Number(power);
  const digits = BigInt(whole + fraction);
  const scaled = shift >= 0 ? digits * 10n ** BigInt(shift) : divideHalfUp(digits, 10n ** BigInt(-shift));
  return value < 0 ? -scaled : scaled;
}

/** The quotient of two whole numbers, rounded half up; both are 0 or more, and the divisor is not 0. */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

/**
 * The tokens of an answer, each token in one class, so that each can have a price of its own. Vendors count in different
 * ways (Anthropic leaves the cache out of its input, OpenAI does not; Gemini leaves thinking out of its answer): the
 * readers of their wires bring all of them to this form.
 */
export interface TokenUsage {
  /** Of the prompt, neither read from a cache nor written to one. Includes images and audio. */
  readonly inputUncached: number;
  /** Of the prompt, read from the vendor's cache. */
  readonly cacheRead: number;
  /** Of the prompt, written to the vendor's cache for 5 minutes. */
  readonly cacheWrite5m: number;
  /** Of the prompt, written to the vendor's cache for an hour. */
  readonly cacheWrite1h: number;
  /** Of the answer, thinking included. */
  readonly output: number;
  /** Among `output`: thinking. */
  readonly reasoning: number;
  /** Among `inputUncached`: audio. */
  readonly audioIn: number;
  /** Among `output`: audio. */
  readonly audioOut: number;
  /** Among `inputUncached`: images, where the vendor counts them. */
  readonly imageIn: number;
  /** Among `output`: images, where the vendor counts them. */
  readonly imageOut: number;
}

/** Tokens, and who has counted them. */
export interface CountedTokens {
  readonly tokens: TokenUsage;
  readonly source: Usage['source'];
}

export const noTokens: TokenUsage = {
  inputUncached: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  audioIn: 0,
  audioOut: 0,
  imageIn: 0,
  imageOut: 0,
};

/** Usage with a vendor's counts; of a part (reasoning, audio, images) never more than its whole. */
export function tokenUsage(counts: Partial<TokenUsage>): TokenUsage {
  const usage = { ...noTokens, ...counts };
  return {
    ...usage,
    reasoning: Math.min(usage.reasoning, usage.output),
    audioIn: Math.min(usage.audioIn, usage.inputUncached),
    audioOut: Math.min(usage.audioOut, usage.output),
    imageIn: Math.min(usage.imageIn, usage.inputUncached),
    imageOut: Math.min(usage.imageOut, usage.output),
  };
}

/** The tokens of two answers together, class by class. */
export function sumOfTokens(one: TokenUsage, other: TokenUsage): TokenUsage {
  const sum = { ...one } as { -readonly [Class in keyof TokenUsage]: number };
  for (const name of Object.keys(noTokens) as (keyof TokenUsage)[]) sum[name] += other[name];
  return sum;
}

/** All tokens of the prompt. */
export function inputTokens({ inputUncached, cacheRead, cacheWrite5m, cacheWrite1h }: TokenUsage): number {
  return inputUncached + cacheRead + cacheWrite5m + cacheWrite1h;
}

/** All tokens of the prompt and the answer. */
export function totalTokens(usage: TokenUsage): number {
  return inputTokens(usage) + usage.output;
}

/** More tokens than any model takes or gives; the sums of such counts stay exact. */
const maxCounted = 2 ** 31;

/** A count that a vendor gave: a whole number from 0 to 2^31, else null. */
export function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxCounted
    ? value
    : null;
}
