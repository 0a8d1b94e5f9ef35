import { type LimitName, type LimitState, type LimitStatus, windowLength } from '../contract/limit-state.ts';

/** On every reply (OWASP HTTP Headers Cheat Sheet). A page brings a policy of its own in place of the first line. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** On a page that its own policy lets others show in a frame, in place of the above. */
export const frameableHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * On every reply of an operation that works without cookies: programs in any web page may call it. Its callers identify
 * themselves by a key in a header, so a foreign page gains nothing from the visitor's browser.
 */
export const corsHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
};

/** In addition, where a page of another origin has asked: its browser says so by `Origin` (Fetch standard, section 3.2). */
export const exposedHeaders: Readonly<Record<string, string>> = {
  'access-control-expose-headers': [
    'x-request-id',
    'retry-after',
    'x-ratelimit-limit-requests',
    'x-ratelimit-remaining-requests',
    'x-ratelimit-reset-requests',
    'x-ratelimit-limit-tokens',
    'x-ratelimit-remaining-tokens',
    'x-ratelimit-reset-tokens',
    'ratelimit-policy',
    'ratelimit',
    'x-should-retry',
    'etag',
    'content-disposition',
    'link',
    'deprecation',
    'location',
    'x-job-id',
    'www-authenticate',
    'request-id',
    'idempotent-replayed',
    'x-switchyard-provider',
    'x-switchyard-lane',
    'x-switchyard-warnings',
    'anthropic-ratelimit-requests-limit',
    'anthropic-ratelimit-requests-remaining',
    'anthropic-ratelimit-requests-reset',
    'anthropic-ratelimit-tokens-limit',
    'anthropic-ratelimit-tokens-remaining',
    'anthropic-ratelimit-tokens-reset',
  ].join(', '),
};

const usualHeaders =
  'authorization, content-type, idempotency-key, if-none-match, last-event-id, x-api-key, x-request-id';
/** Names of headers (RFC 9110, section 5.1), separated by commas; no client has nearly as many. */
const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+){0,63}$/;

/**
 * In addition, on the answer to a preflight request. Vendors' clients send headers of their own, which their interfaces take.
 * @param asked value of `Access-Control-Request-Headers`
 */
export function preflightHeaders(allow: string, asked: string): Record<string, string> {
  return {
    ...corsHeaders,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': asked.length <= 2000 && headerNames.test(asked) ? asked : usualHeaders,
    'access-control-max-age': '86400',
  };
}

/** On every reply of a deprecated operation (RFC 9745): since when, and where it is said what to call instead. */
export function deprecationHeaders(deprecatedSince: number, publicUrl: string): Record<string, string> {
  const page = `${publicUrl}/docs/guides/upgrading#deprecated-operations`;
  return {
    deprecation: `@${deprecatedSince}`,
    link: `<${page}>; rel="deprecation"; type="text/html"`,
  };
}

/** For an operation that works with cookies: pages of other origins can neither call it nor read its replies. */
const noCorsHeaders: Readonly<Record<string, string>> = {};

/** The CORS headers of an operation. */
export function crossOriginHeaders({ cookies }: { readonly cookies: boolean }): Record<string, string> {
  return cookies ? noCorsHeaders : corsHeaders;
}

type Headers = Record<string, string>;

/**
 * The headers with the state of a client's limits, for allowed and rejected requests alike; none for a tenant
 * without limits.
 *
 * - `x-ratelimit-{limit,remaining,reset}-{requests,tokens}` as OpenAI sends them, the reset as a duration such as
 *   `1s` or `6m0s` (https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers). They hold one
 *   limit of requests, so they show the one with the least left.
 * - `RateLimit-Policy` and `RateLimit`: structured fields that list every limit by name, with its quota `q`, its
 *   window `w` in seconds (optional, section 3.1) and its unit `qu`, what remains `r`, and the seconds `t` until it is whole again
 *   (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/, drafts 10 and 11). The drafts know
 *   no unit for tokens, so that limit is left out there.
 */
export function rateLimitHeaders(state: LimitState): Headers {
  const headers: Headers = {};
  const listed = state.filter(({ name }) => name !== 'tokens');
  if (listed.length > 0) {
    headers['ratelimit-policy'] = listed.map(policy).join(', ');
    headers['ratelimit'] = listed.map(item).join(', ');
  }
  const requests = tightest(state);
  if (requests) Object.assign(headers, xRateLimit('requests', requests));
  const tokens = state.find(({ name }) => name === 'tokens');
  if (tokens) Object.assign(headers, xRateLimit('tokens', tokens));
  return headers;
}

/** A duration as Go writes it, to the second: `0s`, `59s`, `6m0s`, `24h0m0s`. */
export function goDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return `${hours}h${minutes % 60}m${seconds % 60}s`;
  return minutes > 0 ? `${minutes}m${seconds % 60}s` : `${seconds}s`;
}

function xRateLimit(kind: 'requests' | 'tokens', { limit, remaining, resetMs }: LimitStatus): Headers {
  return {
    [`x-ratelimit-limit-${kind}`]: String(limit),
    [`x-ratelimit-remaining-${kind}`]: String(remaining),
    [`x-ratelimit-reset-${kind}`]: goDuration(resetMs ?? 0),
  };
}

const requestLimits: ReadonlySet<LimitName> = new Set(['minute', 'day', 'month']);

/** The limit of requests with the least left; of equals the one that takes longest to be whole again. */
function tightest(state: LimitState): LimitStatus | null {
  let best: LimitStatus | null = null;
  for (const status of state) {
    if (!requestLimits.has(status.name)) continue;
    if (best === null || status.remaining < best.remaining) best = status;
    else if (status.remaining === best.remaining && (status.resetMs ?? 0) > (best.resetMs ?? 0))
      best = status;
  }
  return best;
}

function policy(status: LimitStatus): string {
  const { name, limit } = status;
  if (name === 'concurrency') return `"${name}";q=${limit};qu="concurrent-requests"`;
  const seconds = windowLength(status);
  return `"${name}";q=${limit}${seconds === null ? '' : `;w=${seconds}`}`;
}

function item({ name, remaining, resetMs }: LimitStatus): string {
  const reset = resetMs === null ? '' : `;t=${Math.ceil(resetMs / 1000)}`;
  return `"${name}";r=${remaining}${reset}`;
}
