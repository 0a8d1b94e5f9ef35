import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../../contract/errors.ts';
import { isObject } from '../../lib/json.ts';
import { redact } from '../../lib/redact.ts';
import { shorten } from '../../lib/static-text.ts';
import { durationInWords } from '../../lib/utc.ts';
import type { TimeLimits } from '../../model/port.ts';
import { errorIn } from './endings.ts';
import { ProviderError, type ProviderErrorOptions } from './provider-error.ts';
import { excerpt, interrupted, invalidReply, type Vendor } from './vendor.ts';
import { type FaultLine, type Verdict, type VerdictName, vendorFaults, verdicts } from './verdicts.ts';

const timeouts = {
  connect: ['provider_connect_timeout', 'No connection to the provider PROVIDER came about within LIMIT.'],
  // Our own limit of connections.
  busy: ['provider_connect_timeout', 'All connections to the provider PROVIDER were in use for LIMIT.'],
  firstByte: ['provider_first_byte_timeout', 'The provider PROVIDER did not begin to answer within LIMIT.'],
  idle: ['provider_idle_timeout', 'The provider PROVIDER fell silent for LIMIT in the middle of the answer.'],
} as const;

/** The longest wait that a vendor may ask for, in milliseconds: asking again after an hour does no harm. */
const maxMs = 3_600_000;

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

/** The failure in a reason for the end, which `meaningOf` says is one. `body` is the object with the reason. */
export function failureOf(
  vendor: Vendor,
  model: string,
  reason: string,
  body: { readonly [field: string]: unknown },
): ProviderError {
  const { error } = body;
  return errorOfObject(vendor, model, isObject(error) ? error : { ...body, code: reason });
}

/** Its code says more than its type. */
function verdictOfName(error: VendorError): VerdictName | null {
  for (const name of error.names) {
    const verdict = verdictIn(vendorFaults().named, null, { ...error, names: [name] });
    if (verdict !== null) return verdict;
  }
  return null;
}

function verdictOfStatus(status: number, error: VendorError): VerdictName {
  return verdictIn(vendorFaults().reply, status, error) ?? 'failed';
}

/** The verdict of the first line that matches; null if none does. `status` null: the reply says that all is well. */
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
  const parts = { PROVIDER: JSON.stringify(vendor.id), MODEL: JSON.stringify(model), SAID: said };
  // At once, as what a vendor says may hold such a word.
  const text = message.replace(/PROVIDER|MODEL|SAID/g, (part) => parts[part as keyof typeof parts]);
  return new ProviderError(code, text, {
    ...options,
    ...(name === 'unknownModel' && { param: 'model' }),
    ...(tooLong && { tooLong }),
    ...(name === 'quotaSpent' && { retryable: false, shouldRetry: false }),
    worthRetrying: retry,
    outage,
  });
}

/** No page, no broken JSON, no events, and nothing long. */
const plainText = /^(?![<{[]|data:|event:)(?!.*<[/!a-z]).{1,2000}$/is;

const isFailure = (status: unknown): status is number => typeof status === 'number' && status >= 400;

interface VendorError {
  readonly message: string;
  /** Its `code` and `type`, where they are text. */
  readonly names: readonly string[];
  /** Its `code` or `status`, where it is a number: OpenRouter and Gemini give the status there; else what Google's word for it stands for. */
  readonly number: number | null;
  /** How long it asks to be left alone, in milliseconds; null where it does not say so itself. */
  readonly waitMs: number | null;
}

/**
 * Reads an error reply: `{error: {message, type, code}}` of OpenAI and Anthropic, the same in an array of Gemini,
 * `{error: "…"}` of Ollama, and `{message}` or `{detail}` of others, within which Mistral and servers in Python list the
 * problems. Without JSON only a plain text of moderate length is a message: an error page is not for the client.
 */
function readError(body: string): VendorError {
  let reply: unknown;
  try {
    reply = JSON.parse(body);
  } catch {
    return readObject(plainText.exec(body.trim())?.[0]);
  }
  return readObject(errorIn(reply) ?? reply);
}

function readObject(value: unknown): VendorError {
  if (typeof value === 'string') return { message: value, names: [], number: null, waitMs: null };
  const { details, code, type, status, metadata } = (isObject(value) ? value : {}) as Named;
  const inner = isObject(metadata) ? rawIn(metadata['raw']) : '';
  return {
    message: [wordsIn(value), inner].filter((text) => text !== '').join(': '),
    names: [code, type, isDayQuota(details) && 'insufficient_quota'].filter(
      (name) => typeof name === 'string',
    ),
    number: [code, status].find(isFailure) ?? googleStatuses.get(status) ?? null,
    waitMs: retryDelayIn(details),
  };
}

/** https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto */
const googleStatuses: ReadonlyMap<unknown, number> = new Map([
  ...(['INVALID_ARGUMENT', 'FAILED_PRECONDITION', 'OUT_OF_RANGE'] as const).map(
    (name) => [name, 400] as const,
  ),
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 404],
  ['ABORTED', 409],
  ['RESOURCE_EXHAUSTED', 429],
  ['UNIMPLEMENTED', 501],
  ['UNAVAILABLE', 503],
  ['DEADLINE_EXCEEDED', 504],
]);

/** Where vendors say in words what is wrong; the first that says anything holds. */
const places = ['message', 'msg', 'detail', 'error', 'errors', 'error_msg', 'errorMessage', 'Message'];
const maxWithin = 5;

/** The message of an error: its text, or those of the first errors that it lists, each with its place. */
function wordsIn(value: unknown, within = 0): string {
  if (typeof value === 'string') return within === 0 ? '' : value;
  if (within > maxWithin || typeof value !== 'object' || value === null) return '';
  const inner = Array.isArray(value) ? value.slice(0, 3) : places.map((name) => (value as Named)[name]);
  const words = inner.map((one: unknown) => wordsIn(one, within + 1)).filter((text) => text !== '');
  if (Array.isArray(value)) return words.join('; ');
  const { loc: place } = value as Named;
  return Array.isArray(place) && words[0] ? `${place.join('.')}: ${words[0]}` : (words[0] ?? '');
}

type Named = Readonly<Record<string, unknown>>;

/** The message of the vendor behind OpenRouter (https://openrouter.ai/docs/api/reference/errors-and-debugging); pages are not for clients. */
function rawIn(raw: unknown): string {
  if (typeof raw !== 'string' || raw.trimStart().startsWith('<')) return '';
  try {
    return wordsIn(JSON.parse(raw));
  } catch {
    return raw;
  }
}

/**
 * How long Google asks to be left alone, in milliseconds from 0 to an hour; null where it does not say. It says so in the
 * error's details and not in a header (`google.rpc.RetryInfo`,
 * https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto).
 */
function retryDelayIn(details: unknown): number | null {
  const delay = detailsOf(details, 'RetryInfo').map(({ retryDelay }) => retryDelay)[0];
  const [, seconds] = typeof delay === 'string' ? (/^(\d+(?:\.\d+)?)s$/.exec(delay) ?? []) : [];
  return seconds === undefined ? null : Math.min(maxMs, Math.round(Number(seconds) * 1000));
}

/** Whether it is the quota of the day that is spent, for which no delay that is named helps. */
function isDayQuota(details: unknown): boolean {
  return detailsOf(details, 'QuotaFailure').some(
    ({ violations }) =>
      Array.isArray(violations) &&
      violations.some((violation) => isObject(violation) && /PerDay/.test(String(violation['quotaId']))),
  );
}

function detailsOf(details: unknown, type: string): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(details)) return [];
  return details
    .filter(isObject)
    .filter((detail) => detail['@type'] === `type.googleapis.com/google.rpc.${type}`);
}

