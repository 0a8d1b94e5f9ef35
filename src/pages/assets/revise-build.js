import { afterEvent, newBuild } from './build-state.js';
import { followBuild, startBuild } from './follow-build.js';

/**
 * @typedef {import('./build-state.js').BuildState} BuildState
 * @typedef {import('./revision-client.js').Change} Change
 */

/**
 * Has a revision built and gives what is known of it at its end. The view goes on to show the build before it meanwhile.
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
