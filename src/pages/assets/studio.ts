import { type BuildState, buildOf } from './build-state.ts';
import type { BuildView } from './build-view.ts';
import { ChangePanel } from './change-panel.ts';
import { draw } from './draw.ts';
import { reviseBuild } from './follow-build.ts';
import { HistoryPanel } from './history-panel.ts';
import { html } from './html.ts';
import type { PlanForms } from './plan-schema.ts';
import { type Change, filesOf, formsAt, planOf, recordOf } from './revision-client.ts';
import { useTabs } from './tabs.ts';
import { toldLine, troubleText } from './told.ts';
import { counted, inBytes } from './words.ts';

export class CodePanel {
  #root;
  #announce;
  #files: readonly { path: string; bytes: number; text: string }[] = [];
  #jobId = '';
  #path = 'src/app.js';

  constructor(root: HTMLElement, announce: (text: string) => void) {
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

  async show(jobId: string) {
    if (jobId === this.#jobId) return;
    draw(this.#root, html`<p class="muted">Reading the files …</p>`);
    try {
      const { data } = await filesOf(jobId);
      this.#files = data;
      this.#jobId = jobId;
      this.#draw();
    } catch (error) {
      draw(this.#root, toldLine(troubleText(error), 'bad'));
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
    if (!file) return draw(this.#root, html`<p>There are no files.</p>`);
    const lines = file.text.split('\n').length;
    const options = this.#files.map(
      ({ path, bytes }) => html`<option value="${path}">${path} (${inBytes(bytes)})</option>`,
    );
    draw(
      this.#root,
      html`<div class="code-file"><label for="code-file">File</label><select id="code-file">${options}</select></div>
<figure class="code"><figcaption><span>${file.path}, ${counted(lines, 'line')}</span><button type="button" data-copy-file="">Copy</button></figcaption>
<pre tabindex="0" aria-label="${file.path}"><code>${file.text}</code></pre></figure>`,
    );
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

/** What stands beside the preview of a finished build: its form, its details, its code and its history. */
export class Studio {
  #root;
  #view;
  #onShown;
  #choose;
  #tab = 'details';
  #change;
  #code;
  #history;
  #jobId = '';
  #state: BuildState | null = null;
  #forms: Promise<PlanForms> | null = null;
  #asking = new AbortController();

  /**
   * @param root of the build
   * @param onShown when another revision is shown
   */
  constructor(root: HTMLElement, view: BuildView, onShown: (state: BuildState) => void) {
    const side = (name: string) => root.querySelector(`[data-side="${name}"]`) as HTMLElement;
    const { announce } = view;
    this.#root = root;
    this.#view = view;
    this.#onShown = onShown;
    const showNewest = async (id: string) => this.#take(buildOf(await recordOf(id)));
    this.#change = new ChangePanel(side('change'), {
      announce,
      showNewest,
      frame: () => root.querySelector('.window iframe:not([data-coming])'),
      revise: (change) => this.#revise(change),
    });
    this.#code = new CodePanel(side('code'), announce);
    this.#history = new HistoryPanel(side('history'), {
      announce,
      show: showNewest,
      restore: async (number) => {
        await this.#pick('change');
        await this.#change.change({ restore: number });
      },
    });
    const details = side('details');
    details.setAttribute('role', 'tabpanel');
    details.setAttribute('aria-labelledby', 'tab-details');
    this.#choose = useTabs(this.#tabs, { inAddress: false, onPick: (name) => void this.#fill(name) });
    root.addEventListener('click', ({ target }) => {
      const choice = target instanceof Element && target.closest('[data-near]');
      if (choice instanceof HTMLElement) void this.#takeNear(choice.dataset['near'] ?? '');
    });
  }

  get #tabs() {
    return this.#root.querySelector('[data-side-tabs]') as HTMLElement;
  }

  /** Offers what can be done with a build that succeeded. */
  open(state: BuildState) {
    this.#asking.abort();
    this.#change.forget();
    if (state.status !== 'succeeded' || state.jobId === null) return this.close();
    this.#state = state;
    this.#jobId = state.jobId;
    this.#tabs.hidden = false;
    void this.#pick('change');
  }

  /** The same for one of which the page knows no more than its id: the rest is fetched on demand. */
  offer(jobId: string) {
    this.#jobId = jobId;
    this.#tabs.hidden = false;
    this.#choose('details');
  }

  close() {
    this.#asking.abort();
    this.#state = null;
    this.#jobId = '';
    this.#tabs.hidden = true;
    this.#choose('details');
  }

  async #pick(name: string) {
    this.#choose(name);
    await this.#fill(name);
  }

  async #fill(name: string) {
    this.#tab = name;
    this.#root.dataset['side'] = name;
    if (name === 'code') return this.#code.show(this.#jobId);
    if (name === 'history') return this.#history.show(this.#jobId);
    if (name !== 'change') return;
    try {
      const [state, forms] = await Promise.all([this.#known(), this.#formsOnce()]);
      const spec = state.plan?.spec;
      if (spec) this.#change.show(forms, spec);
    } catch (error) {
      this.#view.announce(troubleText(error));
    }
  }

  async #known(): Promise<BuildState> {
    this.#state ??= buildOf(await recordOf(this.#jobId));
    return this.#state;
  }

  #formsOnce() {
    this.#forms ??= formsAt(this.#root.dataset['forms'] ?? '').catch((error) => {
      this.#forms = null;
      throw error;
    });
    return this.#forms;
  }

  async #revise(change: Change) {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#root.dataset['revising'] = '';
    try {
      const state = await reviseBuild(this.#view, this.#jobId, change, signal);
      signal.throwIfAborted();
      if (state.status === 'succeeded') this.#show(state);
      return state;
    } finally {
      delete this.#root.dataset['revising'];
    }
  }

  /** Shows another revision, with what is in the form put on top of its plan. */
  async #take(state: BuildState) {
    this.#show(state);
    // At once, so that no button becomes another one under the pointer a moment later.
    const listed = this.#tab === 'history' ? this.#history.show(this.#jobId) : null;
    const spec = state.plan?.spec;
    if (spec) this.#change.show(await this.#formsOnce(), spec);
    await listed;
  }

  #show(state: BuildState) {
    this.#state = state;
    this.#jobId = state.jobId ?? this.#jobId;
    this.#view.show(state);
    this.#onShown(state);
  }

  /** Builds one of the kinds that come near to what was asked for, or leads to the fields. */
  async #takeNear(kind: string) {
    await this.#pick('change');
    if (kind === '') return this.#change.reveal('/entity/fields/0/label');
    const { prompt } = await this.#known();
    if (prompt === '') return this.#change.change({ patch: { kind } });
    try {
      const { spec } = await planOf({ prompt, template_id: kind });
      await this.#change.change({ spec });
    } catch (error) {
      this.#view.announce(troubleText(error));
    }
  }
}
