import { afterEvent, newBuild } from './build-state.js';
import { followBuild } from './follow-build.js';
import { Refusal } from './refusal.js';

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
 * @param {import('./build-view.js').BuildView} view
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
