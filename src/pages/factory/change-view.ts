import { html } from '../layout.ts';

const tabs: readonly [name: string, text: string][] = [
  ['change', 'Change it'],
  ['details', 'Details'],
  ['code', 'Code'],
  ['history', 'History'],
];

/** What leads to the panels beside a preview. They need JavaScript, and a build that succeeded. */
export const sideTabs = html`<div class="side-tabs" role="tablist" aria-label="About this app" data-side-tabs hidden>
${tabs.map(
  ([name, text]) =>
    html`<button type="button" role="tab" id="tab-${name}" aria-controls="side-${name}" data-tab="${name}">${text}</button>`,
)}
</div>`;

const examples = ['call it Zap', 'add a due date', 'make it green'];

/** The box for an instruction, and below it, folded, the form of the plan, which the browser fills. */
export const changePanel = html`<div id="side-change" role="tabpanel" aria-labelledby="tab-change" data-side="change" hidden>
<form class="instruct" data-instruct novalidate>
<label for="instruction">Say what to change</label>
<div class="instruct-box">
<input id="instruction" name="instruction" type="text" maxlength="500" autocomplete="off" spellcheck="true" placeholder="call it Zap and make it green" aria-describedby="instruct-told">
<button class="button primary" type="submit">Change</button>
</div>
<p class="instruct-examples"><span class="muted">For example</span>${examples.map((text) => html` <button type="button" class="plain" data-example>${text}</button>`)}</p>
</form>
<div class="told" id="instruct-told" data-told></div>
<details class="edit-plan" data-edit-plan>
<summary>Edit the plan</summary>
<form class="plan-form" data-plan-form novalidate aria-label="The plan of this app">
<div data-plan-fields></div>
<div class="form-end">
<button class="button primary" type="submit">Build the changes</button>
<button class="button" type="button" data-discard>Discard</button>
<p class="form-note muted" data-form-note></p>
</div>
</form>
</details>
</div>`;

/** The plan of a prompt that is not built yet; hidden until somebody asks to look at it. */
export const planFirstView = html`<section class="plan-first panel" data-plan-first aria-labelledby="plan-first-title" hidden>
<h2 id="plan-first-title" tabindex="-1">The plan</h2>
<p class="muted">Nothing is built yet. Change what you like, then build it.</p>
<div class="reading" data-plan-reading></div>
<form class="plan-form" data-plan-first-form novalidate aria-label="The plan">
<div class="plan-columns" data-plan-fields></div>
<div class="told" data-told></div>
<div class="form-end">
<button class="button primary" type="submit">Build this plan</button>
<button class="button" type="button" data-close-plan>Close the plan</button>
</div>
</form>
</section>`;
