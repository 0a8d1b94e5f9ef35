import type { AppSpec, FactoryPlan } from '../../../generated/types.gen.ts';
import { type BuildState, newBuild } from './build-state.ts';
import { buildViewIn } from './build-view.ts';
import { designsIn } from './designs.ts';
import { draw, finder, onClick, onSubmit, renewedSignal, setBlocked } from './draw.ts';
import { formsAt, planOf } from './factory-client.ts';
import { startBuild, watchBuild } from './follow-build.ts';
import { html } from './html.ts';
import { isAbort, messageIn, troubleText } from './messages.ts';
import { planForm } from './plan-form.ts';
import type { PlanForms } from './plan-schema.ts';
import { promptForm } from './prompt-form.ts';
import { readingParts, understoodParts } from './reading-parts.ts';
import { studioBeside } from './studio.ts';

type Plan = Pick<FactoryPlan, 'spec' | 'not_taken_up' | 'unserved'>;

type Build = (asked: { readonly prompt: string; readonly spec: AppSpec }) => Promise<void>;

/**
 * The plan of a prompt that is not built yet: looked at, changed, and then built.
 * @param options.forms where what the form is made from can be had
 * @param options.build throws what the server refuses it with
 * @param options.compare has it built in several designs; throws too
 */
function planFirst(
  root: HTMLElement,
  options: {
    readonly forms: string;
    readonly announce: (text: string) => void;
    readonly build: Build;
    readonly compare: Build;
    readonly onClose: () => void;
  },
) {
  const { announce } = options;
  const one = finder(root);
  const reading = one('[data-plan-reading]');
  const form = one('[data-plan-first-form]');
  const say = messageIn(one('[data-form-message]'), announce);
  const fields = planForm(one('[data-plan-fields]'), { prefix: 'first', announce, onChange: () => say('') });
  let prompt = '';
  onSubmit(form, () => send(options.build));
  one('[data-compare]').addEventListener('click', () => void send(options.compare));
  one('[data-close-plan]').addEventListener('click', () => {
    hide();
    options.onClose();
  });
  onClick(root, '[data-near]', ({ dataset }) => void takeNear(dataset['near'] ?? ''));

  /**
   * Plans a prompt and shows what came out. Throws `Refusal`, and `TypeError` when the server cannot be reached.
   * @param kind of apps that it is to be
   */
  async function show(asked: string, kind?: string) {
    const [plan, forms] = await Promise.all([
      planOf({ prompt: asked, ...(kind && { template_id: kind }) }),
      formsAt(options.forms),
    ]);
    open(asked, plan, forms, false);
  }

  /** Asks what a prompt means of which it is not sure. Throws as `show` does. */
  async function ask(asked: string, plan: Plan) {
    open(asked, plan, await formsAt(options.forms), true);
  }

  function open(asked: string, plan: Plan, forms: PlanForms, asks: boolean) {
    prompt = asked;
    root.hidden = false;
    const title = root.querySelector('h2');
    if (title) title.textContent = asks ? 'Is this what you mean?' : 'The plan';
    draw(
      reading,
      html`${asks && understoodParts(prompt, plan.spec)}${readingParts(plan, true, forms.kinds)}`,
    );
    say('');
    fields.show(forms, plan.spec);
    title?.focus({ preventScroll: true });
    root.scrollIntoView({ block: 'start' });
  }

  function hide() {
    root.hidden = true;
  }

  async function send(build: Build) {
    if (form.dataset['busy'] !== undefined) return;
    const button = form.querySelector('[type="submit"]');
    form.dataset['busy'] = '';
    setBlocked(button, true);
    try {
      await build({ prompt: prompt, spec: fields.plan() as AppSpec });
      hide();
    } catch (error) {
      if (isAbort(error)) return;
      say(fields.explain(error, 'plan'), 'bad');
    } finally {
      delete form.dataset['busy'];
      setBlocked(button, false);
    }
  }

  async function takeNear(kind: string) {
    if (kind === '') return fields.reveal('/entity/fields/0/label');
    try {
      await show(prompt, kind);
    } catch (error) {
      say(troubleText(error), 'bad');
    }
  }

  return { show, ask, hide };
}

