import type { IncomingHttpHeaders } from 'node:http';
import { redact } from '../../lib/redact.ts';
import { retryAfter } from '../../lib/retry-after.ts';
import { shorten } from '../../lib/shorten.ts';
import { isDayQuota, retryDelayIn } from './google-errors.ts';
import { ProviderError, type ProviderErrorOptions } from './provider-error.ts';
import { excerpt, type Vendor } from './vendor.ts';
import { type FaultLine, namedFaults, replyFaults } from './vendor-faults.ts';
import { type Verdict, type VerdictName, verdicts } from './verdicts.ts';

// The SDKs' `APIError.generate` is not used: it keeps the reply's headers and whole body as fields of the error, puts
// the vendor's text into the message as it is, and importing an SDK costs about 30 MB.

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
  const verdict = verdictOfName(error) ?? verdictOfStatus(error.number ?? 500, error);
  return build(vendor, model, verdict, error, {
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

/** Its code says more than its type. */
function verdictOfName(error: VendorError): VerdictName | null {
  for (const name of error.names) {
    const verdict = verdictIn(namedFaults, null, { ...error, names: [name] });
    if (verdict !== null) return verdict;
  }
  return null;
}

function verdictOfStatus(status: number, error: VendorError): VerdictName {
  return verdictIn(replyFaults, status, error) ?? 'failed';
}

/** What the first line says that holds; null where none does. `status` null: the reply says that all is well. */
function verdictIn(
  lines: readonly FaultLine[],
  status: number | null,
  error: VendorError,
): VerdictName | null {
  return lines.find((line) => holds(line, status, error))?.verdict ?? null;
}

function holds(line: FaultLine, status: number | null, { names, message }: VendorError): boolean {
  if (line.status && !line.status.some((range) => status !== null && isWithin(status, range))) return false;
  if (line.names && !names.some((name) => line.names?.includes(name))) return false;
  return line.words === undefined || line.words.test(message);
}

function isWithin(status: number, range: number | readonly [number, number]): boolean {
  return typeof range === 'number' ? status === range : range[0] <= status && status <= range[1];
}

function build(
  vendor: Vendor,
  model: string,
  name: VerdictName,
  error: VendorError,
  options: ProviderErrorOptions,
): ProviderError {
  const { code, retry, outage, tooLong, message }: Verdict = verdicts[name];
  const said = shorten(redact(error.message.slice(0, 20_000), vendor.apiKey), 500) || 'it gave no reason.';
  return new ProviderError(code, message(JSON.stringify(vendor.id), JSON.stringify(model), said), {
    ...options,
    ...(name === 'unknownModel' && { param: 'model' }),
    ...(tooLong && { tooLong }),
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
  readonly number: number | null;
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
  if (typeof value === 'string') return { message: value, names: [], number: null, waitMs: null };
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
    number: typeof code === 'number' && code >= 400 ? code : null,
    waitMs: retryDelayIn(details),
  };
}