/** The phase in which a request waits for a vendor; each has a time limit. */
export type Phase = 'connect' | 'firstByte' | 'idle';

/** A time limit ran out. `busy`: while it waited for one of our own connections, which is no outage of the vendor. */
export function timeoutError(vendor: Vendor, phase: Phase | 'busy', limits: TimeLimits): ProviderError {
  const [code, text] = timeouts[phase];
  const message = text
    .replace('PROVIDER', () => JSON.stringify(vendor.id))
    .replace('LIMIT', durationInWords(limits[phase === 'busy' ? 'connect' : phase]));
  return new ProviderError(code, message, { outage: phase !== 'busy' });
}

/** An error of undici, in the contract's terms. `answering`: whether the reply's head has arrived. */
export function transportError(
  vendor: Vendor,
  error: Error & { readonly code?: unknown },
  limits: TimeLimits,
  answering: boolean,
): ServiceError {
  const code = String(error.code ?? '');
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return timeoutError(vendor, 'connect', limits);
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED')
    return new ServiceError('shutting_down', 'The server is stopping and takes no new requests.');
  // Not the parser's error as it is: it holds the bytes that it stumbled over.
  if (error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW')
    return invalidReply(vendor, 'something that is not HTTP', error.message);
  if (answering) return interrupted(vendor, error);
  const refusedBy = proxyStatusOf(error);
  if (refusedBy !== null) return refusedByProxy(vendor, refusedBy, error);
  const message = `The provider ${JSON.stringify(vendor.id)} could not be reached, or broke the connection before it answered.`;
  return new ProviderError('provider_unreachable', message, { outage: true, cause: error });
}

/** With what a proxy has refused to connect, as undici says it; null: that was not it. */
export function proxyStatusOf({ message }: Error): number | null {
  const [, status] = /^Proxy response \((\d{3})\)/.exec(message) ?? [];
  return status === undefined ? null : Number(status);
}

/** Retrying helps only if the proxy itself has failed: it would repeat a refusal. */
function refusedByProxy(vendor: Vendor, status: number, cause: Error): ProviderError {
  const message = `The provider ${JSON.stringify(vendor.id)} could not be reached: the outbound proxy of this server answers ${status} instead of connecting.`;
  const mayPass = status >= 500 && { retryable: true };
  const lasts = { worthRetrying: false, retryable: false, shouldRetry: false };
  return new ProviderError('provider_unreachable', message, { outage: true, cause, ...(mayPass || lasts) });
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * How long a server asks to be left alone, in milliseconds from 0 to an hour; null where it does not say. Reads `retry-after-ms`, which
 * OpenAI and Azure send, and `retry-after` as seconds or as an HTTP date (RFC 9110, section 10.2.3).
 */
export function retryAfter(headers: Headers, now = Date.now()): number | null {
  const asked =
    duration(headers['retry-after-ms'], 1) ?? duration(headers['retry-after'], 1000) ?? date(headers, now);
  return asked === null ? null : Math.min(asked, maxMs);
}

function duration(value: string | string[] | undefined, unit: number): number | null {
  return typeof value === 'string' && /^\s*\d+(\.\d*)?\s*$/.test(value) ? Number(value) * unit : null;
}

function date(headers: Headers, now: number): number | null {
  const value = headers['retry-after'];
  // `Date.parse` makes a date of nearly everything, `-5` included.
  const at = typeof value === 'string' && value.endsWith('GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
