import { changeText, changeWords } from './change-words.js';
import { draw } from './draw.js';
import { diffOf, revisionsOf } from './revision-client.js';
import { troubleText } from './told.js';
import { element, treesOf } from './tree.js';
import { counted, timeOf } from './words.js';

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

/**
 * @typedef {import('../../../generated/types.gen.ts').FactoryJob} FactoryJob
 * @typedef {import('../../../generated/types.gen.ts').FactoryDiff} FactoryDiff
 * @typedef {import('./tree.js').Tree} Tree
 */

/**
 * The revisions of an app, newest first, with what can be done with each.
 * @param {readonly FactoryJob[]} revisions
 * @param {string} shownId the one that is shown beside
 * @param {{ number: number, diff: FactoryDiff } | null} compared
 * @returns {readonly Tree[]}
 */
export function historyParts(revisions, shownId, compared) {
  const newest = revisions[0]?.id;
  const shown = revisions.find(({ id }) => id === shownId)?.revision.number;
  return [
    element('h2', { class: 'hidden' }, 'History'),
    element(
      'ol',
      { class: 'revisions', reversed: true, 'aria-label': 'Revisions, the newest first' },
      ...revisions.map((job) => {
        const { number, base_id: baseId, change, not_understood: left } = job.revision;
        const before = revisions.find(({ id }) => id === baseId)?.plan?.spec;
        const here = job.id === shownId;
        const name = `revision ${number}`;
        const act = (/** @type {string} */ action, /** @type {string} */ text) =>
          element(
            'button',
            {
              type: 'button',
              class: 'plain',
              'data-act': action,
              'data-number': String(number),
              'data-id': job.id,
              'aria-label': `${text} ${name}`,
            },
            text,
          );
        return element(
          'li',
          { class: 'revision', 'aria-current': here ? 'true' : null },
          element(
            'p',
            { class: 'revision-name' },
            element('strong', {}, String(number)),
            ` ${changeText(change, before) || 'the first build'} `,
            element('time', { datetime: job.created_at, class: 'muted' }, timeOf(job.created_at)),
          ),
          left.length > 0 &&
            element('p', { class: 'revision-left muted' }, 'Not understood: ', ...quoted(left), '.'),
          element(
            'p',
            { class: 'revision-acts' },
            here && element('span', { class: 'muted' }, 'shown'),
            job.status !== 'succeeded' && element('span', { class: 'muted' }, job.status),
            job.status === 'succeeded' && !here && act('show', 'Show'),
            job.status === 'succeeded' && !here && shown !== undefined && act('compare', 'Compare'),
            job.status === 'succeeded' && job.id !== newest && act('restore', 'Restore'),
          ),
        );
      }),
    ),
    ...(compared === null ? [] : diffParts(compared.diff)),
  ];
}

/**
 * What differs, in words and in the files.
 * @param {FactoryDiff} diff
 * @returns {readonly Tree[]}
 */
function diffParts({ from, to, spec, files }) {
  return treesOf([
    element('h3', { id: 'compared', tabindex: '-1' }, `From revision ${from?.number ?? 0} to ${to.number}`),
    spec.length === 0
      ? element('p', {}, 'Their plans are the same.')
      : element('ul', { class: 'changes' }, ...spec.map((change) => element('li', {}, changeWords(change)))),
    element(
      'h4',
      {},
      files.length === 0 ? 'Their files are the same.' : `${counted(files.length, 'file')} changed`,
    ),
    ...files.map(({ path, status, diff, before_bytes, after_bytes }) =>
      element(
        'details',
        { class: 'file-change' },
        element(
          'summary',
          { class: 'file-name' },
          element('code', {}, path),
          element('span', { class: 'muted' }, ` ${status}`),
        ),
        diff === null
          ? element('p', { class: 'muted' }, `${before_bytes ?? 0} bytes before, ${after_bytes ?? 0} after.`)
          : element(
              'pre',
              { class: 'diff', tabindex: '0', 'aria-label': `Changes of ${path}` },
              ...linesOf(diff).map(line),
            ),
      ),
    ),
  ]);
}

/** @param {readonly string[]} texts */
function quoted(texts) {
  return texts.flatMap((text, n) => [n > 0 && ', ', element('q', {}, text)]);
}

/**
 * The lines of a unified diff, without those that name the file.
 * @param {string} diff
 */
function linesOf(diff) {
  const lines = diff.trimEnd().split('\n');
  return lines.slice(
    Math.max(
      lines.findIndex((line) => line.startsWith('@@')),
      0,
    ),
  );
}

/** @param {string} text of a unified diff */
function line(text) {
  const sort = { '+': 'added', '-': 'removed', '@': 'place' }[text.charAt(0)] ?? 'same';
  return element('span', { 'data-sort': sort }, `${text}\n`);
}
