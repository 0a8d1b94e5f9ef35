import { draw } from './draw.js';

/**
 * @typedef {import('./tree.js').Tree} Tree
 * @typedef {import('./tree.js').Element} TreeElement
 */

const top = { x: 0, y: 0 };

/**
 * The frame of a preview. Another app takes its place only when it is loaded, so that nothing flashes, and is asked to show the
 * place where the one before it was.
 */
export class PreviewFrame {
  #root;
  #onDrawn;
  /** How far the app is scrolled, as it has told. */
  #place = top;
  #coming = new AbortController();

  /**
   * @param {Element} root
   * @param {() => void} onDrawn
   */
  constructor(root, onDrawn) {
    this.#root = root;
    this.#onDrawn = onDrawn;
    addEventListener('message', ({ source, data }) => {
      if (source !== null && source === this.#frame?.contentWindow)
        this.#place = placeOf(data) ?? this.#place;
    });
  }

  /** @returns {HTMLIFrameElement | null} */
  get #frame() {
    return this.#root.querySelector('iframe:not([data-coming])');
  }

  /** @param {readonly Tree[]} trees */
  show(trees) {
    this.#coming.abort();
    for (const frame of this.#root.querySelectorAll('iframe[data-coming]')) frame.remove();
    const old = this.#frame;
    const next = trees.find(isFrame);
    if (old && next && old.getAttribute('src') !== next.attributes['src'])
      return this.#exchange(old, next, trees);
    if (!old || !next) this.#place = top;
    draw(this.#root, trees);
  }

  /**
   * @param {HTMLIFrameElement} old
   * @param {TreeElement} next
   * @param {readonly Tree[]} trees
   */
  #exchange(old, next, trees) {
    this.#coming = new AbortController();
    const { signal } = this.#coming;
    const frame = document.createElement('iframe');
    for (const [name, value] of Object.entries(next.attributes)) frame.setAttribute(name, value);
    frame.dataset['coming'] = '';
    const take = () => {
      if (signal.aborted) return;
      old.remove();
      delete frame.dataset['coming'];
      draw(this.#root, trees);
      this.#onDrawn();
    };
    frame.addEventListener(
      'load',
      () => {
        frame.contentWindow?.postMessage({ switchyard: 'place', ...this.#place }, '*');
        // It is painted by the second frame after that.
        requestAnimationFrame(() => requestAnimationFrame(take));
      },
      { once: true, signal },
    );
    old.after(frame);
  }
}

/**
 * @param {Tree} tree
 * @returns {tree is TreeElement}
 */
function isFrame(tree) {
  return typeof tree !== 'string' && tree.tag === 'iframe';
}

/**
 * What an app says of its place. Nothing else is taken from it.
 * @param {unknown} data
 */
function placeOf(data) {
  const { switchyard, x, y } = /** @type {Record<string, unknown>} */ (data ?? {});
  return switchyard === 'place' && typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
}
