import type { ServiceError } from '../../../../contract/errors.ts';
import { objectOf, openAiResponsesErrors } from '../../openai-responses/client/errors.ts';
import type { WireErrors } from '../../wire.ts';

/** A failure in the middle of a stream: the SDKs throw at the first event that has an `error`. */
export function openAiErrorEvent(error: ServiceError, requestId: string): string {
  return `data: ${JSON.stringify({ error: objectOf(error, requestId) })}\n\n`;
}

/** How Chat Completions and Completions say what went wrong: as Responses does, but for streams. */
export const openAiChatErrors: WireErrors = {
  reply: openAiResponsesErrors.reply,
  event: openAiErrorEvent,
  breaksOff: true,
  ping: ': ping\n\n',
};
