import type { ServiceError } from '../../contract/errors.ts';
import type { WireErrors } from '../wire.ts';
import { errorOnWire } from './error-object.ts';

/** A failure in the middle of a stream: the SDKs throw at the first event that has an `error`. */
export function openAiErrorEvent(error: ServiceError, requestId: string): string {
  return `data: ${JSON.stringify({ error: errorOnWire(error, requestId).object })}\n\n`;
}

/** How Chat Completions and Completions say what went wrong. */
export const openAiChatErrors: WireErrors = {
  reply(error, requestId) {
    const { status, object } = errorOnWire(error, requestId);
    return { status, body: { error: object }, headers: {} };
  },
  event: openAiErrorEvent,
  ping: ': ping\n\n',
};
