import type { GenerateContentResponseUsageMetadata, ModalityTokenCount } from '@google/genai';
import { isObject } from '../../../../lib/json.ts';
import type { VendorUsage } from '../../../../model/port.ts';
import { count, tokenUsage } from '../../../../model/usage.ts';
import type { Untrusted } from '../../../upstream/vendor.ts';

/**
 * Tokens, null when the vendor gave none. On this wire the prompt includes what was read from a cache, thoughts are counted
 * beside the answer, what tools of the vendor's own gave to the model is counted beside the prompt, and a count of 0 is left
 * out.
 */
export function readUsage(received: unknown): VendorUsage {
  const usage = received as Untrusted<GenerateContentResponseUsageMetadata>;
  const prompt = isObject(usage) ? count(usage.promptTokenCount) : null;
  if (prompt === null) return null;
  const cached = Math.min(count(usage?.cachedContentTokenCount) ?? 0, prompt);
  const tools = count(usage?.toolUsePromptTokenCount) ?? 0;
  const thoughts = count(usage?.thoughtsTokenCount) ?? 0;
  const total = count(usage?.totalTokenCount);
  const answer = count(usage?.candidatesTokenCount) ?? Math.max(0, (total ?? 0) - prompt - tools - thoughts);
  const inPrompt = (modality: string) =>
    ofModality(usage?.promptTokensDetails, modality) - ofModality(usage?.cacheTokensDetails, modality);
  return tokenUsage({
    inputUncached: prompt - cached + tools,
    cacheRead: cached,
    output: answer + thoughts,
    reasoning: thoughts,
    audioIn: Math.max(0, inPrompt('AUDIO')),
    imageIn: Math.max(0, inPrompt('IMAGE')),
    audioOut: ofModality(usage?.candidatesTokensDetails, 'AUDIO'),
    imageOut: ofModality(usage?.candidatesTokensDetails, 'IMAGE'),
  });
}

function ofModality(details: unknown, modality: string): number {
  if (!Array.isArray(details)) return 0;
  let tokens = 0;
  for (const detail of details as Untrusted<ModalityTokenCount>[])
    if (isObject(detail) && detail.modality === modality) tokens += count(detail.tokenCount) ?? 0;
  return tokens;
}
