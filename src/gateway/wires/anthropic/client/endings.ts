import type { RefusalStopDetails, StopReason } from '@anthropic-ai/sdk/resources/messages/messages';
import type { Ending, EndReason } from '../../../../model/port.ts';

export interface EndOnWire {
  readonly stop_reason: StopReason;
  readonly stop_sequence: string | null;
  readonly stop_details: RefusalStopDetails | null;
}

const stopReasons: Readonly<Record<EndReason, StopReason>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
  refusal: 'refusal',
  stop_sequence: 'stop_sequence',
  context_window: 'model_context_window_exceeded',
  pause: 'pause_turn',
};

/**
 * Why an answer ended.
 * @param refusal what was said in place of an answer; empty: nothing
 */
export function endOnWire(
  { endReason, stopSequence }: Pick<Ending, 'endReason' | 'stopSequence'>,
  refusal: string,
): EndOnWire {
  const reason = refusal === '' ? stopReasons[endReason] : 'refusal';
  return {
    stop_reason: reason,
    stop_sequence: reason === 'stop_sequence' ? (stopSequence ?? null) : null,
    stop_details:
      reason === 'refusal' ? { type: 'refusal', category: null, explanation: refusal || null } : null,
  };
}
