import { type Html, html } from '../html.ts';
import { codeBlock } from '../layout.ts';

const samples: readonly (readonly [name: string, title: string, open: boolean])[] = [
  ['curl', 'curl', true],
  ['library', 'JavaScript, client library', false],
  ['fetch', 'JavaScript, fetch', false],
];

/** What the last call of a tab was answered with, and the code that makes the same call. */
export function reportPanel(tab: string): Html {
  return html`<aside class="panel report" data-report aria-labelledby="report-${tab}">
<h2 id="report-${tab}">Last call</h2>
<p class="muted empty">Status, usage, limits and code of your call will stand here.</p>
<div class="report-body">
<div class="report-error" data-part="error"></div>
<dl class="facts" data-part="facts"></dl>
${samples.map(([name, title, open]) => html`<details data-code="${name}" ${open && html`open`}><summary>${title}</summary>${codeBlock('The key comes from the environment', '')}</details>`)}
</div>
</aside>`;
}
