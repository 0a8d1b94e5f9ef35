import { draw } from './draw.ts';
import { Refusal } from './factory-client.ts';
import { type Html, html } from './html.ts';

/** Says something at a form: drawn for those who see it, spoken for those who hear it. */
export function messageIn(place: Element, announce: (text: string) => void) {
  return (text: string, tone: 'plain' | 'bad' | 'good' = 'plain', more?: Html) => {
    draw(place, text === '' ? html`` : html`${messageLine(text, tone)}${more}`);
    if (text !== '') announce(text);
  };
}

export function messageLine(text: string, tone: string): Html {
  return html`<p class="message-line" data-tone="${tone}">${text}</p>`;
}

export function troubleText(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  return navigator.onLine
    ? 'The server cannot be reached. What you entered is kept: try again in a moment.'
    : 'You are offline. What you entered is kept: try again when you are back.';
}

export function isAbort(error: unknown) {
  return error instanceof DOMException && error.name === 'AbortError';
}

const restMs = 1500;

/**
 * Speaks to people who hear the page, through a live region, and not more often than they can follow: of what comes in
 * quick succession they get the first and the last.
 * @param region with `role="status"`
 */
export function announcer(region: Element): (text: string) => void {
  let waiting = '';
  let rest: ReturnType<typeof setTimeout> | undefined;
  const speak = () => {
    rest = undefined;
    if (waiting === '') return;
    region.textContent = waiting;
    waiting = '';
    rest = setTimeout(speak, restMs);
  };
  return (text) => {
    waiting = text;
    if (rest === undefined) speak();
  };
}

/**
 * Says every second how long it is until a moment.
 * @param until milliseconds since 1970
 * @param signal stops it
 * @returns true when the moment has come, false when it was stopped
 */
export function countDown(
  until: number,
  signal: AbortSignal,
  onTick: (leftMs: number) => void,
): Promise<boolean> {
  return new Promise((fulfil) => {
    const tick = () => {
      const left = until - Date.now();
      if (left <= 0 || signal.aborted) {
        clearInterval(timer);
        fulfil(!signal.aborted);
      } else onTick(left);
    };
    const timer = setInterval(tick, 1000);
    signal.addEventListener('abort', tick);
    tick();
  });
}
