import { buildParts, type SiteAddresses, usableDomain } from './build-parts.ts';
import { type BuildState, isOver } from './build-state.ts';
import { draw, finder, nodesOf, onClick, renewedSignal } from './draw.ts';
import { type Html, html } from './html.ts';
import { announcer, countDown, isAbort } from './messages.ts';
import { countdown } from './words.ts';

/** How the connection is: `live`, or lost until the given time, when it is tried again; `now` does so at once. */
export type Connection = { live: true } | { live: false; until: number; now: () => void };

const top = { x: 0, y: 0 };

/**
 * Returns what shows the frame of a preview. Another app takes its place only when it is loaded, so that nothing flashes, and is
 * asked to show the place where the one before it was.
 */
function previewFrame(root: Element, onDrawn: () => void) {
  const frame = (): HTMLIFrameElement | null => root.querySelector('iframe:not([data-coming])');
  /** The app's scroll position, as it last reported it. */
  let place = top;
  const freshSignal = renewedSignal();
  addEventListener('message', ({ source, data }) => {
    if (source !== null && source === frame()?.contentWindow) place = placeOf(data) ?? place;
  });

  function show(content: Html) {
    const signal = freshSignal();
    for (const frame of root.querySelectorAll('iframe[data-coming]')) frame.remove();
    const old = frame();
    const next = nodesOf(content).querySelector('iframe');
    if (old && next && old.getAttribute('src') !== next.getAttribute('src'))
      return exchange(old, next, content, signal);
    if (!old || !next) place = top;
    draw(root, content);
  }

  /** @param signal aborted when yet another content is shown */
  function exchange(old: HTMLIFrameElement, next: HTMLIFrameElement, content: Html, signal: AbortSignal) {
    next.dataset['coming'] = '';
    const take = () => {
      if (signal.aborted) return;
      old.remove();
      delete next.dataset['coming'];
      draw(root, content);
      onDrawn();
      root.dispatchEvent(new Event('preview-exchanged', { bubbles: true }));
    };
    next.addEventListener(
      'load',
      () => {
        next.contentWindow?.postMessage({ switchyard: 'place', ...place }, '*');
        // It is painted by the second frame after that.
        requestAnimationFrame(() => requestAnimationFrame(take));
      },
      { once: true, signal },
    );
    old.after(next);
  }

  return show;
}

/** The scroll position that an app reports. Nothing else is taken from it. */
function placeOf(data: unknown) {
  const { switchyard, x, y } = (data ?? {}) as Record<string, unknown>;
  return switchyard === 'place' && typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
}

/** @param data of the view of builds, where the server says it */
const siteAddresses = (data: DOMStringMap): SiteAddresses => ({
  publicUrl: data['publicUrl'] ?? location.origin,
  previewDomain: usableDomain(data['previewDomain'], location.hostname),
});

export type BuildView = ReturnType<typeof buildViewIn>;

/** @param root the server's markup, empty or of a record */
export function buildViewIn(root: HTMLElement) {
  const addresses = siteAddresses(root.dataset);
  const find = finder(root);
  const part = (name: string) => find(`[data-part="${name}"]`);
  const showPreview = previewFrame(part('preview'), () => showLocalTimes(root));
  const announce = announcer(document.querySelector('[data-announcements]') as Element);
  const freshSignal = renewedSignal();

  onClick(root, 'a[data-action="share"]', (link, event) => {
    event.preventDefault();
    void share(link as HTMLAnchorElement, announce);
  });
  showLocalTimes(root);

  function show(state: BuildState) {
    root.hidden = false;
    root.dataset['status'] = state.status;
    root.setAttribute('aria-busy', String(!isOver(state.status)));
    part('prompt').textContent = state.prompt;
    for (const [name, content] of Object.entries(buildParts(state, addresses))) {
      if (name === 'preview') showPreview(content);
      else draw(part(name), content);
    }
    scrollFiles(isOver(state.status));
    showLocalTimes(root);
  }

  /** @param over whether all files are there; until then the latest is worth seeing */
  function scrollFiles(over: boolean) {
    const list = part('files').querySelector('ul');
    if (list) list.scrollTop = over ? 0 : list.scrollHeight;
  }

  function hide() {
    root.hidden = true;
  }

  function focus() {
    part('title').focus({ preventScroll: true });
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    root.scrollIntoView({ behavior: calm ? 'auto' : 'smooth', block: 'start' });
  }

  function showConnection(connection: Connection) {
    const signal = freshSignal();
    const element = part('connection');
    element.replaceChildren();
    if (connection.live) return;
    draw(element, html`<span></span> <button type="button" class="plain">Try now</button>`);
    element.querySelector('button')?.addEventListener('click', connection.now);
    void countDown(connection.until, signal, (left) => {
      (element.firstElementChild as HTMLElement).textContent =
        `The connection was lost. The build continues. Reconnecting in ${countdown(left)}.`;
    });
  }

  return {
    addresses,
    /** Says it to those who hear the page. */
    announce,
    show,
    hide,
    focus,
    showConnection,
  };
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
    // A visitor who closes the dialogue wants no other way either.
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
