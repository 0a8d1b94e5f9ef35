import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorCode } from '../../../generated/types.gen.ts';
import { redact } from '../../lib/redact.ts';
import { retryAfter } from '../../lib/retry-after.ts';
import { shorten } from '../../lib/shorten.ts';
import { ProviderError, type ProviderErrorOptions } from '../provider-error.ts';
import { isDayQuota, retryDelayIn } from './google-errors.ts';
import { excerpt, type Vendor } from './vendor.ts';

// The SDKs' `APIError.generate` is not used: it keeps the reply's headers and whole body as fields of the error, puts
// the vendor's text into the message as it is, and importing an SDK costs about 30 MB.

interface Verdict {
  readonly code: ErrorCode;
  /** Whether asking the same vendor again may help. */
  readonly retry: boolean;
  /** Whether the vendor is out of order, which counts for the breaker. */
  readonly outage: boolean;
  /** What the client reads. `said` is the vendor's own message, redacted; only a rejection may quote it. */
  readonly message: (provider: string, model: string, said: string) => string;
}

const verdicts = {
  rejected: {
    code: 'provider_rejected',
    retry: false,
    outage: false,
    message: (provider, _, said) => `The provider ${provider} refused the request: ${said}`,
  },
  credentials: {
    code: 'provider_credentials_refused',
    retry: false,
    outage: false,
    message: (provider) => `The provider ${provider} refused the credentials of this server.`,
  },
  unknownModel: {
    code: 'model_not_found',
    retry: false,
    outage: false,
    message: (provider, model) => `The provider ${provider} has no model ${model}, or not for this server.`,
  },
  rateLimited: {
    code: 'provider_rate_limited',
    retry: true,
    outage: false,
    message: (provider) => `The provider ${provider} limits how often this server may call it.`,
  },
  quotaSpent: {
    code: 'provider_rate_limited',
    retry: false,
    outage: false,
    message: (provider) => `The quota of this server at the provider ${provider} is spent.`,
  },
  failed: {
    code: 'provider_error',
    retry: true,
    outage: true,
    message: (provider) => `The provider ${provider} failed to answer.`,
  },
  /** It could not serve this request now, which says nothing about the next one. */
  hindered: {
    code: 'provider_error',
    retry: true,
    outage: false,
    message: (provider) => `The provider ${provider} could not serve the request at this moment.`,
  },
  /** Mostly a wrong base URL. */
  misunderstood: {
    code: 'provider_error',
    retry: false,
    outage: false,
    message: (provider) => `The provider ${provider} does not understand this server.`,
  },
  overloaded: {
    code: 'provider_overloaded',
    retry: true,
    outage: true,
    message: (provider) => `The provider ${provider} is overloaded.`,
  },
} as const satisfies Record<string, Verdict>;

type VerdictName = keyof typeof verdicts;

const byStatus: ReadonlyMap<number, VerdictName> = new Map([
  [400, 'rejected'],
  [401, 'credentials'],
  [402, 'credentials'],
  [403, 'credentials'],
  [404, 'unknownModel'],
  [408, 'hindered'],
  [409, 'hindered'],
  [413, 'rejected'],
  [422, 'rejected'],
  [425, 'hindered'],
  [429, 'rateLimited'],
  [503, 'overloaded'],
  [529, 'overloaded'],
]);

/** The `type` or `code` of an error object, as OpenAI, Anthropic and those who speak like them name it. */
const byName: ReadonlyMap<string, VerdictName> = new Map([
  ['invalid_request_error', 'rejected'],
  ['request_too_large', 'rejected'],
  ['context_length_exceeded', 'rejected'],
  ['invalid_prompt', 'rejected'],
  ['invalid_image', 'rejected'],
  ['invalid_image_format', 'rejected'],
  ['invalid_base64_image', 'rejected'],
  ['invalid_image_url', 'rejected'],
  ['image_too_large', 'rejected'],
  ['image_too_small', 'rejected'],
  ['image_parse_error', 'rejected'],
  ['image_content_policy_violation', 'rejected'],
  ['image_file_too_large', 'rejected'],
  ['unsupported_image_media_type', 'rejected'],
  ['failed_to_download_image', 'rejected'],
  ['authentication_error', 'credentials'],
  ['permission_error', 'credentials'],
  ['billing_error', 'credentials'],
  ['invalid_api_key', 'credentials'],
  ['not_found_error', 'unknownModel'],
  ['model_not_found', 'unknownModel'],
  ['rate_limit_error', 'rateLimited'],
  ['rate_limit_exceeded', 'rateLimited'],
  ['insufficient_quota', 'quotaSpent'],
  ['overloaded_error', 'overloaded'],
  ['server_is_overloaded', 'overloaded'],
  ['conflict_error', 'hindered'],
  // Reasons of the end that say that there is no answer.
  ['insufficient_system_resource', 'overloaded'],
  ['network_error', 'hindered'],
]);

