import { buildOf } from './build-state.js';
import { ChangePanel } from './change-panel.js';
import { CodePanel } from './code-panel.js';
import { reviseBuild } from './follow-build.js';
import { HistoryPanel } from './history-panel.js';
import { formsAt, planOf, recordOf } from './revision-client.js';
import { useTabs } from './tabs.js';
import { troubleText } from './told.js';

/**
 * @typedef {import('./build-state.js').BuildState} BuildState
 * @typedef {import('./plan-schema.js').PlanForms} PlanForms
 */

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
  /** @type {BuildState | null} */
  #state = null;
  /** @type {Promise<PlanForms> | null} */
  #forms = null;
  #asking = new AbortController();

  /**
   * @param {HTMLElement} root of the build
   * @param {import('./build-view.js').BuildView} view
   * @param {(state: BuildState) => void} onShown when another revision is shown
   */
  constructor(root, view, onShown) {
    const side = (/** @type {string} */ name) =>
      /** @type {HTMLElement} */ (root.querySelector(`[data-side="${name}"]`));
    const { announce } = view;
    this.#root = root;
    this.#view = view;
    this.#onShown = onShown;
    const showNewest = async (/** @type {string} */ id) => this.#take(buildOf(await recordOf(id)));
    this.#change = new ChangePanel(side('change'), {
      announce,
      showNewest,
      revise: (change, onProgress) => this.#revise(change, onProgress),
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
    return /** @type {HTMLElement} */ (this.#root.querySelector('[data-side-tabs]'));
  }

  /**
   * Offers what can be done with a build that succeeded.
   * @param {BuildState} state
   */
  open(state) {
    this.#asking.abort();
    this.#change.forget();
    if (state.status !== 'succeeded' || state.jobId === null) return this.close();
    this.#state = state;
    this.#jobId = state.jobId;
    this.#tabs.hidden = false;
    void this.#pick('change');
  }

  /**
   * The same for one of which the page knows no more than its id: the rest is asked for when somebody wants it.
   * @param {string} jobId
   */
  offer(jobId) {
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

  /** @param {string} name */
  async #pick(name) {
    this.#choose(name);
    await this.#fill(name);
  }

  /**
   * Fills the panel of a tab.
   * @param {string} name
   */
  async #fill(name) {
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

  /** @returns {Promise<BuildState>} */
  async #known() {
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

  /**
   * @param {import('./revision-client.js').Change} change
   * @param {(message: string) => void} onProgress
   */
  async #revise(change, onProgress) {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#root.dataset['revising'] = '';
    try {
      const state = await reviseBuild(this.#view, { of: this.#jobId, change, signal, onProgress });
      signal.throwIfAborted();
      if (state.status === 'succeeded') this.#show(state);
      return state;
    } finally {
      delete this.#root.dataset['revising'];
    }
  }

  /**
   * Shows another revision, with what is in the form put on top of its plan.
   * @param {BuildState} state
   */
  async #take(state) {
    this.#show(state);
    // At once, so that no button becomes another one under the pointer a moment later.
    const listed = this.#tab === 'history' ? this.#history.show(this.#jobId) : null;
    const spec = state.plan?.spec;
    if (spec) this.#change.show(await this.#formsOnce(), spec);
    await listed;
  }

  /** @param {BuildState} state */
  #show(state) {
    this.#state = state;
    this.#jobId = state.jobId ?? this.#jobId;
    this.#view.show(state);
    this.#onShown(state);
  }

  /**
   * Builds one of the kinds that come near to what was asked for, or leads to the fields.
   * @param {string} kind
   */
  async #takeNear(kind) {
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
