import { placeWords } from './change-words.js';
import { isObject, listAt, valueAt } from './json-pointer.js';

/**
 * A text of a plan, as the app shows it.
 * @typedef {object} PlanText
 * @property {string} at its place, as a JSON Pointer
 * @property {string} text
 * @property {string} name what people call the place
 * @property {string} group texts of one group are shown near each other
 */

/** Members that no app shows as they are written. */
const unseen = new Set(
  'v kind variant lang icon palette currency features assumptions key type total expression colour endpoint'.split(
    ' ',
  ),
);
const maxTexts = 800;

/**
 * The texts of a plan that its app may show, names of fields first.
 * @param {unknown} spec
 * @returns {readonly PlanText[]}
 */
export function textsOf(spec) {
  /** @type {PlanText[]} */
  const found = [];
  const visit = (/** @type {unknown} */ value, /** @type {string} */ at) => {
    if (typeof value === 'string') {
      // `@+3` is a day from now.
      if (value.trim() === '' || /^@[+-]/.test(value)) return;
      const group = /^\/entity\/fields\/\d+\/label$/.test(at) ? '/entity/fields' : at.replace(/\/[^/]*$/, '');
      found.push({ at, text: value, name: nameOf(spec, at), group });
    } else if (Array.isArray(value)) value.forEach((item, n) => void visit(item, `${at}/${n}`));
    else if (isObject(value))
      for (const [name, member] of Object.entries(value))
        if (!unseen.has(name)) visit(member, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  };
  visit(spec, '');
  const isField = (/** @type {PlanText} */ { group }) => Number(group === '/entity/fields');
  return found.sort((a, b) => isField(b) - isField(a)).slice(0, maxTexts);
}

/**
 * A place in words; a value of an example goes by its field.
 * @param {unknown} spec
 * @param {string} at
 */
function nameOf(spec, at) {
  const [, example, key] = /^(\/seed\/\d+)\/([^/]+)$/.exec(at) ?? [];
  const field = listAt(spec, '/entity/fields').find((one) => valueAt(one, '/key') === key);
  return example && field ? `${placeWords(example)}, ${valueAt(field, '/label')}` : placeWords(at);
}

/** The longest instruction that the server takes, in characters. */
const maxInstruction = 500;

/** Lets the visitor point at an element of the app in the preview, and remembers what was pointed at. */
export class Pointing {
  #root;
  #around;
  /** What the app was asked to offer; null while nobody points. @type {readonly PlanText[] | null} */
  #offered = null;
  /** @type {PlanText | null} */
  #chosen = null;

  /**
   * @param {HTMLElement} root of the form for instructions
   * @param {object} around
   * @param {(text: string) => void} around.announce
   * @param {() => HTMLIFrameElement | null} around.frame of the app
   * @param {() => unknown} around.plan that the app was made from
   * @param {(at: string) => void} around.onChosen
   */
  constructor(root, around) {
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
      const { switchyard, at } = /** @type {Record<string, unknown>} */ (data ?? {});
      if (switchyard === 'pointed' && Number.isInteger(at)) this.#choose(this.#offered[Number(at)] ?? null);
    });
  }

  get #button() {
    return /** @type {HTMLButtonElement} */ (this.#root.querySelector('[data-point]'));
  }

  get #input() {
    return /** @type {HTMLInputElement} */ (this.#root.querySelector('input'));
  }

  /**
   * An instruction with the place that it is about.
   * @param {string} words
   */
  about(words) {
    return this.#chosen === null || words === '' ? words : `At ${this.#chosen.at}: ${words}`;
  }

  /** Takes instructions for the whole app again. */
  forget() {
    this.stop();
    this.#show(null);
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

  /** @param {readonly PlanText[] | null} texts */
  #ask(texts) {
    this.#offered = texts;
    this.#button.setAttribute('aria-pressed', String(texts !== null));
  }

  /** @param {PlanText | null} text */
  #choose(text) {
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

  /** @param {PlanText | null} text */
  #show(text) {
    this.#chosen = text;
    const note = /** @type {HTMLElement} */ (this.#root.querySelector('[data-point-at]'));
    note.hidden = text === null;
    const words = /** @type {HTMLElement} */ (note.querySelector('span'));
    words.textContent = text === null ? '' : `About “${text.text}” (${text.name}).`;
    this.#input.maxLength = maxInstruction - (text === null ? 0 : this.about('x').length - 1);
  }
}
