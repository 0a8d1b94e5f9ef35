import type { ErrorCode } from '../../../../../generated/types.gen.ts';
import type { ServiceError } from '../../../../contract/errors.ts';
import type { WireErrors } from '../../wire.ts';

interface Kind {
  readonly status: number;
  readonly type: string;
}

/** https://platform.claude.com/docs/en/api/errors */
const types: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [408, 'timeout_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);

/** Where this wire has another status than ours. */
const statuses: Partial<Record<ErrorCode, number>> = { model_not_found: 404 };

/** Overloaded is 529 here. */
const overloaded = new Map([[503, 529]]);

function kindOf({ code, info }: ServiceError): Kind {
  const status = statuses[code] ?? overloaded.get(info.status) ?? info.status;
  return { status, type: types.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error') };
}

/**
 * The words by which Claude Code knows that it has to compact the conversation
 * (https://github.com/musistudio/claude-code-router/issues/1799).
 */
const promptTooLong = /prompt is too long/i;

function bodyOf(error: ServiceError, type: string, requestId: string) {
  const { code, param, message, retryable } = error;
  const named = param === null || message.includes(param) ? message : `${param}: ${message}`;
  const said = error.tooLong && !promptTooLong.test(named) ? `prompt is too long: ${named}` : named;
  const details = param === 'thread' ? { details: threadRefused } : {};
  return {
    type: 'error',
    error: { type, message: said, code, param, retryable, ...details },
    request_id: requestId,
  };
}

/**
 * By which Anthropic's own clients know that a conversation has to come whole with each request, and go on so
 * (`unsupportedFeatures` in lib/internal/threads/ThreadState of @anthropic-ai/sdk 1.11).
 */
const threadRefused = { error_code: 'thread_unsupported_request', unsupported: ['thread'] } as const;

export const anthropicErrors: WireErrors = {
  reply(error, requestId) {
    const { status, type } = kindOf(error);
    return { status, body: bodyOf(error, type, requestId), headers: { 'request-id': requestId } };
  },
  event(error, requestId) {
    const { type } = kindOf(error);
    return `event: error\ndata: ${JSON.stringify(bodyOf(error, type, requestId))}\n\n`;
  },
  breaksOff: false,
  ping: 'event: ping\ndata: {"type": "ping"}\n\n',
};
