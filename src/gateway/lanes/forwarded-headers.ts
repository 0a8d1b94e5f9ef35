import type { WireContext } from './wire-context.ts';

/**
 * Headers of a client that never reach a vendor: those of the connection (RFC 9110, section 7.6.1) and of the body, which are made
 * anew; credentials; what tells who the client is and where it came from; and our own.
 */
const kept: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'expect',
  'accept',
  'accept-encoding',
  'content-type',
  'content-length',
  'content-encoding',
  'content-digest',
  'authorization',
  'api-key',
  'x-api-key',
  'x-goog-api-key',
  'cookie',
  'origin',
  'referer',
  'via',
  'forwarded',
  'x-real-ip',
  'true-client-ip',
  'x-client-ip',
  'x-request-id',
  'x-amzn-trace-id',
  'traceparent',
  'tracestate',
  'baggage',
  'idempotency-key',
  // The accounts are the operator's.
  'openai-organization',
  'openai-project',
  'x-goog-user-project',
  // An id of the installation that Gemini CLI sends.
  'x-gemini-api-privileged-user-id',
]);
const keptPrefixes = [
  'proxy-',
  'x-forwarded-',
  'sec-',
  'cf-',
  'x-switchyard-',
  'x-envoy-',
  'x-amz-',
  'x-azure-',
];

/** What of a client's headers goes on to a vendor that speaks its wire: all that is not ours to keep, betas among it. */
export function forwardedHeaders(headers: WireContext['headers']): Record<string, string> {
  const forwarded: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || kept.has(name) || keptPrefixes.some((prefix) => name.startsWith(prefix)))
      continue;
    forwarded[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return forwarded;
}
