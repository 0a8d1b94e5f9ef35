import { operations } from '../../../generated/operations.gen.ts';
import type { ServiceError } from '../../contract/errors.ts';
import type { WireCall, WireConventions } from '../../contract/wire-operations.ts';
import { anthropicErrors } from '../wires/anthropic/client/errors.ts';
import { geminiErrors } from '../wires/gemini/client/errors.ts';
import { openAiChatErrors } from '../wires/openai-chat/client/errors.ts';
import { rateHeaders } from '../wires/rate-headers.ts';
import type { WireErrors } from '../wires/wire.ts';
import { generationWire } from './generation-wires.ts';

const errors = {
  openai: openAiChatErrors,
  anthropic: anthropicErrors,
  gemini: geminiErrors,
} as const satisfies Record<string, WireErrors>;

/** How an operation says what goes wrong, and that it is still there. */
export function conventionsOf(call: Pick<WireCall, 'operation' | 'query'>): WireConventions {
  const { wire } = operations[call.operation];
  const { reply, event, breaksOff, ping } = generationWire(call)?.errors ?? errors[wire];
  return {
    ping,
    brokenOff: event,
    breaksOff,
    error(error, requestId) {
      const told = reply(error, requestId);
      return {
        ...told,
        headers: {
          ...told.headers,
          ...idHeaders(wire, requestId),
          ...rateHeaders(wire, error.limits),
          ...retry(error),
        },
      };
    },
    headers: (requestId, limits) => ({ ...idHeaders(wire, requestId), ...rateHeaders(wire, limits) }),
  };
}

/** Anthropic's clients read the id of a request under a name of their own. */
function idHeaders(wire: keyof typeof errors, requestId: string): Record<string, string> {
  return wire === 'anthropic' ? { 'request-id': requestId } : {};
}

/** What has failed after all attempts of ours is not to be sent again by the client's own. */
function retry(error: ServiceError): Record<string, string> {
  const spent = error.code.startsWith('provider_') && error.code !== 'provider_rate_limited';
  return spent && error.info.status >= 500 && error.shouldRetry === undefined
    ? { 'x-should-retry': 'false' }
    : {};
}
