/** An answer of the server that is not the stream that was asked for. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} message for people
   * @param {string} code of the contract's table of errors
   * @param {number | null} retryAfterMs when it may be asked again, from now
   */
  constructor(status, message, code, retryAfterMs) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
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
  const { message } = error;
  return new Refusal(
    response.status,
    typeof message === 'string'
      ? message.charAt(0).toUpperCase() + message.slice(1)
      : `The server answered with status ${response.status}.`,
    typeof error.code === 'string' ? error.code : '',
    retryAfterMs(response.headers.get('retry-after')),
  );
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
