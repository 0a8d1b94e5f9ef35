import { type SiteAddresses, usableDomain } from './addresses.ts';
import { buildParts } from './build-parts.ts';
import { type BuildState, isOver } from './build-state.ts';
import { draw, nodesOf } from './draw.ts';
import type { Html } from './html.ts';
import { announcer, countDown, isAbort } from './told.ts';
import { countdown } from './words.ts';

/** How the connection is: `live`, or lost until the given time, when it is tried again; `now` does so at once. */
export type Connection = { live: true } | { live: false; until: number; now: () => void };

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

  constructor(root: Element, onDrawn: () => void) {
    this.#root = root;
    this.#onDrawn = onDrawn;
    addEventListener('message', ({ source, data }) => {
      if (source !== null && source === this.#frame?.contentWindow)
        this.#place = placeOf(data) ?? this.#place;
    });
  }

  get #frame(): HTMLIFrameElement | null {
    return this.#root.querySelector('iframe:not([data-coming])');
  }

  show(content: Html) {
    this.#coming.abort();
    for (const frame of this.#root.querySelectorAll('iframe[data-coming]')) frame.remove();
    const old = this.#frame;
    const next = nodesOf(content).querySelector('iframe');
    if (old && next && old.getAttribute('src') !== next.getAttribute('src'))
      return this.#exchange(old, next, content);
    if (!old || !next) this.#place = top;
    draw(this.#root, content);
  }

  #exchange(old: HTMLIFrameElement, frame: HTMLIFrameElement, content: Html) {
    this.#coming = new AbortController();
    const { signal } = this.#coming;
    frame.dataset['coming'] = '';
    const take = () => {
      if (signal.aborted) return;
      old.remove();
      delete frame.dataset['coming'];
      draw(this.#root, content);
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

/** What an app says of its place. Nothing else is taken from it. */
function placeOf(data: unknown) {
  const { switchyard, x, y } = (data ?? {}) as Record<string, unknown>;
  return switchyard === 'place' && typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
}

/** @param data of the view of builds, where the server says it */
export const siteAddresses = (data: DOMStringMap): SiteAddresses => ({
  publicUrl: data['publicUrl'] ?? location.origin,
  previewDomain: usableDomain(data['previewDomain'], location.hostname),
});

export class BuildView {
  #root;
  #addresses;
  #preview;
  #connectionLost = new AbortController();
  #parts: ReadonlyMap<string, Element>;
  /** Says it to those who hear the page. */
  readonly announce: (text: string) => void;

  /** @param root the server's markup, empty or of a record */
  constructor(root: HTMLElement) {
    this.#root = root;
    this.#addresses = siteAddresses(root.dataset);
    const parts = root.querySelectorAll('[data-part]');
    this.#parts = new Map([...parts].map((part) => [part.getAttribute('data-part') ?? '', part]));
    this.#preview = new PreviewFrame(this.#part('preview'), () => showLocalTimes(root));
    this.announce = announcer(document.querySelector('[data-announcements]') as Element);
    root.addEventListener('click', (event) => {
      const link = event.target instanceof Element && event.target.closest('a[data-action="share"]');
      if (!(link instanceof HTMLAnchorElement)) return;
      event.preventDefault();
      void share(link, this.announce);
    });
    showLocalTimes(root);
  }

  show(state: BuildState) {
    this.#root.hidden = false;
    this.#root.dataset['status'] = state.status;
    this.#root.setAttribute('aria-busy', String(!isOver(state.status)));
    this.#part('prompt').textContent = state.prompt;
    for (const [name, content] of Object.entries(buildParts(state, this.#addresses))) {
      if (name === 'preview') this.#preview.show(content);
      else draw(this.#part(name), content);
    }
    this.#scrollFiles(isOver(state.status));
    showLocalTimes(this.#root);
  }

  /** @param over whether all files are there; until then the latest is worth seeing */
  #scrollFiles(over: boolean) {
    const list = this.#part('files').querySelector('ul');
    if (list) list.scrollTop = over ? 0 : list.scrollHeight;
  }

  hide() {
    this.#root.hidden = true;
  }

  focus() {
    const title = this.#part('title') as HTMLElement;
    title.focus({ preventScroll: true });
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#root.scrollIntoView({ behavior: calm ? 'auto' : 'smooth', block: 'start' });
  }

  showConnection(connection: Connection) {
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

  #part(name: string) {
    const part = this.#parts.get(name);
    if (!part) throw new Error(`the page has no part "${name}"`);
    return part;
  }
}

/** Times stand in UTC in the markup; a visitor reads them in the own time zone. */
export function showLocalTimes(root: Element) {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of root.querySelectorAll('time')) {
    const moment = new Date(time.dateTime);
    if (!Number.isNaN(moment.getTime())) time.textContent = format.format(moment);
  }
}

/** Hands a link over: to the device's own way of sharing where there is one, else to the clipboard, else to be copied by hand. */
async function share(link: HTMLAnchorElement, announce: (text: string) => void) {
  const data = { url: link.href, title: document.title };
  const handheld = matchMedia('(pointer: coarse)').matches && navigator.canShare?.(data);
  try {
    if (handheld) return await navigator.share(data);
    await navigator.clipboard.writeText(link.href);
    say(link, 'Link copied', announce);
  } catch (error) {
    // Somebody who closes the dialogue wants no other way either.
    if (isAbort(error)) return;
    prompt('The link to this build:', link.href);
  }
}

function say(link: Element, text: string, announce: (text: string) => void) {
  const usual = link.textContent;
  link.textContent = text;
  announce(text);
  setTimeout(() => {
    link.textContent = usual;
  }, 2000);
}
