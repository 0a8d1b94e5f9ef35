import type { FinishReason, ModalityTokenCount } from '@google/genai';
import type { EndReason } from '../../../../model/port.ts';
import { inputTokens, type TokenUsage } from '../../../../model/usage.ts';

/** How the answer ended, for `candidates[0]`. */
interface GeminiEnd {
  readonly finishReason: `${FinishReason}`;
  readonly finishMessage?: string;
}

const reasons: Readonly<Record<EndReason, `${FinishReason}`>> = {
  stop: 'STOP',
  stop_sequence: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  context_window: 'MAX_TOKENS',
  content_filter: 'SAFETY',
  refusal: 'SAFETY',
  pause: 'OTHER',
};

/** @param malformed name of a function that was called with something else than an object; null: there is none */
export function endOf(reason: EndReason, malformed: string | null): GeminiEnd {
  const finishReason = reasons[reason];
  // A call that was cut off is no fault of the model.
  if (malformed === null || finishReason !== 'STOP') return { finishReason };
  return {
    finishReason: 'MALFORMED_FUNCTION_CALL',
    finishMessage: `The arguments of a call of ${malformed} are no JSON object.`,
  };
}

interface Details {
  readonly modality: 'TEXT' | 'AUDIO' | 'IMAGE';
  readonly tokenCount: NonNullable<ModalityTokenCount['tokenCount']>;
}

/** Here the prompt includes what was read from a cache, and thoughts are counted beside the answer. Zeros are left out. */
export function usageMetadata(usage: TokenUsage): object {
  const prompt = inputTokens(usage);
  const candidates = usage.output - usage.reasoning;
  return {
    promptTokenCount: prompt,
    ...(candidates > 0 && { candidatesTokenCount: candidates }),
    totalTokenCount: prompt + usage.output,
    ...(usage.cacheRead > 0 && { cachedContentTokenCount: usage.cacheRead }),
    promptTokensDetails: details(prompt, usage.audioIn, usage.imageIn),
    ...(candidates > 0 && { candidatesTokensDetails: details(candidates, usage.audioOut, usage.imageOut) }),
    ...(usage.reasoning > 0 && { thoughtsTokenCount: usage.reasoning }),
  };
}

function details(all: number, audio: number, images: number): Details[] {
  return [
    { modality: 'TEXT' as const, tokenCount: Math.max(0, all - audio - images) },
    { modality: 'AUDIO' as const, tokenCount: audio },
    { modality: 'IMAGE' as const, tokenCount: images },
  ].filter(({ tokenCount }) => tokenCount > 0);
}
