import type { ResponseError } from 'openai/resources/responses/responses';
import type { ErrorCode } from '../../../../../generated/types.gen.ts';
import type { ServiceError } from '../../../../contract/errors.ts';
import type { WireErrors } from '../../wire.ts';
import { stateOf } from './answer.ts';
import { EventWriter } from './event-writer.ts';

/** The error object of OpenAI, with what of ours may stand beside its four fields. */
interface ErrorOnWire {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
  readonly request_id: string;
  readonly retryable: boolean;
}

interface Named {
  readonly type: string;
  readonly code: string;
  /** OpenAI's, where it differs from ours. */
  readonly status?: number;
}

const contextLength: Named = { type: 'invalid_request_error', code: 'context_length_exceeded', status: 400 };
const quota: Named = { type: 'insufficient_quota', code: 'insufficient_quota' };
const overloaded: Named = { type: 'server_error', code: 'server_is_overloaded' };
const invalidKey: Named = { type: 'invalid_request_error', code: 'invalid_api_key' };

const previousNotFound: Named = { type: 'invalid_request_error', code: 'previous_response_not_found' };

/** OpenAI's words for our codes, where it has some (https://platform.openai.com/docs/guides/error-codes). */
const named: Partial<Record<ErrorCode, Named>> = {
  model_not_found: { type: 'invalid_request_error', code: 'model_not_found', status: 404 },
  missing_api_key: invalidKey,
  invalid_api_key: invalidKey,
  insufficient_scope: { type: 'invalid_request_error', code: 'insufficient_permissions' },
  provider_overloaded: overloaded,
  provider_unavailable: overloaded,
  buffers_full: overloaded,
  overloaded,
  too_many_streams: overloaded,
};

function nameOf(error: ServiceError): Named {
  const { code, info } = error;
  if (error.tooLong) return contextLength;
  if (info.status === 429) {
    // A quota that is spent for days must not be retried in a moment.
    if (!error.retryable || (code === 'rate_limited' && error.shouldRetry === false)) return quota;
    const spent = error.limits.find(({ remaining }) => remaining === 0)?.name;
    return { type: spent === 'tokens' ? 'tokens' : 'requests', code: 'rate_limit_exceeded' };
  }
  // OpenAI's SDKs for agents go by this one, and send the whole conversation.
  if (error.details[0]?.code === previousNotFound.code) return previousNotFound;
  const given = named[code];
  if (given) return given;
  if (info.status >= 500) return { type: 'server_error', code: 'server_error' };
  return { type: 'invalid_request_error', code };
}

/** Codex reads out of the message how long it has to wait. */
function messageOf(error: ServiceError, { code }: Named): string {
  if (code !== 'rate_limit_exceeded' || error.retryAfter === undefined) return error.message;
  if (/try again in \d/i.test(error.message)) return error.message;
  return `${error.message} Please try again in ${error.retryAfter}s.`;
}

export function objectOf(error: ServiceError, requestId: string): ErrorOnWire {
  const name = nameOf(error);
  return {
    message: messageOf(error, name),
    type: name.type,
    param: error.param,
    code: name.code,
    request_id: requestId,
    retryable: error.retryable,
  };
}

/**
 * The error of a response that has failed. Its codes are others: Codex gives up on `context_length_exceeded`,
 * `insufficient_quota` and `invalid_prompt`, and sends the request again for everything else.
 */
export function failureOf(error: ServiceError): ResponseError {
  const name = nameOf(error);
  const invalid = name.type === 'invalid_request_error' && name !== contextLength;
  const code = invalid ? 'invalid_prompt' : name.code;
  return { code: code as ResponseError['code'], message: messageOf(error, name) };
}

export const openAiResponsesErrors: WireErrors = {
  reply(error, requestId) {
    const status = nameOf(error).status ?? error.info.status;
    return { status, body: { error: objectOf(error, requestId) }, headers: {} };
  },
  event(error, requestId) {
    const events = new EventWriter(unknownFrame(requestId));
    const state = stateOf({ status: 'failed', error: failureOf(error) });
    return events.error(objectOf(error, requestId)) + events.response('response.failed', state);
  },
  breaksOff: false,
  ping: ': ping\n\n',
};

/** Of a response that was not made here, or has not begun, nothing is known. */
function unknownFrame(requestId: string): ConstructorParameters<typeof EventWriter>[0] {
  return {
    id: `resp_${requestId}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    access_programs: null,
    instructions: null,
    metadata: {},
    model: '',
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
  };
}
