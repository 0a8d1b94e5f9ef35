import type { FactoryDiff, FactoryJob } from '../../../generated/types.gen.ts';
import { draw } from './draw.ts';
import { historyParts } from './history-parts.ts';
import { html } from './html.ts';
import { messageLine, troubleText } from './messages.ts';
import { diffOf, revisionsOf } from './revision-client.ts';

/** The revisions of an app: shown, compared with the one beside, and taken back to. Returns what shows those of a build. */
export function historyPanel(
  root: HTMLElement,
  acts: {
    announce: (text: string) => void;
    show: (jobId: string) => Promise<void>;
    restore: (number: number) => Promise<void>;
  },
) {
  let revisions: readonly FactoryJob[] = [];
  let compared: { number: number; diff: FactoryDiff } | null = null;
  let shownId = '';

  root.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('button[data-act]');
    if (button instanceof HTMLElement) void act(button.dataset);
  });

  function show(trouble = html``) {
    draw(root, html`${trouble}${historyParts(revisions, shownId, compared)}`);
  }

  async function act({ act, number = '', id = '' }: DOMStringMap) {
    await tried(async () => {
      if (act === 'show') await acts.show(id);
      else if (act === 'restore') await acts.restore(Number(number));
      else if (act === 'compare') {
        compared = { number: Number(number), diff: await diffOf(shownId, Number(number)) };
        show();
        document.getElementById('compared')?.focus();
      }
    });
  }

  async function tried(ask: () => Promise<void>) {
    try {
      await ask();
    } catch (error) {
      const text = troubleText(error);
      show(messageLine(text, 'bad'));
      acts.announce(text);
    }
  }

  return async (jobId: string) => {
    shownId = jobId;
    compared = null;
    if (revisions.some(({ id }) => id === jobId)) show();
    else draw(root, html`<p class="muted">Reading the history …</p>`);
    await tried(async () => {
      const { data } = await revisionsOf(jobId);
      revisions = data;
      show();
    });
  };
}
