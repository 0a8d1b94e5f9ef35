import type { FactoryDiff, FactoryJob } from '../../../generated/types.gen.ts';
import { type BuildState, buildOf } from './build-state.ts';
import type { BuildView } from './build-view.ts';
import { changePanel } from './change-panel.ts';
import { historyParts } from './change-words.ts';
import { draw, onClick, renewedSignal } from './draw.ts';
import { type Change, diffOf, filesOf, formsAt, planOf, recordOf, revisionsOf } from './factory-client.ts';
import { reviseBuild } from './follow-build.ts';
import { html } from './html.ts';
import { messageLine, troubleText } from './messages.ts';
import type { PlanForms } from './plan-schema.ts';
import { useTabs } from './tabs.ts';
import { counted, inBytes } from './words.ts';

/** Returns what shows the files of a build. */
function codePanel(root: HTMLElement, announce: (text: string) => void) {
  let files: readonly { path: string; bytes: number; text: string }[] = [];
  let shownId = '';
  let chosen = 'src/app.js';
  root.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement) chosen = target.value;
    drawFile();
  });
  onClick(root, '[data-copy-file]', (button) => void copy(button));

  const file = () =>
    files.find(({ path }) => path === chosen) ?? files.find(({ path }) => path.endsWith('.js')) ?? files[0];

  function drawFile() {
    const shown = file();
    if (!shown) return draw(root, html`<p>There are no files.</p>`);
    const lines = shown.text.split('\n').length;
    const options = files.map(
      ({ path, bytes }) => html`<option value="${path}">${path} (${inBytes(bytes)})</option>`,
    );
    draw(
      root,
      html`<div class="code-file"><label for="code-file">File</label><select id="code-file">${options}</select></div>
<figure class="code"><figcaption><span>${shown.path}, ${counted(lines, 'line')}</span><button type="button" data-copy-file="">Copy</button></figcaption>
<pre tabindex="0" aria-label="${shown.path}"><code>${shown.text}</code></pre></figure>`,
    );
    const select = root.querySelector('select');
    if (select) select.value = shown.path;
  }

  async function copy(button: HTMLElement) {
    await navigator.clipboard.writeText(file()?.text ?? '');
    button.textContent = 'Copied';
    announce('The file is copied.');
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  }

  return async (jobId: string) => {
    if (jobId === shownId) return;
    draw(root, html`<p class="muted">Reading the files …</p>`);
    try {
      const { data } = await filesOf(jobId);
      files = data;
      shownId = jobId;
      drawFile();
    } catch (error) {
      draw(root, messageLine(troubleText(error), 'bad'));
    }
  };
}

/** The revisions of an app: shown, compared with the one beside, and taken back to. Returns what shows those of a build. */
function historyPanel(
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

  onClick(root, 'button[data-act]', ({ dataset }) => void act(dataset));

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

/**
 * The panels beside the preview of a finished build: its form, its details, its code and its history.
 * @param root of the build
 * @param onShown when another revision is shown
 */
export function studioBeside(root: HTMLElement, view: BuildView, onShown: (state: BuildState) => void) {
  const side = (name: string) => root.querySelector(`[data-side="${name}"]`) as HTMLElement;
  const tabs = root.querySelector('[data-side-tabs]') as HTMLElement;
  const { announce } = view;
  let tab = 'details';
  let jobId = '';
  let state: BuildState | null = null;
  let forms: Promise<PlanForms> | null = null;
  const freshSignal = renewedSignal();
  const showNewest = async (id: string) => take(buildOf(await recordOf(id)));
  const change = changePanel(side('change'), {
    announce,
    showNewest,
    frame: () => root.querySelector('.window iframe:not([data-coming])'),
    revise,
  });
  const showCode = codePanel(side('code'), announce);
  const showHistory = historyPanel(side('history'), {
    announce,
    show: showNewest,
    restore: async (number) => {
      await pick('change');
      await change.change({ restore: number });
    },
  });
  const details = side('details');
  details.setAttribute('role', 'tabpanel');
  details.setAttribute('aria-labelledby', 'tab-details');
  const choose = useTabs(tabs, { inAddress: false, onPick: (name) => void fill(name) });
  onClick(root, '[data-near]', ({ dataset }) => void takeNear(dataset['near'] ?? ''));

  /** Offers what can be done with a build that succeeded. */
  function open(build: BuildState) {
    freshSignal();
    change.forget();
    if (build.status !== 'succeeded' || build.jobId === null) return close();
    state = build;
    jobId = build.jobId;
    tabs.hidden = false;
    void pick('change');
  }

  /** The same for one of which the page knows no more than its id: the rest is fetched on demand. */
  function offer(id: string) {
    jobId = id;
    tabs.hidden = false;
    choose('details');
  }

  function close() {
    freshSignal();
    state = null;
    jobId = '';
    tabs.hidden = true;
    choose('details');
  }

  async function pick(name: string) {
    choose(name);
    await fill(name);
  }

  async function fill(name: string) {
    tab = name;
    root.dataset['side'] = name;
    if (name === 'code') return showCode(jobId);
    if (name === 'history') return showHistory(jobId);
    if (name !== 'change') return;
    try {
      const [{ plan }, known] = await Promise.all([knownState(), formsOnce()]);
      if (plan?.spec) change.show(known, plan.spec);
    } catch (error) {
      view.announce(troubleText(error));
    }
  }

  async function knownState(): Promise<BuildState> {
    state ??= buildOf(await recordOf(jobId));
    return state;
  }

  function formsOnce() {
    forms ??= formsAt(root.dataset['forms'] ?? '').catch((error) => {
      forms = null;
      throw error;
    });
    return forms;
  }

  async function revise(asked: Change) {
    const signal = freshSignal();
    root.dataset['revising'] = '';
    try {
      const build = await reviseBuild(view, jobId, asked, signal);
      signal.throwIfAborted();
      if (build.status === 'succeeded') show(build);
      return build;
    } finally {
      delete root.dataset['revising'];
    }
  }

  /** Shows another revision, with what is in the form put on top of its plan. */
  async function take(build: BuildState) {
    show(build);
    // At once, so that no button becomes another one under the pointer a moment later.
    const listed = tab === 'history' ? showHistory(jobId) : null;
    const spec = build.plan?.spec;
    if (spec) change.show(await formsOnce(), spec);
    await listed;
  }

  function show(build: BuildState) {
    state = build;
    jobId = build.jobId ?? jobId;
    view.show(build);
    onShown(build);
  }

  /** Builds one of the kinds that come near to what was asked for, or leads to the fields. */
  async function takeNear(kind: string) {
    await pick('change');
    if (kind === '') return change.reveal('/entity/fields/0/label');
    const { prompt } = await knownState();
    if (prompt === '') return change.change({ patch: { kind } });
    try {
      const { spec } = await planOf({ prompt, template_id: kind });
      await change.change({ spec });
    } catch (error) {
      view.announce(troubleText(error));
    }
  }

  return { open, offer, close };
}
