import type {
  FinishReason as GeminiFinish,
  GenerateContentResponseUsageMetadata,
  ModalityTokenCount,
} from '@google/genai';
import type { FinishReason } from '../../../../../generated/types.gen.ts';
import { isObject } from '../../../../lib/json.ts';
import type { EndReason, VendorUsage } from '../../../../model/port.ts';
import { count, tokenUsage } from '../../../../model/usage.ts';
import { endedBy } from '../../../upstream/endings.ts';
import { ProviderError } from '../../../upstream/provider-error.ts';
import { excerpt, type Untrusted, type Vendor } from '../../../upstream/vendor.ts';

/** Why an answer ended, as the vendor reported it. */
export interface Finish {
  readonly reason: string;
  /** The vendor's own words for it, where it has any. */
  readonly message: string | null;
  /** Whether it is the prompt that was blocked, so that there is no answer at all. */
  readonly blocked: boolean;
}

type Name = `${GeminiFinish}`;

const filters: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
] satisfies Name[]);

/** The model failed to write its output; the fragment is no answer. */
const failures: ReadonlySet<string> = new Set([
  // Not in the SDK yet: https://ai.google.dev/api/generate-content#FinishReason
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
] satisfies (Name | 'MISSING_THOUGHT_SIGNATURE')[]);

/** Whether the prompt was blocked: the default of the reason, which some answers spell out, says that it was not. */
export function isBlocked(reason: unknown): reason is string {
  return typeof reason === 'string' && reason !== 'BLOCK_REASON_UNSPECIFIED' && reason !== '';
}

/** The reason in our words. One that is unknown to us counts as the model being done, unless it said nothing at all. */
export function endReasonOf(
  finish: Finish,
  answer: { readonly calls: boolean; readonly empty: boolean },
): EndReason {
  const { reason, blocked } = finish;
  if (blocked || filters.has(reason)) return 'content_filter';
  if (reason === ('MAX_TOKENS' satisfies Name)) return 'length';
  if (reason === ('CONTINUATION' satisfies Name)) return 'pause';
  if (answer.calls) return 'tool_calls';
  return answer.empty && reason !== ('STOP' satisfies Name) ? 'content_filter' : 'stop';
}

/** The same in the words of the contract. Here a pause is a length that was reached. */
export function finishReasonOf(reason: EndReason): FinishReason {
  return reason === 'pause' ? 'length' : endedBy(reason, reason === 'tool_calls').finishReason;
}

/** The text in place of an answer that was withheld, so that it does not look empty. */
export function withheldText({ reason, message, blocked }: Finish): string {
  if (message) return message;
  return blocked
    ? `The provider blocked the prompt (${reason}).`
    : `The provider withheld the answer (${reason}).`;
}

/** Throws `ProviderError` where the reason says that the model failed. Another attempt may do better. */
export function requireAnswer(vendor: Vendor, finish: Finish): void {
  if (!failures.has(finish.reason)) return;
  const message = `The model of the provider ${JSON.stringify(vendor.id)} wrote no valid answer (${finish.reason}).`;
  throw new ProviderError('provider_invalid_response', message, {
    worthRetrying: true,
    cause: new Error(`The provider said: ${excerpt(vendor, finish.message ?? finish.reason)}`),
  });
}

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
