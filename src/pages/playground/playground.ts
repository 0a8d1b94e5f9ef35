import type { Page } from '../../http/page.ts';
import { codeBlock, type Html, html, page } from '../layout.ts';
import { agentsPanel, chatPanel, featuresPanel } from './panels.ts';

const tabs: readonly (readonly [id: string, name: string, panel: Html])[] = [
  ['chat', 'Chat', chatPanel],
  ['agents', 'Agents', agentsPanel],
  ['features', 'AI features', featuresPanel],
];

/** `/playground`: the interface, tried out in the browser with a key that never leaves the page but for the calls. */
export function playgroundPage(publicUrl: string): Page {
  const reply = page({
    title: 'Playground',
    description: 'Try models, agents and AI features in the browser, and copy each call as code.',
    script: '/assets/playground.js',
    style: '/assets/playground.css',
    main: html`${signIn(publicUrl)}
<div class="playground" data-playground hidden>
<div class="head"><h1>Playground</h1><button type="button" class="button" data-sign-out>Sign out</button></div>
<div class="tabs" role="tablist" aria-label="What to try">${tabs.map(([id, name]) => html`<button type="button" role="tab" id="tab-${id}" aria-controls="panel-${id}" aria-selected="false" data-tab="${id}">${name}</button>`)}</div>
${tabs.map(([id, , panel]) => html`<section role="tabpanel" id="panel-${id}" aria-labelledby="tab-${id}" hidden><div class="notice" data-closed hidden></div>${panel}</section>`)}
</div>
<p class="hidden" role="status" data-announcements></p>`,
  });
  return { path: '/playground', render: () => reply };
}

/** The field for the key has no name, so that nothing is ever sent by the form itself. */
function signIn(publicUrl: string): Html {
  const curl = [
    `curl ${publicUrl}/v1/chat \\`,
    '  -H "Authorization: Bearer $SWITCHYARD_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"message": "Hello!"}'`,
  ].join('\n');
  return html`<section class="panel narrow" data-sign-in>
<h1>Playground</h1>
<p>Try the models, agents and AI features of this server, and copy each call as code.</p>
<form class="fields with-scripts" data-key-form novalidate>
<label>API key <input id="key" type="password" autocomplete="off" spellcheck="false" autocapitalize="none" aria-describedby="key-message key-hint"></label>
<p class="problem" id="key-message" role="alert"></p>
<button class="button primary">Sign in</button>
</form>
<p class="muted small" id="key-hint">This page keeps the key in memory until you leave it. Calls count against the plan of the key. The server
printed a key when it started for the first time; organisations create keys in the <a href="/dashboard">dashboard</a>.</p>
<noscript><p>The playground needs JavaScript. Without it, the command line does the same.</p>${codeBlock('Ask a model', curl)}</noscript>
</section>`;
}
