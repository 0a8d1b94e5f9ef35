import { readEvents } from './event-stream.js';

/**
 * @typedef {import('../../../generated/types.gen.ts').ErrorObject} ErrorObject
 * @typedef {import('../../../generated/types.gen.ts').Usage} Usage
 * @typedef {{ method: string, path?: Readonly<Record<string, string>> }} LibraryCall how the client library names the call
 * @typedef {{ path: string, body: Readonly<Record<string, unknown>>, stream?: boolean, library: LibraryCall }} ApiRequest
 */

/**
 * How a call went.
 * @typedef {object} CallReport
 * @property {ApiRequest} request
 * @property {'running' | 'whole' | 'stopped' | 'cut' | 'unreachable'} state
 * @property {number | null} status
 * @property {string | null} requestId
 * @property {readonly (readonly [string, string])[]} limits headers that tell how the limits stand
 * @property {number | null} retryAfterMs
 * @property {number} durationMs
 * @property {Partial<ErrorObject> | null} error
 * @property {Usage | null} usage
 * @property {unknown} body of an answer that is no stream
 */

/** The server sends a heartbeat every 15 seconds. */
const silenceMs = 60_000;

/**
 * @param {ApiRequest} request
 * @returns {CallReport}
 */
export function newReport(request) {
  return {
    request,
    state: 'running',
    status: null,
    requestId: null,
    limits: [],
    retryAfterMs: null,
    durationMs: 0,
    error: null,
    usage: null,
    body: null,
  };
}

/** Calls the interface with a key that nothing but this object holds. */
export class ApiCaller {
  #key;
  #onRefused;

  /**
   * @param {string} key
   * @param {(message: string) => void} onRefused when the server does not take the key, or not any more
   */
  constructor(key, onRefused) {
    this.#key = key;
    this.#onRefused = onRefused;
  }

  /**
   * @param {string} path
   * @returns {Promise<Response>} throws `TypeError` when the server cannot be reached
   */
  get(path) {
    return fetch(path, { headers: this.#headers, ...apart });
  }

  /**
   * Never throws for what the server or the network does: the report says it.
   * @param {ApiRequest} request
   * @param {AbortSignal} signal stops the call
   * @param {(event: unknown) => void} onEvent the events of a stream, in their order
   * @returns {Promise<CallReport>}
   */
  async send(request, signal, onEvent) {
    const begun = performance.now();
    const report = newReport(request);
    try {
      const response = await fetch(request.path, {
        method: 'POST',
        headers: { ...this.#headers, 'content-type': 'application/json' },
        body: JSON.stringify(request.body),
        signal,
        ...apart,
      });
      noteHead(report, response);
      report.state = await readAnswer(report, response, signal, onEvent);
    } catch {
      report.state = report.status === null ? 'unreachable' : 'cut';
    }
    if (signal.aborted) report.state = 'stopped';
    report.durationMs = performance.now() - begun;
    if (report.status === 401 && !signal.aborted) {
      this.#onRefused(report.error?.message ?? 'The key was refused.');
    }
    return report;
  }

  get #headers() {
    return { authorization: `Bearer ${this.#key}` };
  }
}

/** Neither cookies go along nor is anything kept of the answer. */
const apart = /** @type {const} */ ({ credentials: 'omit', cache: 'no-store', redirect: 'error' });

/**
 * @param {CallReport} report
 * @param {Response} response
 */
function noteHead(report, { status, headers }) {
  const seconds = headers.get('retry-after');
  report.status = status;
  report.requestId = headers.get('x-request-id');
  report.limits = [...headers].filter(([name]) => /^(x-)?ratelimit/.test(name));
  report.retryAfterMs = seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : null;
}

/**
 * @param {CallReport} report
 * @param {Response} response
 * @param {AbortSignal} signal
 * @param {(event: unknown) => void} onEvent
 * @returns {Promise<'whole' | 'cut'>}
 */
async function readAnswer(report, response, signal, onEvent) {
  const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!streamed || response.body === null) {
    report.body = await response.json();
    const { error, usage } = /** @type {any} */ (report.body) ?? {};
    report.error = error ?? null;
    report.usage = usage ?? null;
    return 'whole';
  }
  for await (const data of readEvents(response.body, { silenceMs, signal })) {
    const event = JSON.parse(data);
    onEvent(event);
    if (event.type === 'error') report.error = event.error;
    if (event.type !== 'end') continue;
    report.usage = event.usage ?? event.run?.usage ?? null;
    report.error = event.run?.error ?? null;
  }
  return report.usage !== null || report.error !== null ? 'whole' : 'cut';
}
