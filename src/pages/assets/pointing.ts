import { type PlanText, textsOf } from './change-words.ts';
import { listAt } from './json-pointer.ts';

/** The longest instruction that the server takes, in characters. */
const maxInstruction = 500;

/**
 * Lets the visitor point at an element of the app in the preview, and remembers what was pointed at.
 * @param root of the form for instructions
 * @param around.frame of the app
 * @param around.plan that the app was made from
 */
export function usePointing(
  root: HTMLElement,
  {
    announce,
    frame,
    plan,
    onChosen,
  }: {
    readonly announce: (text: string) => void;
    readonly frame: () => HTMLIFrameElement | null;
    readonly plan: () => unknown;
    readonly onChosen: (at: string) => void;
  },
) {
  const button = root.querySelector('[data-point]') as HTMLButtonElement;
  const input = root.querySelector('input') as HTMLInputElement;
  /** The texts that the app was asked to offer; null while the visitor does not point. */
  let offered: readonly PlanText[] | null = null;
  let chosen: PlanText | null = null;

  button.addEventListener('click', () => (offered ? stop() : start()));
  root.querySelector('[data-point-whole]')?.addEventListener('click', () => {
    forget();
    input.focus();
  });
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') stop();
  });
  // Another app has taken the place of the one that was pointed at.
  addEventListener('preview-exchanged', () => {
    if (offered) start();
  });
  // An app may say anything at any time: only the number of a text that it was asked to offer counts.
  addEventListener('message', ({ source, data }) => {
    if (offered === null || source === null || source !== frame()?.contentWindow) return;
    const { switchyard, at } = (data ?? {}) as Record<string, unknown>;
    if (switchyard === 'pointed' && Number.isInteger(at)) choose(offered[Number(at)] ?? null);
  });

  /** An instruction with the place that it is about. */
  function about(words: string) {
    return chosen === null || words === '' ? words : `At ${chosen.at}: ${words}`;
  }

  /** Takes instructions for the whole app again. */
  function forget() {
    stop();
    show(null);
  }

  /** Is about the same text of a new plan, which may be elsewhere in its list or be called otherwise; about none that is removed. */
  function keep(next: unknown) {
    const before = chosen;
    stop();
    if (before === null) return;
    const list = before.at.replace(/\/\d+(?:\/[^/]+)?$/, '');
    const texts = textsOf(next);
    const there = texts.find(({ at }) => at === before.at);
    const sort = (at: string) => at.replaceAll(/\/\d+/g, '/*');
    const same = texts.filter(
      ({ at, text }) => text === before.text && at.startsWith(list) && sort(at) === sort(before.at),
    );
    const isRenamed = listAt(next, list).length === listAt(plan(), list).length;
    const moved = same.length === 1 ? same[0] : isRenamed && there;
    show((there?.text === before.text ? there : moved) || null);
  }

  function stop() {
    if (offered === null) return;
    ask(null);
    frame()?.contentWindow?.postMessage({ switchyard: 'point', texts: null }, '*');
  }

  function start() {
    const app = frame();
    const texts = textsOf(plan());
    if (!app?.contentWindow || texts.length === 0) return;
    ask(texts);
    app.scrollIntoView({ block: 'nearest' });
    app.focus();
    // The app has an origin that no address names.
    app.contentWindow.postMessage({ switchyard: 'point', texts }, '*');
    announce('Choose an element of the app. Tab moves on, Enter chooses, Escape leaves.');
  }

  function ask(texts: readonly PlanText[] | null) {
    offered = texts;
    button.setAttribute('aria-pressed', String(texts !== null));
    (root.querySelector('#point-hint') as HTMLElement).hidden = texts === null;
  }

  function choose(text: PlanText | null) {
    ask(null);
    if (text === null) {
      button.focus();
      announce('Nothing was chosen.');
      return;
    }
    show(text);
    onChosen(text.at);
    announce(`${text.name}: ${text.text}`);
  }

  function show(text: PlanText | null) {
    chosen = text;
    const note = root.querySelector('[data-point-at]') as HTMLElement;
    note.hidden = text === null;
    const words = note.querySelector('span') as HTMLElement;
    words.textContent = text === null ? '' : `About “${text.text}” (${text.name}).`;
    input.maxLength = maxInstruction - (text === null ? 0 : about('x').length - 1);
  }

  return { about, forget, keep };
}
