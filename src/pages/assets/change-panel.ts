import type { BuildState } from './build-state.ts';
import { changedWords, leftPart } from './change-words.ts';
import { finder, onClick, onSubmit, setBlocked } from './draw.ts';
import { type Change, Refusal } from './factory-client.ts';
import { html } from './html.ts';
import { isObject, patchBetween, patched } from './json-pointer.ts';
import { isAbort, messageIn, troubleText } from './messages.ts';
import { type Draft, planToSend } from './plan-edits.ts';
import { planForm } from './plan-form.ts';
import type { PlanForms } from './plan-schema.ts';
import { usePointing } from './pointing.ts';

interface Around {
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
export function changePanel(root: HTMLElement, { announce, revise, frame, showNewest }: Around) {
  const one = finder(root);
  const instruct = one('[data-instruct]');
  const box = one('#instruction') as HTMLInputElement;
  const form = one('[data-plan-form]');
  const note = one('[data-form-note]');
  const say = messageIn(one('[data-form-message]'), announce);
  const fields = planForm(one('[data-plan-fields]'), {
    prefix: 'plan',
    announce,
    onChange: () => showNote(),
  });
  /** The plan of the build that is shown. */
  let base: Draft = {};
  let forms: PlanForms | null = null;
  const pointing = usePointing(instruct, { announce, frame, plan: () => base, onChosen: reveal });

  onSubmit(instruct, sendInstruction);
  onClick(instruct, 'button[data-example]', ({ textContent }) => {
    box.value = textContent ?? '';
    box.focus();
  });
  onSubmit(form, sendForm);
  one('[data-discard]').addEventListener('click', discard);

  const isBusy = () => form.dataset['busy'] !== undefined;

  /**
   * Shows the plan of another build. The user's changes to the former one are applied to it.
   * @param sent what is part of the new plan already
   */
  function show(newForms: PlanForms, spec: Draft, sent: Draft = base) {
    pointing.keep(spec);
    const own = forms === null ? undefined : patchBetween(sent, fields.draft());
    forms = newForms;
    base = spec;
    const draft = own === undefined ? spec : patched(spec, own);
    fields.show(newForms, isObject(draft) ? draft : spec);
    showNote();
  }

  function forget() {
    forms = null;
    pointing.forget();
    say('');
    box.value = '';
  }

  /** Takes the reader to a part of the form, or where it has none for a place to the box for instructions. */
  function reveal(pointer: string) {
    if (!fields.reveal(pointer)) box.focus();
  }

  async function sendInstruction() {
    const instruction = pointing.about(box.value.trim());
    if (isBusy()) return;
    if (instruction === '') {
      say('Say what to change, in a few words.', 'bad');
      box.focus();
      return;
    }
    const state = await send({ instruction }, base, '');
    if (state?.status !== 'succeeded') return box.focus();
    const { understood = [], not_understood: left = [] } = state.revision ?? {};
    if (left.length === 0) box.value = '';
    const done = html`${understood.map((text) => html`<p class="understood">${text}</p>`)}`;
    if (left.length === 0) return say('The change is built.', 'good', done);
    const advice = ' Say it in other words, or edit the plan below.';
    say('Built, but part of it was not done.', 'bad', html`${done}${leftPart(left, 'left', advice)}`);
  }

  async function sendForm() {
    if (isBusy()) return;
    const sent = fields.draft();
    const patch = patchOfForm();
    if (patch === undefined) return say('Nothing in the form is changed yet.');
    await send({ patch }, sent);
  }

  /**
   * @param sent the form as it was when it was asked
   * @param success what is said then
   * @returns null where it was refused
   */
  async function send(change: Change, sent = base, success = 'The change is built.') {
    setBusy(true);
    say('Building the change …');
    try {
      const state = await revise(change);
      const spec = state.plan?.spec;
      if (state.status !== 'succeeded' || !spec) {
        say(state.error?.message ?? 'The change could not be built. The app is as it was.', 'bad');
        return state;
      }
      if (forms) show(forms, spec, sent);
      if (success !== '') say(success, 'good');
      return state;
    } catch (error) {
      if (isAbort(error)) say('');
      else explain(error, change);
      return null;
    } finally {
      setBusy(false);
    }
  }

  function explain(error: unknown, change: Change) {
    const newest = error instanceof Refusal && error.status === 409 ? detail(error, 'newest_id') : '';
    if (error instanceof Refusal && newest !== '')
      return offerNewest(newest, detail(error, 'newest_number'), change);
    const details = error instanceof Refusal && 'instruction' in change ? error.details : [];
    const why = refusals[details[0]?.code ?? ''];
    if (why) {
      say(why(details.map(({ message }) => message)), 'bad');
      box.focus();
      return;
    }
    if (!('instruction' in change)) return say(fields.explain(error, 'form'), 'bad');
    say(troubleText(error), 'bad');
    box.focus();
  }

  /** Another change came first: shows it, and offers to put this one on top of it. */
  function offerNewest(id: string, number: string, change: Change) {
    const button = (offer: string, text: string) =>
      html`<button type="button" class="button small-button" data-offer="${offer}">${text}</button>`;
    say(
      `Meanwhile this app was changed: revision ${number} is newer. What you entered is kept.`,
      'bad',
      html`<div class="choices">${button('apply', 'Make my change on top of it')}${button('show', 'Only show it')}</div>`,
    );
    const take = async (apply: boolean) => {
      const before = base;
      try {
        await showNewest(id);
      } catch (error) {
        return say(troubleText(error), 'bad');
      }
      const changes = changedWords(before, base);
      if (!apply) return say(`This is revision ${number}. ${changes}`.trim());
      if ('instruction' in change) await sendInstruction();
      else if ('patch' in change) await sendForm();
      else await send(change);
    };
    for (const button of instruct.parentElement?.querySelectorAll('[data-offer]') ?? []) {
      const apply = button.getAttribute('data-offer') === 'apply';
      button.addEventListener('click', () => void take(apply), { once: true });
      if (apply && button instanceof HTMLElement) button.focus();
    }
  }

  /**
   * The change that the form would make; undefined where it equals the app. Members that its kind has no place for are no
   * change: an instruction may have left them there for the way back.
   */
  function patchOfForm() {
    return patchBetween(forms ? planToSend(base, forms) : base, fields.plan());
  }

  function discard() {
    if (!forms) return;
    fields.show(forms, base);
    showNote();
    say('There is nothing to build: the form matches the app.');
  }

  function showNote() {
    const changed = patchOfForm() !== undefined;
    form.toggleAttribute('data-changed', changed);
    note.textContent = changed ? 'There are changes that are not built yet.' : '';
  }

  function setBusy(busy: boolean) {
    form.toggleAttribute('data-busy', busy);
    for (const each of [form, instruct]) setBlocked(each.querySelector('[type="submit"]'), busy);
  }

  return { show, forget, reveal, change: (change: Change) => send(change) };
}

function detail(refusal: Refusal, code: string) {
  return refusal.details.find((one) => one.code === code)?.message ?? '';
}
