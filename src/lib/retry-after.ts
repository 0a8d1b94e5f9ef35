type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Maximum wait that a server is believed, in milliseconds: who asks again after an hour does no harm. */
const maxMs = 3_600_000;

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
