import type { BuildEvent } from '../../../generated/types.gen.ts';
import { afterEvent, type BuildState, newBuild } from './build-state.ts';
import type { BuildView, Connection } from './build-view.ts';
import { readEvents } from './event-stream.ts';
import { type Change, Refusal, refusalOf } from './factory-client.ts';

const base = '/api/factory/public-demo';
/** The server sends a heartbeat every 10 seconds. */
const silenceMs = 30_000;
const maxPauseMs = 15_000;

/**
 * Has a build accepted, or a revision of one. Throws `Refusal`, and `TypeError` when the server cannot be reached.
 * @param of the build that is to be changed
 */
export async function startBuild(
  asked: { prompt?: string; spec?: unknown; when_unsure?: 'ask' } | Change,
  signal: AbortSignal,
  of?: string,
): Promise<{ jobId: string; stream: Response }> {
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

interface Watched {
  readonly jobId: string;
  readonly stream?: Response | undefined;
  readonly signal: AbortSignal;
}

/**
 * Watches a build to its final event over as many connections as it takes. It reports each event once, in order.
 * Returns after the final one, or when the signal is aborted; throws `Refusal` when there is nothing to watch (404, 410).
 * @param build.stream the first connection, if there is one already
 */
async function followBuild(
  build: Watched,
  onEvent: (event: BuildEvent) => void,
  onConnection: (connection: Connection) => void,
) {
  const { jobId, signal } = build;
  let { stream } = build;
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

async function openEvents(jobId: string, after: number, signal: AbortSignal) {
  const response = await fetch(`${base}/${jobId}/events?after=${after}`, {
    headers: { accept: 'text/event-stream' },
    signal,
  });
  if (response.status !== 200) throw await refusalOf(response);
  return response;
}

async function* eventsOf({ body }: Response, signal: AbortSignal): AsyncGenerator<BuildEvent, void> {
  if (body === null) return;
  for await (const data of readEvents(body, { silenceMs, signal })) yield JSON.parse(data);
}

function backoff(failures: number) {
  const pause = Math.min(500 * 2 ** failures, maxPauseMs);
  return pause * (0.75 + Math.random() / 2);
}

/** Waits, but no longer than until the browser is online again or the user asks. */
function pausing(ms: number, signal: AbortSignal, onConnection: (connection: Connection) => void) {
  return new Promise<void>((fulfil) => {
    const listening = new AbortController();
    const over = () => {
      listening.abort();
      clearTimeout(timer);
      fulfil();
    };
    const timer = setTimeout(over, ms);
    addEventListener('online', over, listening);
    signal.addEventListener('abort', over, listening);
    onConnection({ live: false, until: Date.now() + ms, now: over });
  });
}

/** The events worth saying aloud; the rest can be read. */
const spoken = new Set([
  'plan.ready',
  'repair.started',
  'notice',
  'job.succeeded',
  'job.failed',
  'job.unsure',
  'job.cancelled',
]);

/** Shows a build in a view, from its first event to its last. Gives what is known of it then. */
export async function watchBuild(
  view: Pick<BuildView, 'show' | 'announce' | 'showConnection'>,
  build: Watched,
) {
  const { signal } = build;
  let state = newBuild('');
  const show = (next: BuildState) => {
    state = next;
    if (!signal.aborted) view.show(next);
  };
  try {
    const onEvent = (event: BuildEvent) => {
      show(afterEvent(state, event));
      if (spoken.has(event.type)) view.announce(event.message);
      if ('final' in event) document.title = `${state.title ?? 'A build'} · Switchyard`;
    };
    await followBuild(build, onEvent, view.showConnection);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const title = error.status === 410 ? 'This build has expired' : 'This build cannot be shown';
    const failure = { code: 'build_failed', message: error.message, stage: null, retryable: false } as const;
    show({ ...newBuild(''), title, status: 'failed', stages: [], error: failure });
    view.announce(title);
  }
  return state;
}

/**
 * Has a revision built and gives what is known of it at its end. The view shows the former build meanwhile.
 * Throws `Refusal`, and `TypeError` when the server cannot be reached.
 * @param of the build that is changed
 */
export async function reviseBuild(
  { showConnection }: Pick<BuildView, 'showConnection'>,
  of: string,
  change: Change,
  signal: AbortSignal,
): Promise<BuildState> {
  let state = newBuild('');
  const onEvent = (event: BuildEvent) => {
    state = afterEvent(state, event);
  };
  await followBuild({ ...(await startBuild(change, signal, of)), signal }, onEvent, showConnection);
  return state;
}
