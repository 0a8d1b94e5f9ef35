// The live demo of the start page: a prompt becomes a build, which is shown below it.

import { newBuild } from './build-state.js';
import { BuildView } from './build-view.js';
import { startBuild, watchBuild } from './follow-build.js';
import { PlanFirst } from './plan-first.js';
import { PromptForm } from './prompt-form.js';
import { Studio } from './studio.js';

const root = /** @type {HTMLElement} */ (document.querySelector('[data-build]'));
const view = new BuildView(root);
const form = new PromptForm(/** @type {HTMLFormElement} */ (document.querySelector('[data-prompt-form]')), {
  announce: view.announce,
  build: (prompt) => void build(prompt),
  look: (prompt) => void form.whileAsking(() => plan.show(prompt)),
});
const studio = new Studio(root, view, ({ jobId, title }) => {
  history.pushState(null, '', `#${jobId}`);
  document.title = `${title ?? 'A build'} · Switchyard`;
});
const plan = new PlanFirst(/** @type {HTMLElement} */ (document.querySelector('[data-plan-first]')), {
  forms: root.dataset['forms'] ?? '',
  announce: view.announce,
  build: async (asked) => watch(asked.prompt, await startBuild(asked, freshSignal())),
  onClose: () => form.focus(),
});
const ownTitle = document.title;
let watching = new AbortController();

/** @param {string} prompt */
async function build(prompt) {
  const signal = freshSignal();
  const accepted = await form.whileAsking(() => startBuild({ prompt, when_unsure: 'ask' }, signal));
  if (accepted === null) return;
  plan.hide();
  watch(prompt, accepted);
}

/** Leaves the build that is watched. */
function freshSignal() {
  watching.abort();
  watching = new AbortController();
  return watching.signal;
}

/**
 * @param {string} prompt
 * @param {{ jobId: string, stream: Response }} accepted
 */
function watch(prompt, accepted) {
  history.pushState(null, '', `#${accepted.jobId}`);
  studio.close();
  view.show(newBuild(prompt));
  view.focus();
  view.announce('The build begins.');
  void follow(accepted);
}

/** @param {{ jobId: string, stream?: Response }} accepted */
async function follow(accepted) {
  const { signal } = watching;
  const state = await watchBuild(view, { ...accepted, signal });
  if (signal.aborted) return;
  if (state.error?.code === 'unsure' && state.plan?.spec) await ask(state.prompt, state.plan);
  else studio.open(state);
}

/**
 * Nothing was built: it is not sure what was asked for.
 * @param {string} prompt
 * @param {NonNullable<import('./build-state.js').BuildState['plan']>} read
 */
async function ask(prompt, { spec, not_taken_up, unserved }) {
  view.hide();
  document.title = ownTitle;
  view.announce('It is not sure what this should be. Choose where to begin.');
  if (form.prompt === '') form.fill(prompt);
  await form.whileAsking(() => plan.ask(prompt, { spec: spec ?? {}, not_taken_up, unserved }));
}

/** Goes on with the build that the address names; without one there is only the form. */
function resume() {
  if (location.hash === '') return leave();
  const [, jobId] = location.hash.match(/^#(job_[0-9a-z]{26})$/) ?? [];
  if (!jobId) return;
  freshSignal();
  studio.close();
  view.show(newBuild(''));
  root.scrollIntoView({ block: 'start' });
  void follow({ jobId });
}

/** Shows no build any more. The one that was shown goes on, and the way back leads to it. */
function leave() {
  watching.abort();
  studio.close();
  view.hide();
  document.title = ownTitle;
}

root.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a[data-action]');
  if (!link) return;
  const action = link.getAttribute('data-action');
  if (action === 'another') {
    event.preventDefault();
    leave();
    history.pushState(null, '', location.pathname);
    form.focus();
  } else if (action === 'retry') {
    event.preventDefault();
    form.fill(new URL(/** @type {HTMLAnchorElement} */ (link).href).searchParams.get('prompt') ?? '');
    void build(form.prompt);
  }
});
// Also when the reader goes back, or writes another build into the address.
addEventListener('popstate', resume);
resume();
