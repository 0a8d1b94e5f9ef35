import { changedWords } from './change-words.js';
import { isObject, patchBetween, patched } from './json-pointer.js';
import { planToSend } from './plan-edits.js';
import { PlanForm } from './plan-form.js';
import { Pointing } from './pointing.js';
import { Refusal } from './refusal.js';
import { isAbort, teller, troubleText } from './told.js';
import { element } from './tree.js';

/**
 * @typedef {import('./build-state.js').BuildState} BuildState
 * @typedef {import('./plan-edits.js').Draft} Draft
 * @typedef {import('./revision-client.js').Change} Change
 * @typedef {import('./plan-schema.js').PlanForms} PlanForms
 */

/**
 * What the panel needs of what is around it.
 * @typedef {object} Around
 * @property {(text: string) => void} announce
 * @property {(change: Change, onProgress: (message: string) => void) => Promise<BuildState>} revise has the build changed that is shown
 * @property {() => HTMLIFrameElement | null} frame of its preview
 * @property {(jobId: string) => Promise<void>} showNewest shows another revision in its place
 */

const notUnderstood =
  'This was not understood. Say one change at a time, such as “call it Zap”, “add a due date”, “drop the chart” or “in Spanish”, or edit the plan below.';

/** Changes the app that is shown: by an instruction, or by the form of its plan. */
export class ChangePanel {
  #around;
  #instruct;
  #box;
  #form;
  #note;
  #fields;
  #pointing;
  #tell;
  /** The plan of the build that is shown. @type {Draft} */
  #base = {};
  /** @type {PlanForms | null} */
  #forms = null;

