import type { FactoryDiff, FactoryJob } from '../../../generated/types.gen.ts';
import { draw } from './draw.ts';
import { historyParts } from './history-parts.ts';
import { html } from './html.ts';
import { diffOf, revisionsOf } from './revision-client.ts';
import { toldLine, troubleText } from './told.ts';

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
    else draw(this.#root, html`<p class="muted">Reading the history …</p>`);
    await this.#tried(async () => {
      const { data } = await revisionsOf(shownId);
      this.#revisions = data;
      this.#draw();
    });
  }

  #draw(trouble = html``) {
    draw(this.#root, html`${trouble}${historyParts(this.#revisions, this.#shownId, this.#compared)}`);
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
      this.#draw(toldLine(text, 'bad'));
      this.#acts.announce(text);
    }
  }
}
