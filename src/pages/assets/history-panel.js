import { draw } from './draw.js';
import { historyParts } from './history-parts.js';
import { diffOf, revisionsOf } from './revision-client.js';
import { troubleText } from './told.js';
import { element } from './tree.js';

/** The revisions of an app: shown, compared with the one beside, and taken back to. */
export class HistoryPanel {
  #root;
  #acts;
  /** @type {readonly import('../../../generated/types.gen.ts').FactoryJob[]} */
  #revisions = [];
  /** @type {{ number: number, diff: import('../../../generated/types.gen.ts').FactoryDiff } | null} */
  #compared = null;
  #shownId = '';

  /**
   * @param {HTMLElement} root
   * @param {{ announce: (text: string) => void, show: (jobId: string) => Promise<void>, restore: (number: number) => Promise<void> }} acts
   */
  constructor(root, acts) {
    this.#root = root;
    this.#acts = acts;
    root.addEventListener('click', ({ target }) => {
      const button = target instanceof Element && target.closest('button[data-act]');
      if (button instanceof HTMLElement) void this.#act(button.dataset);
    });
  }

  /** @param {string} shownId */
  async show(shownId) {
    this.#shownId = shownId;
    this.#compared = null;
    if (this.#revisions.some(({ id }) => id === shownId)) this.#draw();
    else draw(this.#root, [element('p', { class: 'muted' }, 'Reading the history …')]);
    await this.#tried(async () => {
      const { data } = await revisionsOf(shownId);
      this.#revisions = data;
      this.#draw();
    });
  }

  #draw() {
    draw(this.#root, historyParts(this.#revisions, this.#shownId, this.#compared));
  }

  /** @param {DOMStringMap} button */
  async #act({ act, number = '', id = '' }) {
    await this.#tried(async () => {
      if (act === 'show') await this.#acts.show(id);
      else if (act === 'restore') await this.#acts.restore(Number(number));
      else if (act === 'compare') {
        this.#compared = { number: Number(number), diff: await diffOf(this.#shownId, Number(number)) };
        this.#draw();
        document.getElementById('compared')?.focus();
      }
    });
  }

  /** @param {() => Promise<void>} ask */
  async #tried(ask) {
    try {
      await ask();
    } catch (error) {
      const text = troubleText(error);
      draw(this.#root, [
        element('p', { class: 'told-line', 'data-tone': 'bad' }, text),
        ...historyParts(this.#revisions, this.#shownId, this.#compared),
      ]);
      this.#acts.announce(text);
    }
  }
}
