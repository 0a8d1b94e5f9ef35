/** Tokens as the ledger keeps them. */
import { inputTokens, type TokenUsage } from '../../model/token-usage.ts';
import { byName, type TokenColumn, tokenColumns } from '../../store/token-columns.ts';

/** The ledger's columns of tokens; null where there was nothing to count. */
export function columnsOf(tokens: TokenUsage | null): Record<TokenColumn, number | null> {
  if (tokens === null) return uncounted;
  return {
    prompt_tokens: inputTokens(tokens),
    completion_tokens: tokens.output,
    cached_tokens: tokens.cacheRead,
    reasoning_tokens: tokens.reasoning,
    cache_write_5m_tokens: tokens.cacheWrite5m,
    cache_write_1h_tokens: tokens.cacheWrite1h,
    audio_prompt_tokens: tokens.audioIn,
    audio_completion_tokens: tokens.audioOut,
    image_prompt_tokens: tokens.imageIn,
    image_completion_tokens: tokens.imageOut,
  };
}

export const uncounted: Readonly<Record<TokenColumn, null>> = byName(tokenColumns, () => null);

/** The tokens of a request or of many, in the terms of reports. */
export interface TokenSums {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Of those of the prompt. */
  readonly cachedTokens: number;
  /** Of those of the answer. */
  readonly reasoningTokens: number;
  /** Of those of the prompt. */
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly audioPromptTokens: number;
  /** Of those of the answer. */
  readonly audioCompletionTokens: number;
  readonly imagePromptTokens: number;
  readonly imageCompletionTokens: number;
}

/** The tokens of a row; what an older version has not counted is 0. */
export function sumsIn(row: Readonly<Record<TokenColumn, number | null>>): TokenSums {
  return {
    promptTokens: row.prompt_tokens ?? 0,
    completionTokens: row.completion_tokens ?? 0,
    cachedTokens: row.cached_tokens ?? 0,
    reasoningTokens: row.reasoning_tokens ?? 0,
    cacheWrite5mTokens: row.cache_write_5m_tokens ?? 0,
    cacheWrite1hTokens: row.cache_write_1h_tokens ?? 0,
    audioPromptTokens: row.audio_prompt_tokens ?? 0,
    audioCompletionTokens: row.audio_completion_tokens ?? 0,
    imagePromptTokens: row.image_prompt_tokens ?? 0,
    imageCompletionTokens: row.image_completion_tokens ?? 0,
  };
}

/** The same by class. */
export function tokensOf(sums: TokenSums): TokenUsage {
  const { promptTokens, cachedTokens, cacheWrite5mTokens, cacheWrite1hTokens } = sums;
  return {
    inputUncached: promptTokens - cachedTokens - cacheWrite5mTokens - cacheWrite1hTokens,
    cacheRead: cachedTokens,
    cacheWrite5m: cacheWrite5mTokens,
    cacheWrite1h: cacheWrite1hTokens,
    output: sums.completionTokens,
    reasoning: sums.reasoningTokens,
    audioIn: sums.audioPromptTokens,
    audioOut: sums.audioCompletionTokens,
    imageIn: sums.imagePromptTokens,
    imageOut: sums.imageCompletionTokens,
  };
}
