import type { Message } from '@anthropic-ai/sdk/resources/messages/messages';
import type { FinishReason } from '../../../../../generated/types.gen.ts';
import { isObject } from '../../../../lib/json.ts';
import type { EndReason } from '../../../../model/port.ts';
import { meaningOf } from '../../../upstream/endings.ts';
import type { Untrusted } from '../../../upstream/vendor.ts';
import { invalidReply, type Vendor } from '../../../upstream/vendor.ts';
import { failureOf } from '../../../upstream/vendor-errors.ts';

/** How an answer ended, and what is said of it. */
export interface AnthropicEnd {
  readonly finishReason: FinishReason;
  readonly endReason: EndReason;
  readonly stopSequence?: string;
}

/** Where it ended, as a message or its last event tells; values are unchecked. */
export type ToldEnd = Pick<NonNullable<Untrusted<Message>>, 'stop_reason' | 'stop_sequence' | 'stop_details'>;

/**
 * A reason that is unknown to us counts as the model being done, and so does none of an answer that is whole all the same. Throws
 * `ProviderError` for a reason that says that there is no answer, and where neither a reason nor an answer is told.
 * @param said whether anything of an answer was told
 */
export function endOf(
  { vendor, model }: { readonly vendor: Vendor; readonly model: string },
  told: ToldEnd,
  { callsTools, said }: { readonly callsTools: boolean; readonly said: boolean },
): AnthropicEnd {
  const { stop_reason: reason, stop_sequence: sequence } = told;
  if (typeof (reason ?? '') !== 'string' || (reason == null && !said))
    throw invalidReply(vendor, 'an answer without a stop reason', reason);
  if (typeof reason === 'string' && meaningOf(reason) === 'failed')
    throw failureOf(vendor, model, reason, {});
  const endReason = endReasonOf(reason as string | null | undefined, callsTools);
  return {
    finishReason: finishReasonOf(endReason, callsTools),
    endReason,
    ...(endReason === 'stop_sequence' && typeof sequence === 'string' && { stopSequence: sequence }),
  };
}

/** For a reason that tells no failure. */
export function endReasonOf(reason: string | null | undefined, callsTools: boolean): EndReason {
  const meaning = reason == null ? null : (reasons.get(reason) ?? meaningOf(reason));
  if (meaning !== null && meaning !== 'failed' && meaning !== 'stop' && meaning !== 'tool_calls')
    return meaning;
  return callsTools ? 'tool_calls' : 'stop';
}

/** Why the answer was refused, in words for the client; empty where the vendor does not say. */
export function refusalIn({ stop_reason: reason, stop_details: details }: ToldEnd): string {
  if (reason !== 'refusal' || !isObject(details)) return '';
  const explanation: unknown = details['explanation'];
  return typeof explanation === 'string' ? explanation : '';
}

const reasons: ReadonlyMap<string, EndReason> = new Map([
  ['refusal', 'refusal'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'context_window'],
  ['stop_sequence', 'stop_sequence'],
  ['pause_turn', 'pause'],
]);

function finishReasonOf(reason: EndReason, callsTools: boolean): FinishReason {
  if (reason === 'refusal' || reason === 'content_filter') return 'content_filter';
  if (reason === 'length' || reason === 'context_window') return 'length';
  return callsTools ? 'tool_calls' : 'stop';
}
