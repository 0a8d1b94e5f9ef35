import type { BuildState } from './build-state.ts';
import { changedWords } from './change-words.ts';
import { leftPart } from './history-parts.ts';
import { html } from './html.ts';
import { isObject, patchBetween, patched } from './json-pointer.ts';
import { type Draft, planToSend } from './plan-edits.ts';
import { PlanForm } from './plan-form.ts';
import type { PlanForms } from './plan-schema.ts';
import { Pointing } from './pointing.ts';
import { Refusal } from './refusal.ts';
import type { Change } from './revision-client.ts';
import { isAbort, teller, troubleText } from './told.ts';

export interface Around {
  readonly announce: (text: string) => void;
  readonly revise: (change: Change) => Promise<BuildState>;
  readonly frame: () => HTMLIFrameElement | null;
  readonly showNewest: (jobId: string) => Promise<void>;
}

/** Why an instruction was not carried out, in words for visitors; empty where the reason is another. */
const refusals: Readonly<Record<string, (messages: readonly string[]) => string>> = {
  not_understood: () =>
    'This was not understood. Say one change at a time, such as “call it Zap”, “add a due date”, “drop the chart” or “in Spanish”, or edit the plan below.',
  refused: (messages) => `Not done: ${messages.join('; ')}.`,
  no_change: () => 'Nothing to change: the app is like this already.',
};

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
  /** The plan of the build that is shown. */
  #base: Draft = {};
  #forms: PlanForms | null = null;

  constructor(root: HTMLElement, around: Around) {
    const one = (selector: string) => root.querySelector(selector) as HTMLElement;
    this.#around = around;
    this.#instruct = one('[data-instruct]') as HTMLFormElement;
    this.#box = one('#instruction') as HTMLInputElement;
    this.#form = one('[data-plan-form]') as HTMLFormElement;
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
   * @param sent what is part of the new plan already
   */
  show(forms: PlanForms, spec: Draft, sent: Draft = this.#base) {
    this.#pointing.keep(spec);
    const own = this.#forms === null ? undefined : patchBetween(sent, this.#fields.draft);
    this.#forms = forms;
    this.#base = spec;
    const draft = own === undefined ? spec : patched(spec, own);
    this.#fields.show(forms, isObject(draft) ? draft : spec);
    this.#showNote();
  }

  forget() {
    this.#forms = null;
    this.#pointing.forget();
    this.#tell('');
    this.#box.value = '';
  }

  /** Takes the reader to a part of the form, or where it has none for a place to the box for instructions. */
  reveal(pointer: string) {
    if (!this.#fields.reveal(pointer)) this.#box.focus();
  }

  /** Builds a change that was asked for elsewhere on the page. */
  async change(change: Change) {
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
      left.length === 0 ? 'The change is built.' : 'Built, but part of it was not done.',
      left.length === 0 ? 'good' : 'bad',
      html`${understood.map((text) => html`<p class="understood">${text}</p>`)}${left.length > 0 && leftPart(left, 'left', ' Say it in other words, or edit the plan below.')}`,
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
   * @param sent the form as it was when it was asked
   * @returns null where it was refused
   */
  async #send(change: Change, sent: Draft, success: string): Promise<BuildState | null> {
    this.#setBusy(true);
    this.#tell('Building the change …');
    try {
      const state = await this.#around.revise(change);
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

  #explain(error: unknown, change: Change) {
    const newest = error instanceof Refusal && error.status === 409 ? detail(error, 'newest_id') : '';
    if (error instanceof Refusal && newest !== '')
      return this.#offer(newest, detail(error, 'newest_number'), change);
    const details = error instanceof Refusal && 'instruction' in change ? error.details : [];
    const why = refusals[details[0]?.code ?? ''];
    if (why) {
      this.#tell(why(details.map(({ message }) => message)), 'bad');
      this.#box.focus();
      return;
    }
    if (!('instruction' in change)) return this.#tell(this.#fields.explain(error, 'form'), 'bad');
    this.#tell(troubleText(error), 'bad');
    this.#box.focus();
  }

  /** Another change came first: shows it, and offers to put this one on top of it. */
  #offer(id: string, number: string, change: Change) {
    const button = (offer: string, text: string) =>
      html`<button type="button" class="button small-button" data-offer="${offer}">${text}</button>`;
    this.#tell(
      `Meanwhile this app was changed: revision ${number} is newer. What you entered is kept.`,
      'bad',
      html`<div class="choices">${button('apply', 'Make my change on top of it')}${button('show', 'Only show it')}</div>`,
    );
    const take = async (apply: boolean) => {
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

  #setBusy(busy: boolean) {
    this.#form.toggleAttribute('data-busy', busy);
    for (const form of [this.#form, this.#instruct])
      form.querySelector('[type="submit"]')?.setAttribute('aria-disabled', String(busy));
  }
}

function detail(refusal: Refusal, code: string) {
  return refusal.details.find((one) => one.code === code)?.message ?? '';
}
