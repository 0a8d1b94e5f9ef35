import { assetAddress } from '../asset-files.ts';
import { buildParts, type SiteAddresses } from '../assets/build-parts.ts';
import { type BuildState, isOver, newBuild } from '../assets/build-state.ts';
import { type Html, html } from '../assets/html.ts';

interface BuildViewOptions {
  readonly addresses: SiteAddresses;
  readonly state?: BuildState;
  /** Of the heading: 1 where the build is what the page is about. */
  readonly level: 1 | 2;
  /** Whether the browser has to follow the build. */
  readonly live?: boolean;
}

/** The part of a page that shows a build; without a state it is hidden until the browser has one to show. */
export function buildView({ addresses, state, level, live = false }: BuildViewOptions): Html {
  const shown = state ?? newBuild('');
  const parts = buildParts(shown, addresses);
  const title = html`data-part="title" id="build-title" tabindex="-1"`;
  return html`<section class="build" data-build aria-labelledby="build-title" data-status="${shown.status}" data-public-url="${addresses.publicUrl}"
 data-forms="${assetAddress('plan-forms.json')}"
 ${addresses.previewDomain !== null && html`data-preview-domain="${addresses.previewDomain}"`}
 ${live ? html`data-job-id="${shown.jobId}"` : shown.jobId !== null && html`data-done-id="${shown.jobId}"`} ${state === undefined && html`hidden`}>
<div class="build-head">
<div class="build-name">
${level === 1 ? html`<h1 ${title}>${parts['title']}</h1>` : html`<h2 ${title}>${parts['title']}</h2>`}
<blockquote data-part="prompt">${shown.prompt}</blockquote>
<p class="build-status" data-part="status">${parts['status']}</p>
<p class="connection" data-part="connection"></p>
</div>
<div class="actions" data-part="actions">${parts['actions']}</div>
<p class="family" data-part="family">${parts['family']}</p>
</div>
<div class="railway"><div data-part="progress">${parts['progress']}</div>
<ol class="track" aria-label="Stages" data-part="track">${parts['track']}</ol></div>
<div class="notices" data-part="notices">${parts['notices']}</div>
<div class="reading" data-part="reading">${parts['reading']}</div>
<div class="build-body">
<figure class="window" data-part="preview">${parts['preview']}</figure>
<div class="side">
${sideTabs}
<div class="build-facts" id="side-details" data-side="details">
${level === 1 && html`<h2 class="hidden">Details</h2>`}
<section data-part="plan">${parts['plan']}</section>
<section data-part="files">${parts['files']}</section>
<section data-part="checks">${parts['checks']}</section>
</div>
${changePanel}
<div id="side-code" role="tabpanel" aria-labelledby="tab-code" data-side="code" hidden></div>
<div id="side-history" role="tabpanel" aria-labelledby="tab-history" data-side="history" hidden></div>
</div>
</div>
${state !== undefined && !isOver(shown.status) && html`<noscript><p class="notice">Without JavaScript this page does not update. Reload it to see the progress.</p></noscript>`}
</section>
<p class="hidden" role="status" data-announcements></p>`;
}

const tabs: readonly [name: string, text: string][] = [
  ['change', 'Change it'],
  ['details', 'Details'],
  ['code', 'Code'],
  ['history', 'History'],
];

/** The tabs of the panels beside a preview. They need JavaScript, and a build that succeeded. */
const sideTabs = html`<div class="side-tabs" role="tablist" aria-label="About this app" data-side-tabs hidden>
${tabs.map(
  ([name, text]) =>
    html`<button type="button" role="tab" id="tab-${name}" aria-controls="side-${name}" data-tab="${name}">${text}</button>`,
)}
</div>`;

const examples = ['call it Zap', 'add a due date', 'make it green'];

/** The box for an instruction, and below it, folded, the form of the plan, which the browser fills. */
const changePanel = html`<div id="side-change" role="tabpanel" aria-labelledby="tab-change" data-side="change" hidden>
<form class="instruct" data-instruct novalidate>
<p class="point"><button type="button" class="button" data-point aria-pressed="false" aria-describedby="point-hint">Point and change</button>
<span class="muted" id="point-hint" hidden>Tap or click what is to change, or use Tab and Enter. Press the button again, or Escape, to stop.</span></p>
<label for="instruction">Say what to change</label>
<div class="instruct-box">
<input id="instruction" name="instruction" type="text" maxlength="500" autocomplete="off" spellcheck="true" placeholder="call it Zap and make it green" aria-describedby="point-at instruct-message">
<button class="button primary" type="submit">Change</button>
</div>
<p class="point" id="point-at" data-point-at hidden><span></span> <button type="button" class="plain" data-point-whole>The whole app instead</button></p>
<p class="instruct-examples"><span class="muted">For example</span>${examples.map((text) => html` <button type="button" class="plain" data-example>${text}</button>`)}</p>
</form>
<div class="form-message" id="instruct-message" data-form-message></div>
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

/** The plan of a prompt that is not built yet; hidden until the user opens it. */
export const planFirstView = html`<section class="plan-first panel" data-plan-first aria-labelledby="plan-first-title" hidden>
<h2 id="plan-first-title" tabindex="-1">The plan</h2>
<p class="muted">Nothing is built yet. Change what you like, then build it.</p>
<div class="reading" data-plan-reading></div>
<form class="plan-form" data-plan-first-form novalidate aria-label="The plan">
<div class="plan-columns" data-plan-fields></div>
<div class="form-message" data-form-message></div>
<div class="form-end">
<button class="button primary" type="submit">Build this plan</button>
<button class="button" type="button" data-compare>Build three designs of it</button>
<button class="button" type="button" data-close-plan>Close the plan</button>
<p class="form-note muted">Three designs are three builds.</p>
</div>
</form>
</section>`;

/** Designs of one plan side by side; hidden until the visitor asks for them. */
export const designsView = html`<section class="designs" data-designs aria-labelledby="designs-title" hidden>
<h2 id="designs-title" tabindex="-1">Three designs</h2>
<p class="muted">Each is a build of its own. Keep the one that you like: on its page you can change it and download it.</p>
<div class="form-message" data-form-message></div>
<div class="designs-row" data-designs-row></div>
</section>`;
