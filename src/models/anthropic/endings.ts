import type { Message } from '@anthropic-ai/sdk/resources/messages/messages';
import type { FinishReason } from '../../../generated/types.gen.ts';
import { isObject } from '../../lib/is-object.ts';
import type { EndReason } from '../port.ts';
import type { Untrusted } from '../wire/untrusted.ts';
import { invalidReply, type Vendor } from '../wire/vendor.ts';

/** How an answer ended, and what is said of it. */
export interface AnthropicEnd {
  readonly finishReason: FinishReason;
  readonly endReason: EndReason;
  readonly stopSequence?: string;
}

/** Where it ended, as a message or its last event tells; values are unchecked. */
export type ToldEnd = Pick<NonNullable<Untrusted<Message>>, 'stop_reason' | 'stop_sequence' | 'stop_details'>;

/** A reason that is unknown to us counts as the model being done. Throws `ProviderError` where there is none. */
export function endOf(vendor: Vendor, told: ToldEnd, callsTools: boolean): AnthropicEnd {
  const { stop_reason: reason, stop_sequence: sequence } = told;
  if (typeof reason !== 'string') throw invalidReply(vendor, 'an answer without a stop reason', reason);
  const endReason = endReasonOf(reason, callsTools);
  return {
    finishReason: finishReasonOf(endReason, callsTools),
    endReason,
    ...(endReason === 'stop_sequence' && typeof sequence === 'string' && { stopSequence: sequence }),
  };
}

export function endReasonOf(reason: string, callsTools: boolean): EndReason {
  return reasons.get(reason) ?? (callsTools ? 'tool_calls' : 'stop');
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
  if (reason === 'refusal') return 'content_filter';
  if (reason === 'length' || reason === 'context_window') return 'length';
  return callsTools ? 'tool_calls' : 'stop';
}
