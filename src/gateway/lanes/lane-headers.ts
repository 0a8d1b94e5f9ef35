import type { Warning } from '../../../generated/types.gen.ts';
import type { Served } from '../../model/port.ts';
import type { WireContext } from './wire-context.ts';

/**
 * Headers of a client that never reach a vendor: those of the connection (RFC 9110, section 7.6.1) and of the body, which are made
 * again; credentials; those that identify the client and its origin; and our own.
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

export type Lane = 'native' | 'translated';

/** Maximum length of the header of warnings, in characters: proxies refuse long ones. */
const maxWarningsLength = 2000;

/** The facts about a reply on a foreign interface that its body has no place for. */
export function laneHeaders(
  { provider, warnings }: Pick<Served, 'provider' | 'warnings'>,
  lane: Lane,
): Record<string, string> {
  const header = warningsHeader(warnings);
  return {
    'x-switchyard-provider': provider,
    'x-switchyard-lane': lane,
    ...(header !== '' && { 'x-switchyard-warnings': header }),
  };
}

/** The codes of the warnings, each with the field that it is about: `field_dropped;param=top_k, temperature_ignored`. */
export function warningsHeader(warnings: readonly Warning[]): string {
  let header = '';
  for (const { code, param } of warnings) {
    const about =
      param === null || param === undefined ? '' : `;param=${param.replaceAll(/[^\w.[\]-]/g, '_')}`;
    const next = header === '' ? code + about : `${header}, ${code}${about}`;
    if (next.length > maxWarningsLength) return header;
    header = next;
  }
  return header;
}

/** The client's headers that are forwarded to a vendor that speaks its wire: all that are not ours to keep, betas included. */
export function forwardedHeaders(headers: WireContext['headers']): Record<string, string> {
  const forwarded: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || kept.has(name) || keptPrefixes.some((prefix) => name.startsWith(prefix)))
      continue;
    forwarded[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return forwarded;
}
