import { usableDomain } from './addresses.js';
import { buildParts } from './build-parts.js';
import { newBuild } from './build-state.js';
import { draw } from './draw.js';
import { startBuild, watchBuild } from './follow-build.js';
import { teller, troubleText } from './told.js';
import { element } from './tree.js';

/**
 * @typedef {import('./build-state.js').BuildState} BuildState
 * @typedef {import('../../../generated/types.gen.ts').AppSpec} AppSpec
 */

/** What a plan calls the looks of apps, and what people call them. */
const looks = /** @type {const} */ ([
  ['soft', 'Round and friendly'],
  ['crisp', 'Plain and exact'],
  ['editorial', 'Like a magazine'],
]);

/** The same plan built in each look, side by side: a build each, of which the visitor keeps one by going to its page. */
export class Designs {
  #root;
  #addresses;
  #tell;
  #asking = new AbortController();

  /**
   * @param {HTMLElement} root
   * @param {object} around
   * @param {(text: string) => void} around.announce
   * @param {DOMStringMap} around.data of the view of builds: where the apps are
   */
  constructor(root, { announce, data }) {
    this.#root = root;
    this.#addresses = {
      publicUrl: data['publicUrl'] ?? location.origin,
      previewDomain: usableDomain(data['previewDomain'], location.hostname),
    };
    this.#tell = teller(this.#one('[data-told]'), announce);
  }

  hide() {
    this.#asking.abort();
    this.#root.hidden = true;
  }

  /**
   * Resolves when the first is accepted. Throws what the server refuses it with.
   * @param {{ prompt: string, spec: AppSpec }} asked
   */
  async show(asked) {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const first = await this.#start(asked, looks[0][0], signal);
    this.#root.hidden = false;
    this.#tell('');
    this.#one('[data-designs-row]').replaceChildren(
      ...looks.map(() => Object.assign(document.createElement('div'), { className: 'design' })),
    );
    for (const n of looks.keys()) this.#draw(n, newBuild(asked.prompt));
    this.#one('h2').focus({ preventScroll: true });
    this.#root.scrollIntoView({ block: 'start' });
    void this.#follow(asked, first, signal);
  }

  /**
   * One after another: a visitor's builds are few, and so are the threads that build.
   * @param {{ prompt: string, spec: AppSpec }} asked
   * @param {{ jobId: string, stream: Response }} first
   * @param {AbortSignal} signal
   */
  async #follow(asked, first, signal) {
    try {
      for (const [n, [look]] of looks.entries()) {
        const accepted = n === 0 ? first : await this.#start(asked, look, signal);
        const view = {
          show: (/** @type {BuildState} */ state) => this.#draw(n, state),
          announce: () => undefined,
          showConnection: () => undefined,
        };
        await watchBuild(view, { ...accepted, signal });
      }
      this.#tell('All designs are built.');
    } catch (error) {
      if (!signal.aborted) this.#tell(troubleText(error), 'bad');
    }
  }

  /**
   * @param {{ prompt: string, spec: AppSpec }} asked
   * @param {string} look
   * @param {AbortSignal} signal
   */
  #start({ prompt, spec }, look, signal) {
    return startBuild({ prompt, spec: { ...spec, palette: { ...spec.palette, look } } }, signal);
  }

  /**
   * @param {number} n
   * @param {BuildState} state
   */
  #draw(n, state) {
    const place = this.#one('[data-designs-row]').children[n];
    if (!place) return;
    const { jobId, status } = state;
    draw(place, [
      element('h3', {}, looks[n]?.[1] ?? ''),
      element('figure', { class: 'window' }, ...(buildParts(state, this.#addresses)['preview'] ?? [])),
      ...(status === 'succeeded'
        ? [element('a', { class: 'button primary', href: `/factory/jobs/${jobId}` }, 'Keep this one')]
        : []),
    ]);
  }

  /** @param {string} selector */
  #one(selector) {
    return /** @type {HTMLElement} */ (this.#root.querySelector(selector));
  }
}
