import { operations } from '../../../generated/operations.gen.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { LimitState, LimitStatus } from '../../contract/limit-state.ts';
import type { WireCall, WireConventions, WireName } from '../../contract/wire-operations.ts';
import { isObject } from '../../lib/json.ts';
import type { VendorWire } from '../../model/parts.ts';
import type { VendorSaid } from '../upstream/native-reply.ts';
import { anthropicErrors } from '../wires/anthropic/client/errors.ts';
import { geminiErrors } from '../wires/gemini/client/errors.ts';
import { openAiChatErrors } from '../wires/openai-chat/client/errors.ts';
import type { Body, WireErrors } from '../wires/wire.ts';
import { generationWire } from './generation-wires.ts';

const errors = {
  openai: openAiChatErrors,
  anthropic: anthropicErrors,
  gemini: geminiErrors,
} as const satisfies Record<string, WireErrors>;

/** How an operation of a vendor's interface says what goes wrong, and that it is still there. */
export function conventionsOf(call: Pick<WireCall, 'operation' | 'query'>): WireConventions {
  const { wire } = operations[call.operation];
  if (wire === 'mcp') throw new Error(`${call.operation} is on no interface of a vendor.`);
  const { reply, event, breaksOff, ping } = generationWire(call)?.errors ?? errors[wire];
  return {
    ping,
    brokenOff: event,
    breaksOff,
    error(error, requestId) {
      const written = reply(error, requestId);
      return {
        ...written,
        headers: {
          ...written.headers,
          ...idHeaders(wire, requestId),
          ...rateHeaders(wire, error.limits),
          ...retry(error),
        },
      };
    },
    headers: (requestId, limits) => ({ ...idHeaders(wire, requestId), ...rateHeaders(wire, limits) }),
  };
}

/** How the clients of a wire know an error, and a conversation that is too long for the model. */
const forms: Readonly<Record<VendorWire, { isError(body: Body): boolean; readonly tooLong: RegExp }>> = {
  'openai-chat': { isError: openAiError, tooLong: /context_length_exceeded/ },
  'openai-responses': { isError: openAiError, tooLong: /context_length_exceeded/ },
  anthropic: {
    isError: ({ type, error }) => type === 'error' && isObject(error) && typeof error['type'] === 'string',
    tooLong: /prompt is too long/i,
  },
  gemini: {
    isError: ({ error }) => isObject(error) && typeof error['status'] === 'string',
    tooLong: /input token count/i,
  },
};

function openAiError({ error }: Body): boolean {
  return isObject(error) && typeof error['message'] === 'string';
}

/**
 * Whether the clients of a wire understand what a vendor says against a request. Servers that speak a wire for compatibility may
 * have errors in a form of their own, and in words of their own for a conversation that is too long, which clients shorten then.
 */
export function isUnderstood(wire: VendorWire, { body }: VendorSaid, thrown: unknown): boolean {
  const { isError, tooLong } = forms[wire];
  if (thrown instanceof ServiceError && thrown.tooLong && !tooLong.test(body)) return false;
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) && isError(value);
  } catch {
    return false;
  }
}

/** Anthropic's clients read the id of a request under a name of their own. */
function idHeaders(wire: keyof typeof errors, requestId: string): Record<string, string> {
  return wire === 'anthropic' ? { 'request-id': requestId } : {};
}

/** A request that has failed after all our attempts should not be retried by the client. */
function retry(error: ServiceError): Record<string, string> {
  const spent = error.code.startsWith('provider_') && error.code !== 'provider_rate_limited';
  return spent && error.info.status >= 500 && error.shouldRetry === undefined
    ? { 'x-should-retry': 'false' }
    : {};
}

/**
 * The headers by which a vendor reports the state of its limits, beside those of all replies, which are OpenAI's
 * (https://docs.anthropic.com/en/api/rate-limits#response-headers). Google has none.
 */
export function rateHeaders(wire: WireName, state: LimitState): Record<string, string> {
  if (wire !== 'anthropic') return {};
  const headers: Record<string, string> = {};
  const requests =
    state.find(({ name }) => name === 'minute') ??
    state.find(({ name }) => name === 'day' || name === 'month');
  if (requests) Object.assign(headers, anthropicHeaders('requests', requests));
  const tokens = state.find(({ name }) => name === 'tokens');
  if (tokens) Object.assign(headers, anthropicHeaders('tokens', tokens));
  return headers;
}

function anthropicHeaders(kind: string, { limit, remaining, resetMs }: LimitStatus): Record<string, string> {
  const reset = new Date(Date.now() + (resetMs ?? 0));
  return {
    [`anthropic-ratelimit-${kind}-limit`]: String(limit),
    [`anthropic-ratelimit-${kind}-remaining`]: String(remaining),
    [`anthropic-ratelimit-${kind}-reset`]: `${reset.toISOString().slice(0, 19)}Z`,
  };
}