// The live demo of the start page: a prompt becomes a build, which is shown below it.

const root = document.querySelector('[data-build]') as HTMLElement;
const view = buildViewIn(root);
const form = promptForm(document.querySelector('[data-prompt-form]') as HTMLFormElement, {
  announce: view.announce,
  build: (prompt) => void build(prompt),
  look: (prompt) => void form.whileAsking(() => plan.show(prompt)),
});
const studio = studioBeside(root, view, ({ jobId, title }) => {
  history.pushState(null, '', `#${jobId}`);
  document.title = `${title ?? 'A build'} · Switchyard`;
});
const plan = planFirst(document.querySelector('[data-plan-first]') as HTMLElement, {
  forms: root.dataset['forms'] ?? '',
  announce: view.announce,
  build: async (asked) => {
    watching = freshSignal();
    watch(asked.prompt, await startBuild(asked, watching));
  },
  compare: async (asked) => {
    leave();
    await compareDesigns(asked);
  },
  onClose: () => form.focus(),
});
const compareDesigns = designsIn(document.querySelector('[data-designs]') as HTMLElement, {
  announce: view.announce,
  addresses: view.addresses,
});
const ownTitle = document.title;
const freshSignal = renewedSignal();
/** Of the build that is shown. */
let watching = freshSignal();

async function build(prompt: string) {
  watching = freshSignal();
  const accepted = await form.whileAsking(() => startBuild({ prompt, when_unsure: 'ask' }, watching));
  if (accepted === null) return;
  plan.hide();
  watch(prompt, accepted);
}

function watch(prompt: string, accepted: { jobId: string; stream: Response }) {
  history.pushState(null, '', `#${accepted.jobId}`);
  studio.close();
  view.show(newBuild(prompt));
  view.focus();
  view.announce('The build begins.');
  void follow(accepted);
}

async function follow(accepted: { jobId: string; stream?: Response }) {
  const signal = watching;
  const state = await watchBuild(view, { ...accepted, signal });
  if (signal.aborted) return;
  if (state.error?.code === 'unsure' && state.plan?.spec) await ask(state.prompt, state.plan);
  else studio.open(state);
}

/** Nothing was built: it is not sure what was asked for. */
async function ask(prompt: string, { spec, not_taken_up, unserved }: NonNullable<BuildState['plan']>) {
  view.hide();
  document.title = ownTitle;
  view.announce('The factory is not sure what to build. Choose a starting point.');
  if (form.prompt() === '') form.fill(prompt);
  await form.whileAsking(() => plan.ask(prompt, { spec: spec ?? {}, not_taken_up, unserved }));
}

/** Resumes the build that the address names; without one there is only the form. */
function resume() {
  if (location.hash === '') return leave();
  const [, jobId] = location.hash.match(/^#(job_[0-9a-z]{26})$/) ?? [];
  if (!jobId) return;
  watching = freshSignal();
  studio.close();
  view.show(newBuild(''));
  root.scrollIntoView({ block: 'start' });
  void follow({ jobId });
}

/** Shows no build any more. The build runs on, and the browser's back button leads to it. */
function leave() {
  watching = freshSignal();
  studio.close();
  view.hide();
  document.title = ownTitle;
}

onClick(root, 'a[data-action]', (link, event) => {
  const { action } = link.dataset;
  if (action === 'another') {
    event.preventDefault();
    leave();
    history.pushState(null, '', location.pathname);
    form.focus();
  } else if (action === 'retry') {
    event.preventDefault();
    form.fill(new URL((link as HTMLAnchorElement).href).searchParams.get('prompt') ?? '');
    void build(form.prompt());
  }
});
// Also when the reader goes back, or writes another build into the address.
addEventListener('popstate', resume);
resume();
