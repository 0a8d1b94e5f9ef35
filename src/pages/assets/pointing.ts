import { type PlanText, textsOf } from './change-words.ts';
import { listAt } from './json-pointer.ts';

/** The longest instruction that the server takes, in characters. */
const maxInstruction = 500;

/** Lets the visitor point at an element of the app in the preview, and remembers what was pointed at. */
export class Pointing {
  #root;
  #around;
  /** What the app was asked to offer; null while nobody points. */
  #offered: readonly PlanText[] | null = null;
  #chosen: PlanText | null = null;

  /**
   * @param root of the form for instructions
   * @param around.frame of the app
   * @param around.plan that the app was made from
   */
  constructor(
    root: HTMLElement,
    around: {
      readonly announce: (text: string) => void;
      readonly frame: () => HTMLIFrameElement | null;
      readonly plan: () => unknown;
      readonly onChosen: (at: string) => void;
    },
  ) {
    this.#root = root;
    this.#around = around;
    this.#button.addEventListener('click', () => (this.#offered ? this.stop() : this.#start()));
    root.querySelector('[data-point-whole]')?.addEventListener('click', () => {
      this.forget();
      this.#input.focus();
    });
    addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.stop();
    });
    // Another app has taken the place of the one that was pointed at.
    addEventListener('preview-exchanged', () => {
      if (this.#offered) this.#start();
    });
    // An app may say anything at any time: what counts is the number of a text that it was asked to offer.
    addEventListener('message', ({ source, data }) => {
      if (this.#offered === null || source === null || source !== around.frame()?.contentWindow) return;
      const { switchyard, at } = (data ?? {}) as Record<string, unknown>;
      if (switchyard === 'pointed' && Number.isInteger(at)) this.#choose(this.#offered[Number(at)] ?? null);
    });
  }

  get #button() {
    return this.#root.querySelector('[data-point]') as HTMLButtonElement;
  }

  get #input() {
    return this.#root.querySelector('input') as HTMLInputElement;
  }

  /** An instruction with the place that it is about. */
  about(words: string) {
    return this.#chosen === null || words === '' ? words : `At ${this.#chosen.at}: ${words}`;
  }

  /** Takes instructions for the whole app again. */
  forget() {
    this.stop();
    this.#show(null);
  }

  /** Is about the same text of a new plan, which may be elsewhere in its list or be called otherwise; about none that is removed. */
  keep(plan: unknown) {
    const before = this.#chosen;
    this.stop();
    if (before === null) return;
    const list = before.at.replace(/\/\d+(?:\/[^/]+)?$/, '');
    const texts = textsOf(plan);
    const there = texts.find(({ at }) => at === before.at);
    const sort = (at: string) => at.replaceAll(/\/\d+/g, '/*');
    const same = texts.filter(
      ({ at, text }) => text === before.text && at.startsWith(list) && sort(at) === sort(before.at),
    );
    const isRenamed = listAt(plan, list).length === listAt(this.#around.plan(), list).length;
    const moved = same.length === 1 ? same[0] : isRenamed && there;
    this.#show((there?.text === before.text ? there : moved) || null);
  }

  stop() {
    if (this.#offered === null) return;
    this.#ask(null);
    this.#around.frame()?.contentWindow?.postMessage({ switchyard: 'point', texts: null }, '*');
  }

  #start() {
    const frame = this.#around.frame();
    const texts = textsOf(this.#around.plan());
    if (!frame?.contentWindow || texts.length === 0) return;
    this.#ask(texts);
    frame.scrollIntoView({ block: 'nearest' });
    frame.focus();
    // The app has an origin that no address names.
    frame.contentWindow.postMessage({ switchyard: 'point', texts }, '*');
    this.#around.announce('Choose an element of the app. Tab moves on, Enter chooses, Escape leaves.');
  }

  #ask(texts: readonly PlanText[] | null) {
    this.#offered = texts;
    this.#button.setAttribute('aria-pressed', String(texts !== null));
    (this.#root.querySelector('#point-hint') as HTMLElement).hidden = texts === null;
  }

  #choose(text: PlanText | null) {
    this.#ask(null);
    if (text === null) {
      this.#button.focus();
      this.#around.announce('Nothing was chosen.');
      return;
    }
    this.#show(text);
    this.#around.onChosen(text.at);
    this.#around.announce(`${text.name}: ${text.text}`);
  }

  #show(text: PlanText | null) {
    this.#chosen = text;
    const note = this.#root.querySelector('[data-point-at]') as HTMLElement;
    note.hidden = text === null;
    const words = note.querySelector('span') as HTMLElement;
    words.textContent = text === null ? '' : `About “${text.text}” (${text.name}).`;
    this.#input.maxLength = maxInstruction - (text === null ? 0 : this.about('x').length - 1);
  }
}
