import type { Page } from '../../http/page.ts';
import { type Html, html } from '../assets/html.ts';
import { chatCurl, codeBlock, page } from '../layout.ts';

const samples: readonly (readonly [name: string, title: string, open: boolean])[] = [
  ['curl', 'curl', true],
  ['library', 'JavaScript, client library', false],
  ['fetch', 'JavaScript, fetch', false],
];

const chatPanel = html`<div class="work" data-work>
<form class="workbench" novalidate>
<div class="panel conversation">
<div class="field"><label for="chat-model">Model</label><select id="chat-model"></select></div>
<div class="field" data-other hidden><label for="chat-other">Name of the model</label><input id="chat-other" autocomplete="off" spellcheck="false" aria-describedby="chat-other-hint">
<p class="field-hint" id="chat-other-hint"></p></div>
<p class="muted empty" data-empty>Send a message to start a conversation.</p>
<ol class="turns" data-turns tabindex="0" aria-label="Conversation" hidden></ol>
<div class="composer">
<label class="hidden" for="chat-message">Message</label>
<textarea id="chat-message" rows="2" placeholder="Why is the sky blue?" autocomplete="off" aria-describedby="chat-problem"></textarea>
<button type="submit" class="button primary">Send</button>
<button type="button" class="button" data-stop hidden>Stop</button>
</div>
<p class="problem" id="chat-problem" role="alert" data-message></p>
<p class="muted small">Press Enter to send, Shift+Enter for a new line. <button type="button" class="plain" data-clear>Clear the conversation</button></p>
</div>
<details class="panel settings"><summary>Settings</summary>
<div class="field"><label for="chat-system">System prompt<span class="optional"> optional</span></label><textarea id="chat-system" rows="3"></textarea></div>
<div class="pair">
<div class="field"><label for="chat-temperature">Temperature</label><input id="chat-temperature" inputmode="decimal" value="0.7" autocomplete="off"></div>
<div class="field"><label for="chat-max-tokens">Maximum tokens</label><input id="chat-max-tokens" inputmode="numeric" value="2048" autocomplete="off"></div>
</div>
<div class="field"><label for="chat-tools">List of tools (JSON)<span class="optional"> optional</span></label><textarea id="chat-tools" rows="5" spellcheck="false" placeholder='[{"type": "function", "function": {"name": "lookup"}}]' aria-describedby="chat-tools-hint"></textarea>
<p class="field-hint" id="chat-tools-hint">The playground shows the calls but does not run them; agents do.</p></div>
</details>
</form>
${reportPanel('chat')}
</div>`;

const agentsPanel = html`<div class="work" data-work>
<div class="workbench">
<form class="panel" novalidate>
<div class="field"><label for="agent">Agent</label><select id="agent"></select></div>
<div class="about" data-about></div>
<div class="field" data-text-input><label for="agent-input">What is it to do?</label>
<textarea id="agent-input" rows="3" aria-describedby="agent-problem"></textarea></div>
<div class="examples" role="group" aria-label="Examples" data-examples></div>
<div class="schema" data-schema></div>
<fieldset class="schema-group" data-has-variables hidden><legend>Variables</legend><div class="schema" data-variables></div></fieldset>
<p class="problem" id="agent-problem" role="alert" data-message></p>
<div class="actions"><button type="submit" class="button primary">Run</button><button type="button" class="button" data-stop hidden>Stop</button></div>
</form>
<div class="panel" data-run hidden>
<h2>The run</h2>
<p class="run-status" data-status></p>
<ol class="steps" data-steps></ol>
</div>
</div>
${reportPanel('agents')}
</div>`;

const featuresPanel = html`<div class="work" data-work>
<div class="workbench">
<form class="panel" novalidate>
<div class="field"><label for="feature">Feature</label><select id="feature"></select></div>
<div class="about" data-about></div>
<div class="examples" role="group" aria-label="Examples" data-examples></div>
<div class="schema" data-schema></div>
<div class="field"><label for="feature-engine">Engine</label><select id="feature-engine"></select></div>
<div class="actions"><button type="submit" class="button primary">Call</button><button type="button" class="button" data-stop hidden>Stop</button></div>
</form>
<section class="panel output" aria-labelledby="feature-output"><h2 id="feature-output">Output</h2><div data-output></div></section>
</div>
${reportPanel('features')}
</div>`;

/** The answer to the last call of a tab, and the code that makes the same call. */
function reportPanel(tab: string): Html {
  return html`<aside class="panel report" data-report aria-labelledby="report-${tab}">
<h2 id="report-${tab}">Last call</h2>
<p class="muted empty">The status, usage, limits and code of your last call appear here.</p>
<div class="report-body">
<div class="warning report-error" data-part="error"></div>
<dl class="facts" data-part="facts"></dl>
${samples.map(([name, title, open]) => html`<details data-code="${name}" ${open && html`open`}><summary>${title}</summary>${codeBlock('The key comes from the environment', '')}</details>`)}
</div>
</aside>`;
}

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
<noscript><p>The playground needs JavaScript. Without it, the command line does the same.</p>${codeBlock('Ask a model', chatCurl(publicUrl, 'Hello!'))}</noscript>
</section>`;
}
