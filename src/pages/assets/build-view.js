import { usableDomain } from './addresses.js';
import { buildParts } from './build-parts.js';
import { isOver } from './build-state.js';
import { draw } from './draw.js';
import { announcer, countDown } from './told.js';
import { countdown } from './words.js';

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
  /** The app's scroll position, as it last reported it. */
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
      this.#root.dispatchEvent(new Event('preview-exchanged', { bubbles: true }));
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

/**
 * @typedef {import('./build-state.js').BuildState} BuildState
 * @typedef {import('./follow-build.js').Connection} Connection
 */

/** The part of a page that shows a build. */
export class BuildView {
  #root;
  #addresses;
  #preview;
  #connectionLost = new AbortController();
  /** @type {ReadonlyMap<string, Element>} */
  #parts;

  /** @param {HTMLElement} root the server's markup, empty or of a record */
  constructor(root) {
    this.#root = root;
    this.#addresses = {
      publicUrl: root.dataset['publicUrl'] ?? location.origin,
      previewDomain: usableDomain(root.dataset['previewDomain'], location.hostname),
    };
    const parts = root.querySelectorAll('[data-part]');
    this.#parts = new Map([...parts].map((part) => [part.getAttribute('data-part') ?? '', part]));
    this.#preview = new PreviewFrame(this.#part('preview'), () => showLocalTimes(root));
    this.announce = announcer(/** @type {Element} */ (document.querySelector('[data-announcements]')));
    root.addEventListener('click', (event) => {
      const link = event.target instanceof Element && event.target.closest('a[data-action="share"]');
      if (!(link instanceof HTMLAnchorElement)) return;
      event.preventDefault();
      void share(link, this.announce);
    });
    showLocalTimes(root);
  }

  /** @param {BuildState} state */
  show(state) {
    this.#root.hidden = false;
    this.#root.dataset['status'] = state.status;
    this.#root.setAttribute('aria-busy', String(!isOver(state.status)));
    this.#part('prompt').textContent = state.prompt;
    for (const [name, trees] of Object.entries(buildParts(state, this.#addresses))) {
      if (name === 'preview') this.#preview.show(trees);
      else draw(this.#part(name), trees);
    }
    this.#scrollFiles(isOver(state.status));
    showLocalTimes(this.#root);
  }

  /** @param {boolean} over whether all files are there; until then the latest is worth seeing */
  #scrollFiles(over) {
    const list = this.#part('files').querySelector('ul');
    if (list) list.scrollTop = over ? 0 : list.scrollHeight;
  }

  hide() {
    this.#root.hidden = true;
  }

  /** Takes the reader here. */
  focus() {
    const title = /** @type {HTMLElement} */ (this.#part('title'));
    title.focus({ preventScroll: true });
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#root.scrollIntoView({ behavior: calm ? 'auto' : 'smooth', block: 'start' });
  }

  /** @param {Connection} connection */
  showConnection(connection) {
    this.#connectionLost.abort();
    const element = this.#part('connection');
    element.replaceChildren();
    if (connection.live) return;
    const lost = new AbortController();
    this.#connectionLost = lost;
    const text = document.createElement('span');
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'plain';
    button.textContent = 'Try now';
    button.addEventListener('click', connection.now);
    element.append(text, ' ', button);
    void countDown(connection.until, lost.signal, (left) => {
      text.textContent = `The connection was lost. The build continues. Reconnecting in ${countdown(left)}.`;
    });
  }

  /** @param {string} name */
  #part(name) {
    const part = this.#parts.get(name);
    if (!part) throw new Error(`the page has no part "${name}"`);
    return part;
  }
}

/**
 * Times stand in UTC in the markup; a visitor reads them in the own time zone.
 * @param {Element} root
 */
function showLocalTimes(root) {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of root.querySelectorAll('time')) {
    const moment = new Date(time.dateTime);
    if (!Number.isNaN(moment.getTime())) time.textContent = format.format(moment);
  }
}

/**
 * Hands a link over: to the device's own way of sharing where there is one, else to the clipboard, else to be copied by hand.
 * @param {HTMLAnchorElement} link
 * @param {(text: string) => void} announce
 */
async function share(link, announce) {
  const data = { url: link.href, title: document.title };
  const handheld = matchMedia('(pointer: coarse)').matches && navigator.canShare?.(data);
  try {
    if (handheld) return await navigator.share(data);
    await navigator.clipboard.writeText(link.href);
    say(link, 'Link copied', announce);
  } catch (error) {
    // Somebody who closes the dialogue wants no other way either.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    prompt('The link to this build:', link.href);
  }
}

/**
 * @param {Element} link
 * @param {string} text
 * @param {(text: string) => void} announce
 */
function say(link, text, announce) {
  const usual = link.textContent;
  link.textContent = text;
  announce(text);
  setTimeout(() => {
    link.textContent = usual;
  }, 2000);
}
