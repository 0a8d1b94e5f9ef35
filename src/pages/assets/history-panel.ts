import type { FactoryDiff, FactoryJob } from '../../../generated/types.gen.ts';
import { draw } from './draw.ts';
import { historyParts } from './history-parts.ts';
import { diffOf, revisionsOf } from './revision-client.ts';
import { troubleText } from './told.ts';
import { element } from './tree.ts';

/** The revisions of an app: shown, compared with the one beside, and taken back to. */
export class HistoryPanel {
  #root;
  #acts;
  #revisions: readonly FactoryJob[] = [];
  #compared: { number: number; diff: FactoryDiff } | null = null;
  #shownId = '';

  constructor(
    root: HTMLElement,
    acts: {
      announce: (text: string) => void;
      show: (jobId: string) => Promise<void>;
      restore: (number: number) => Promise<void>;
    },
  ) {
    this.#root = root;
    this.#acts = acts;
    root.addEventListener('click', ({ target }) => {
      const button = target instanceof Element && target.closest('button[data-act]');
      if (button instanceof HTMLElement) void this.#act(button.dataset);
    });
  }

  async show(shownId: string) {
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

  async #act({ act, number = '', id = '' }: DOMStringMap) {
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

  async #tried(ask: () => Promise<void>) {
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
