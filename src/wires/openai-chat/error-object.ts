import type { ErrorCode } from '../../../generated/types.gen.ts';
import type { ServiceError } from '../../contract/errors.ts';

/** The error object of OpenAI, with what of ours may stand beside its four fields. */
export interface ErrorOnWire {
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

/** OpenAI's words for our codes, where it has some (https://platform.openai.com/docs/guides/error-codes). */
const named: Partial<Record<ErrorCode, Named>> = {
  model_not_found: { type: 'invalid_request_error', code: 'model_not_found', status: 404 },
  missing_api_key: invalidKey,
  invalid_api_key: invalidKey,
  insufficient_scope: { type: 'invalid_request_error', code: 'insufficient_permissions' },
  provider_overloaded: overloaded,
  provider_unavailable: overloaded,
  buffers_full: overloaded,
  too_many_streams: overloaded,
};

/** How vendors say that a conversation does not fit into the model's context. */
const tooLong =
  /context[ _-](?:length|window)|maximum context|prompt is too long|input is too long|input token count .{0,80}exceeds|too many (?:input )?tokens|exceeds? the (?:available )?context/i;

/** What OpenAI calls such an error. */
function nameOf(error: ServiceError): Named {
  const { code, info } = error;
  if (code === 'provider_rejected' && tooLong.test(error.message)) return contextLength;
  if (info.status === 429) {
    // What is spent for days is not to be asked again in a moment.
    if (!error.retryable) return quota;
    const spent = error.limits.find(({ remaining }) => remaining === 0)?.name;
    return { type: spent === 'tokens' ? 'tokens' : 'requests', code: 'rate_limit_exceeded' };
  }
  const given = named[code];
  if (given) return given;
  if (info.status >= 500) return { type: 'server_error', code: 'server_error' };
  return { type: 'invalid_request_error', code };
}

/** An error as OpenAI's object and under OpenAI's status. */
export function errorOnWire(
  error: ServiceError,
  requestId: string,
): { readonly status: number; readonly object: ErrorOnWire } {
  const { type, code, status } = nameOf(error);
  const object = {
    message: error.message,
    type,
    param: error.param,
    code,
    request_id: requestId,
    retryable: error.retryable,
  };
  return { status: status ?? error.info.status, object };
}
