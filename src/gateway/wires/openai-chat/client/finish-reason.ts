import type { ChatCompletion } from 'openai/resources/chat/completions/completions';
import type { Ending } from '../../../../model/port.ts';

export type FinishReasonOnWire = ChatCompletion.Choice['finish_reason'];

/**
 * Why an answer ended, in this wire's words. OpenAI calls it `stop` when its models refuse in `refusal`; where a vendor
 * refuses in plain text or with none, `content_filter` is all that can tell it.
 * @param refused whether the answer has a refusal of its own
 */
export function finishReasonOnWire(ending: Ending, refused: boolean): FinishReasonOnWire {
  return ending.endReason === 'refusal' && refused ? 'stop' : ending.finishReason;
}