/**
 * Rejections that are not about the request: Gemini answers a wrong key with 400 "API key not valid", and Anthropic an
 * empty account with 400 "Your credit balance is too low".
 */
const operatorsFault = /api key (?:not valid|expired|not found)|credit balance is too low/i;

/** The error behind a reply with a status other than 2xx. */
export function errorOfReply(
  vendor: Vendor,
  model: string,
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
): ProviderError {
  const error = readError(body);
  return build(vendor, model, verdictOfStatus(status, error), error, {
    status,
    waitMs: retryAfter(headers) ?? error.waitMs,
    cause: new Error(`The provider answered ${status}: ${excerpt(vendor, body)}`),
  });
}

/** The error object in a reply or a stream that began with 200. */
export function errorOfObject(vendor: Vendor, model: string, value: unknown): ProviderError {
  const error = readObject(value);
  const verdict = error.names.map((name) => byName.get(name)).find((name) => name !== undefined);
  return build(vendor, model, verdict ?? verdictOfStatus(error.status ?? 500, error), error, {
    waitMs: error.waitMs,
    cause: new Error(`The provider sent an error in place of an answer: ${excerpt(vendor, value)}`),
  });
}

/** The error object in a parsed reply, or undefined. Gemini wraps its error replies in an array. */
export function errorIn(reply: unknown): unknown {
  const inner: unknown = Array.isArray(reply) ? reply[0] : reply;
  return typeof inner === 'object' && inner !== null && 'error' in inner
    ? (inner.error ?? undefined)
    : undefined;
}

function verdictOfStatus(status: number, error: VendorError): VerdictName {
  const verdict = byStatus.get(status) ?? (status >= 400 && status < 500 ? 'misunderstood' : 'failed');
  if (verdict === 'rateLimited' && error.names.some((name) => byName.get(name) === 'quotaSpent'))
    return 'quotaSpent';
  if (verdict === 'rejected' && operatorsFault.test(error.message)) return 'credentials';
  return verdict;
}

function build(
  vendor: Vendor,
  model: string,
  name: VerdictName,
  error: VendorError,
  options: ProviderErrorOptions,
): ProviderError {
  const { code, retry, outage, message }: Verdict = verdicts[name];
  const said = shorten(redact(error.message.slice(0, 20_000), vendor.apiKey), 500) || 'it gave no reason.';
  return new ProviderError(code, message(JSON.stringify(vendor.id), JSON.stringify(model), said), {
    ...options,
    ...(name === 'unknownModel' && { param: 'model' }),
    ...(name === 'quotaSpent' && { retryable: false, shouldRetry: false }),
    worthRetrying: retry,
    outage,
  });
}

interface VendorError {
  readonly message: string;
  /** Its `code` and `type`, where they are text. */
  readonly names: readonly string[];
  /** Its `code`, where it is a number: OpenRouter and Gemini give the status there. */
  readonly status: number | null;
  /** How long it asks to be left alone, in milliseconds; null where it does not say so itself. */
  readonly waitMs: number | null;
}

/**
 * Reads an error reply: `{error: {message, type, code}}` of OpenAI and Anthropic, the same in an array of Gemini,
 * `{error: "…"}` of Ollama, and `{message}` or `{detail}` of others. What is not JSON gives no message: an error page
 * is not for the client.
 */
function readError(body: string): VendorError {
  let reply: unknown;
  try {
    reply = JSON.parse(body);
  } catch {
    return readObject(null);
  }
  return readObject(errorIn(reply) ?? reply);
}

function readObject(value: unknown): VendorError {
  if (typeof value === 'string') return { message: value, names: [], status: null, waitMs: null };
  const { message, detail, details, code, type } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as {
    readonly [field: string]: unknown;
  };
  return {
    message: typeof message === 'string' ? message : typeof detail === 'string' ? detail : '',
    names: [code, type, isDayQuota(details) && 'insufficient_quota'].filter(
      (name) => typeof name === 'string',
    ),
    status: typeof code === 'number' && code >= 400 ? code : null,
    waitMs: retryDelayIn(details),
  };
}
