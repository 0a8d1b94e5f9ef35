import { draw } from './draw.js';
import { filesOf } from './revision-client.js';
import { troubleText } from './told.js';
import { element } from './tree.js';
import { counted, inBytes } from './words.js';

/** The files of an app, to be read and copied. */
export class CodePanel {
  #root;
  #announce;
  /** @type {readonly { path: string, bytes: number, text: string }[]} */
  #files = [];
  #jobId = '';
  #path = 'src/app.js';

  /**
   * @param {HTMLElement} root
   * @param {(text: string) => void} announce
   */
  constructor(root, announce) {
    this.#root = root;
    this.#announce = announce;
    root.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLSelectElement) this.#path = target.value;
      this.#draw();
    });
    root.addEventListener('click', ({ target }) => {
      if (target instanceof Element && target.closest('[data-copy-file]')) void this.#copy();
    });
  }

  /** @param {string} jobId */
  async show(jobId) {
    if (jobId === this.#jobId) return;
    draw(this.#root, [element('p', { class: 'muted' }, 'Reading the files …')]);
    try {
      const { data } = await filesOf(jobId);
      this.#files = data;
      this.#jobId = jobId;
      this.#draw();
    } catch (error) {
      draw(this.#root, [element('p', { class: 'told-line', 'data-tone': 'bad' }, troubleText(error))]);
    }
  }

  get #file() {
    return (
      this.#files.find(({ path }) => path === this.#path) ??
      this.#files.find(({ path }) => path.endsWith('.js')) ??
      this.#files[0]
    );
  }

  #draw() {
    const file = this.#file;
    if (!file) return draw(this.#root, [element('p', {}, 'There are no files.')]);
    const lines = file.text.split('\n').length;
    draw(this.#root, [
      element(
        'div',
        { class: 'code-file' },
        element('label', { for: 'code-file' }, 'File'),
        element(
          'select',
          { id: 'code-file' },
          ...this.#files.map(({ path, bytes }) =>
            element('option', { value: path }, `${path} (${inBytes(bytes)})`),
          ),
        ),
      ),
      element(
        'figure',
        { class: 'code' },
        element(
          'figcaption',
          {},
          element('span', {}, `${file.path}, ${counted(lines, 'line')}`),
          element('button', { type: 'button', 'data-copy-file': true }, 'Copy'),
        ),
        element('pre', { tabindex: '0', 'aria-label': file.path }, element('code', {}, file.text)),
      ),
    ]);
    const select = this.#root.querySelector('select');
    if (select) select.value = file.path;
  }

  async #copy() {
    const button = this.#root.querySelector('[data-copy-file]');
    await navigator.clipboard.writeText(this.#file?.text ?? '');
    if (!button) return;
    button.textContent = 'Copied';
    this.#announce('The file is copied.');
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  }
}
