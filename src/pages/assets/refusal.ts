export type Detail = { path: string; code: string; message: string };

/** An answer of the server that is not the stream that was asked for. */
export class Refusal extends Error {
  readonly status: number;
  /** Of the contract's table of errors. */
  readonly code: string;
  /** When it may be asked again, from now. */
  readonly retryAfterMs: number | null;
  readonly details: readonly Detail[];

  constructor(
    status: number,
    message: string,
    code: string,
    retryAfterMs: number | null,
    details: readonly Detail[] = [],
  ) {
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

/** What a reply says, also one that did not come from our server but from something before it. */
export async function refusalOf(response: Response) {
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

function detailOf(detail: Partial<Record<keyof Detail, unknown>> | null) {
  const { path, code, message } = detail ?? {};
  return { path: String(path ?? ''), code: String(code ?? ''), message: String(message ?? '') };
}

/** Retry-After in seconds or as a date (RFC 9110 section 10.2.3), at most an hour. */
function retryAfterMs(value: string | null) {
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), 3_600_000);
}
