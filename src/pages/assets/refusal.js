/** @typedef {{ path: string, code: string, message: string }} Detail */

/** An answer of the server that is not the stream that was asked for. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} message for people
   * @param {string} code of the contract's table of errors
   * @param {number | null} retryAfterMs when it may be asked again, from now
   * @param {readonly Detail[]} [details] what is wrong, one by one
   */
  constructor(status, message, code, retryAfterMs, details = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.details = details;
  }

  /** Whether the same request may be answered later. */
  get passing() {
    return this.status === 429 || this.status >= 500;
  }
}

/**
 * What a reply says, also one that did not come from our server but from something before it.
 * @param {Response} response
 */
export async function refusalOf(response) {
  const body = await response.json().catch(() => null);
  const error = body?.error ?? {};
  const { message, details } = error;
  return new Refusal(
    response.status,
    typeof message === 'string'
      ? message.charAt(0).toUpperCase() + message.slice(1)
      : `The server answered with status ${response.status}.`,
    typeof error.code === 'string' ? error.code : '',
    retryAfterMs(response.headers.get('retry-after')),
    Array.isArray(details) ? details.map(detailOf) : [],
  );
}

/** @param {Partial<Record<keyof Detail, unknown>> | null} detail */
function detailOf(detail) {
  const { path, code, message } = detail ?? {};
  return { path: String(path ?? ''), code: String(code ?? ''), message: String(message ?? '') };
}

/**
 * Retry-After in seconds or as a date (RFC 9110 section 10.2.3), at most an hour.
 * @param {string | null} value
 */
function retryAfterMs(value) {
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), 3_600_000);
}
