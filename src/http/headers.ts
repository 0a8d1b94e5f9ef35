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

/** What pages of other origins may do with an operation. */
export function crossOriginHeaders({ cookies }: { readonly cookies: boolean }): Record<string, string> {
  return cookies ? noCorsHeaders : corsHeaders;
}