  /**
   * @param {HTMLElement} root
   * @param {Around} around
   */
  constructor(root, around) {
    const one = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
    this.#around = around;
    this.#instruct = /** @type {HTMLFormElement} */ (one('[data-instruct]'));
    this.#box = /** @type {HTMLInputElement} */ (one('#instruction'));
    this.#form = /** @type {HTMLFormElement} */ (one('[data-plan-form]'));
    this.#note = one('[data-form-note]');
    this.#tell = teller(one('[data-told]'), around.announce);
    this.#fields = new PlanForm(one('[data-plan-fields]'), {
      prefix: 'plan',
      announce: around.announce,
      onChange: () => this.#showNote(),
    });
    this.#pointing = new Pointing(this.#instruct, {
      announce: around.announce,
      frame: around.frame,
      plan: () => this.#base,
      onChosen: (at) => this.reveal(at),
    });
    this.#instruct.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#tellInstruction();
    });
    this.#instruct.addEventListener('click', ({ target }) => {
      const example = target instanceof Element && target.closest('button[data-example]');
      if (!example) return;
      this.#box.value = example.textContent ?? '';
      this.#box.focus();
    });
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#sendForm();
    });
    one('[data-discard]').addEventListener('click', () => this.#discard());
  }

  get #busy() {
    return this.#form.dataset['busy'] !== undefined;
  }

  /**
   * Shows the plan of another build. The user's changes to the former one are applied to it.
   * @param {PlanForms} forms
   * @param {Draft} spec
   * @param {Draft} [sent] what is part of the new plan already
   */
  show(forms, spec, sent = this.#base) {
    this.#pointing.forget();
    const own = this.#forms === null ? undefined : patchBetween(sent, this.#fields.draft);
    this.#forms = forms;
    this.#base = spec;
    const draft = own === undefined ? spec : patched(spec, own);
    this.#fields.show(forms, isObject(draft) ? draft : spec);
    this.#showNote();
  }

  /** Forgets what was changed, for another app. */
  forget() {
    this.#forms = null;
    this.#pointing.forget();
    this.#tell('');
    this.#box.value = '';
  }

  /**
   * Takes the reader to a part of the form, or where it has none for a place to the box for instructions.
   * @param {string} pointer
   */
  reveal(pointer) {
    if (!this.#fields.reveal(pointer)) this.#box.focus();
  }

  /**
   * Builds a change that was asked for elsewhere on the page.
   * @param {Change} change
   */
  async change(change) {
    await this.#send(change, this.#base, 'The change is built.');
  }

  async #tellInstruction() {
    const instruction = this.#pointing.about(this.#box.value.trim());
    if (this.#busy) return;
    if (instruction === '') {
      this.#tell('Say what to change, in a few words.', 'bad');
      this.#box.focus();
      return;
    }
    const state = await this.#send({ instruction }, this.#base, '');
    if (state?.status !== 'succeeded') return this.#box.focus();
    const { understood = [], not_understood: left = [] } = state.revision ?? {};
    if (left.length === 0) this.#box.value = '';
    this.#tell(
      left.length === 0 ? 'The change is built.' : 'Built, but part of it was not understood.',
      left.length === 0 ? 'good' : 'bad',
      ...understood.map((text) => element('p', { class: 'understood' }, text)),
      left.length > 0 &&
        element(
          'p',
          { class: 'left' },
          'Not understood: ',
          ...left.flatMap((text, n) => [n > 0 && ', ', element('q', {}, text)]),
          '. Say it in other words, or edit the plan below.',
        ),
    );
  }

  async #sendForm() {
    if (this.#busy) return;
    const sent = this.#fields.draft;
    const patch = this.#patch();
    if (patch === undefined) {
      this.#tell('Nothing in the form is changed yet.');
      return;
    }
    await this.#send({ patch }, sent, 'The change is built.');
  }

  /**
   * @param {Change} change
   * @param {Draft} sent the form as it was when it was asked
   * @param {string} success
   * @returns {Promise<BuildState | null>} null where it was refused
   */
  async #send(change, sent, success) {
    this.#setBusy(true);
    this.#tell('Building the change …');
    try {
      const state = await this.#around.revise(change, (message) => message);
      const spec = state.plan?.spec;
      if (state.status !== 'succeeded' || !spec) {
        this.#tell(state.error?.message ?? 'The change could not be built. The app is as it was.', 'bad');
        return state;
      }
      if (this.#forms) this.show(this.#forms, spec, sent);
      if (success !== '') this.#tell(success, 'good');
      return state;
    } catch (error) {
      if (isAbort(error)) this.#tell('');
      else this.#explain(error, change);
      return null;
    } finally {
      this.#setBusy(false);
    }
  }

  /**
   * @param {unknown} error
   * @param {Change} change
   */
  #explain(error, change) {
    const newest = error instanceof Refusal && error.status === 409 ? detail(error, 'newest_id') : '';
    if (error instanceof Refusal && newest !== '')
      return this.#offer(newest, detail(error, 'newest_number'), change);
    if (error instanceof Refusal && error.details.some(({ code }) => code === 'not_understood')) {
      this.#tell(notUnderstood, 'bad');
      this.#box.focus();
      return;
    }
    const wrong = error instanceof Refusal && error.status === 400 && !('instruction' in change);
    const others = wrong ? this.#fields.complain(error.details) : [];
    if (!wrong || others.length > 0 || error.details.length === 0)
      this.#tell([troubleText(error), ...others.slice(1)].join(' '), 'bad');
    else this.#tell('Something in the form is wrong; it says where.', 'bad');
    if ('instruction' in change) this.#box.focus();
  }

  /**
   * Another change came first: shows it, and offers to put this one on top of it.
   * @param {string} id
   * @param {string} number
   * @param {Change} change
   */
  #offer(id, number, change) {
    const buttons = element(
      'div',
      { class: 'choices' },
      element(
        'button',
        { type: 'button', class: 'button small-button', 'data-offer': 'apply' },
        'Make my change on top of it',
      ),
      element(
        'button',
        { type: 'button', class: 'button small-button', 'data-offer': 'show' },
        'Only show it',
      ),
    );
    this.#tell(
      `Meanwhile this app was changed: revision ${number} is newer. What you entered is kept.`,
      'bad',
      buttons,
    );
    const take = async (/** @type {boolean} */ apply) => {
      const before = this.#base;
      try {
        await this.#around.showNewest(id);
      } catch (error) {
        this.#tell(troubleText(error), 'bad');
        return;
      }
      const told = changedWords(before, this.#base);
      if (!apply) return this.#tell(`This is revision ${number}. ${told}`.trim());
      if ('instruction' in change) await this.#tellInstruction();
      else if ('patch' in change) await this.#sendForm();
      else await this.change(change);
    };
    for (const button of this.#instruct.parentElement?.querySelectorAll('[data-offer]') ?? []) {
      const apply = button.getAttribute('data-offer') === 'apply';
      button.addEventListener('click', () => void take(apply), { once: true });
      if (apply && button instanceof HTMLElement) button.focus();
    }
  }

  /**
   * What the form would change; undefined where it is as the app is. What its kind has no place for is no change: an
   * instruction may have left it there for the way back.
   */
  #patch() {
    return patchBetween(this.#forms ? planToSend(this.#base, this.#forms) : this.#base, this.#fields.plan);
  }

  #discard() {
    if (!this.#forms) return;
    this.#fields.show(this.#forms, this.#base);
    this.#showNote();
    this.#tell('There is nothing to build: the form matches the app.');
  }

  #showNote() {
    const changed = this.#patch() !== undefined;
    this.#form.toggleAttribute('data-changed', changed);
    this.#note.textContent = changed ? 'There are changes that are not built yet.' : '';
  }

  /** @param {boolean} busy */
  #setBusy(busy) {
    this.#form.toggleAttribute('data-busy', busy);
    for (const form of [this.#form, this.#instruct])
      form.querySelector('[type="submit"]')?.setAttribute('aria-disabled', String(busy));
  }
}

/**
 * @param {Refusal} refusal
 * @param {string} code
 */
function detail(refusal, code) {
  return refusal.details.find((one) => one.code === code)?.message ?? '';
}
