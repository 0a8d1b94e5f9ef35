import { afterEvent, newBuild } from './build-state.js';
import { readEvents } from './event-stream.js';
import { Refusal, refusalOf } from './refusal.js';

/**
 * How the connection is: `live`, or lost until the given time, when it is tried again; `now` does so at once.
 * @typedef {{ live: true } | { live: false, until: number, now: () => void }} Connection
 */

const base = '/api/factory/public-demo';
/** The server sends a heartbeat every 10 seconds. */
const silenceMs = 30_000;
const maxPauseMs = 15_000;

/**
 * Has a build accepted, or a revision of one. Throws `Refusal`, and `TypeError` when the server cannot be reached.
 * @param {{ prompt?: string, spec?: unknown, when_unsure?: 'ask' } | import('./revision-client.js').Change} asked
 * @param {AbortSignal} signal
 * @param {string} [of] the build that is to be changed
 * @returns {Promise<{ jobId: string, stream: Response }>}
 */
export async function startBuild(asked, signal, of) {
  const stream = await fetch(of === undefined ? base : `${base}/${of}/revisions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(asked),
    signal,
  });
  const jobId = stream.headers.get('x-job-id');
  if (stream.status !== 200 || jobId === null) throw await refusalOf(stream);
  return { jobId, stream };
}

/**
 * Watches a build to its final event over as many connections as it takes. It reports each event once, in order.
 * Returns after the final one, or when the signal is aborted; throws `Refusal` when there is nothing to watch (404, 410).
 * @param {object} build
 * @param {string} build.jobId
 * @param {Response} [build.stream] the first connection, if there is one already
 * @param {AbortSignal} build.signal
 * @param {(event: BuildEvent) => void} build.onEvent
 * @param {(connection: Connection) => void} build.onConnection
 */
async function followBuild({ jobId, stream, signal, onEvent, onConnection }) {
  let lastSeq = 0;
  let failures = 0;
  while (!signal.aborted) {
    let pause = null;
    try {
      stream ??= await openEvents(jobId, lastSeq, signal);
      onConnection({ live: true });
      for await (const event of eventsOf(stream, signal)) {
        failures = 0;
        if (event.type === 'stream.closing') {
          pause = event.retry_ms;
          break;
        }
        const final = 'final' in event;
        if (typeof event.seq === 'number') {
          if (event.seq <= lastSeq && !final) continue;
          lastSeq = event.seq;
        }
        onEvent(event);
        if (final) return;
      }
    } catch (error) {
      if (error instanceof Refusal) {
        if (!error.passing) throw error;
        pause = error.retryAfterMs;
      }
    }
    stream = undefined;
    if (signal.aborted) return;
    await pausing(pause ?? backoff(failures++), signal, onConnection);
  }
}

/**
 * @param {string} jobId
 * @param {number} after
 * @param {AbortSignal} signal
 */
async function openEvents(jobId, after, signal) {
  const response = await fetch(`${base}/${jobId}/events?after=${after}`, {
    headers: { accept: 'text/event-stream' },
    signal,
  });
  if (response.status !== 200) throw await refusalOf(response);
  return response;
}

/**
 * @param {Response} response
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<BuildEvent, void>}
 */
async function* eventsOf({ body }, signal) {
  if (body === null) return;
  for await (const data of readEvents(body, { silenceMs, signal })) yield JSON.parse(data);
}

/** @param {number} failures */
function backoff(failures) {
  const pause = Math.min(500 * 2 ** failures, maxPauseMs);
  return pause * (0.75 + Math.random() / 2);
}

/**
 * Waits, but no longer than until the browser is online again or the user asks.
 * @param {number} ms
 * @param {AbortSignal} signal
 * @param {(connection: Connection) => void} onConnection
 * @returns {Promise<void>}
 */
function pausing(ms, signal, onConnection) {
  return new Promise((fulfil) => {
    const over = () => {
      clearTimeout(timer);
      removeEventListener('online', over);
      signal.removeEventListener('abort', over);
      fulfil();
    };
    const timer = setTimeout(over, ms);
    addEventListener('online', over);
    signal.addEventListener('abort', over);
    onConnection({ live: false, until: Date.now() + ms, now: over });
  });
}

/**
 * @typedef {import('./build-state.js').BuildState} BuildState
 * @typedef {import('../../../generated/types.gen.ts').BuildEvent} BuildEvent
 */

/** What is worth saying aloud; the rest can be read. */
const spoken = new Set([
  'plan.ready',
  'repair.started',
  'notice',
  'job.succeeded',
  'job.failed',
  'job.unsure',
  'job.cancelled',
]);

/**
 * Shows a build in a view, from its first event to its last. Gives what is known of it then.
 * @param {Pick<import('./build-view.js').BuildView, 'show' | 'announce' | 'showConnection'>} view
 * @param {object} build
 * @param {string} build.jobId
 * @param {Response} [build.stream]
 * @param {AbortSignal} build.signal
 */
export async function watchBuild(view, { jobId, stream, signal }) {
  let state = newBuild('');
  /** @param {BuildState} next */
  const show = (next) => {
    state = next;
    if (!signal.aborted) view.show(next);
  };
  try {
    await followBuild({
      jobId,
      ...(stream && { stream }),
      signal,
      onEvent(event) {
        show(afterEvent(state, event));
        if (spoken.has(event.type)) view.announce(event.message);
        if ('final' in event) document.title = `${state.title ?? 'A build'} · Switchyard`;
      },
      onConnection: (connection) => view.showConnection(connection),
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const title = error.status === 410 ? 'This build has expired' : 'This build cannot be shown';
    show({ ...newBuild(''), title, status: 'failed', stages: [], error: failure(error) });
    view.announce(title);
  }
  return state;
}

/**
 * @param {Refusal} refusal
 * @returns {NonNullable<BuildState['error']>}
 */
function failure({ message }) {
  return { code: 'build_failed', message, stage: null, retryable: false };
}

/**
 * @typedef {import('./revision-client.js').Change} Change
 */

/**
 * Has a revision built and gives what is known of it at its end. The view shows the former build meanwhile.
 * Throws `Refusal`, and `TypeError` when the server cannot be reached.
 * @param {import('./build-view.js').BuildView} view
 * @param {object} options
 * @param {string} options.of the build that is changed
 * @param {Change} options.change
 * @param {AbortSignal} options.signal
 * @param {(message: string) => void} options.onProgress
 * @returns {Promise<BuildState>}
 */
export async function reviseBuild(view, { of, change, signal, onProgress }) {
  const accepted = await startBuild(change, signal, of);
  let state = newBuild('');
  await followBuild({
    ...accepted,
    signal,
    onEvent(event) {
      state = afterEvent(state, event);
      if (event.message) onProgress(event.message);
    },
    onConnection: (connection) => view.showConnection(connection),
  });
  return state;
}
