import type { BuildTemplate } from '../../../generated/types.gen.ts';
import type { Page, PageReply } from '../../http/page.ts';
import type { SiteAddresses } from '../assets/addresses.js';
import { codeBlock, type Html, html, page } from '../layout.ts';
import { buildView } from './build-view.ts';
import { planFirstView } from './change-view.ts';

/** Families of which an example stands at the prompt; the others are behind "More examples". */
const shownFirst: ReadonlySet<string> = new Set(['tracker', 'board', 'landing', 'timer', 'game', 'event']);
const maxPromptLength = 2000;

interface StartPageParts {
  readonly addresses: SiteAddresses;
  readonly templates: readonly BuildTemplate[];
  readonly version: string;
}

/** `/`: the live demo, and below it the chat interface. With `?prompt=` the prompt is filled in. */
export function startPage({ addresses, templates, version }: StartPageParts): Page {
  const examples = (first: boolean) =>
    templates
      .flatMap(({ id, example_prompts: [prompt] }) => (shownFirst.has(id) === first && prompt) || [])
      .sort((a, b) => a.length - b.length);
  const render = (prompt: string) =>
    page({
      title: 'Switchyard: describe an app, watch it being built',
      description: 'Working web apps out of a sentence, and one interface to every language model.',
      script: '/assets/demo.js',
      style: ['/assets/factory.css', '/assets/change.css'],
      frames: true,
      wide: true,
      main: html`<section class="demo">
<h1>Describe an app.<br>Watch it being built.</h1>
<p class="lead">Switchyard makes working web apps out of a sentence, and gives programs one interface to every language model.
Try it: no account, no key.</p>
${promptForm(examples(true), examples(false), prompt)}
<noscript>${codeBlock('Without JavaScript: build from the command line', curlOfDemo(addresses.publicUrl))}</noscript>
</section>
${planFirstView}
${buildView({ addresses, level: 2 })}
${chatSection(addresses.publicUrl)}
<p class="muted">Version ${version}</p>`,
    });
  // Not at the start of the server, which it would make longer.
  let emptyPage: PageReply | undefined;
  return {
    path: '/',
    render({ query }) {
      const prompt = query.get('prompt');
      if (prompt !== null) return render(prompt.slice(0, maxPromptLength));
      emptyPage ??= render('');
      return emptyPage;
    },
  };
}

function promptForm(examples: readonly string[], more: readonly string[], prompt: string): Html {
  const chips = (some: readonly string[]) =>
    html`${some.map((example) => html`<button type="button" class="example" data-example>${example}</button>`)}`;
  return html`<form class="prompt" data-prompt-form novalidate>
<label for="prompt">What should it be?</label>
<div class="prompt-box">
<textarea id="prompt" name="prompt" rows="2" placeholder="An expense tracker with amount, category and date…" aria-describedby="prompt-message prompt-hint" autocomplete="off" spellcheck="true">${prompt}</textarea>
<button class="button primary" type="submit">Build it</button>
</div>
<p class="prompt-message" id="prompt-message" role="alert" data-message></p>
<p class="prompt-hint muted" id="prompt-hint">Enter builds it, or <button type="button" class="plain" data-look>look at the plan first</button>. Whoever has the link can see a build; after 24 hours it is deleted.</p>
<div class="examples" role="group" aria-label="Examples">${chips(examples)}
<details><summary>More examples</summary><div class="examples">${chips(more)}</div></details></div>
</form>`;
}

function curlOfDemo(publicUrl: string): string {
  return [
    `curl -N ${publicUrl}/api/factory/public-demo \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '{"prompt": "a reading list where I can rate books"}'`,
  ].join('\n');
}

function chatSection(publicUrl: string): Html {
  const curl = [
    `curl ${publicUrl}/v1/chat \\`,
    '  -H "Authorization: Bearer $SWITCHYARD_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"message": "Why is the sky blue?"}'`,
  ].join('\n');
  return html`<section class="chat" aria-labelledby="chat-title">
<div>
<h2 id="chat-title">One interface to every model</h2>
<p>Name a model of OpenAI, Anthropic, Gemini or any vendor that speaks their language, and get its answer with the tokens it
took, as JSON or as a stream. Retries, fallbacks and time limits are built in; a stream that breaks says so. Without a key of a
vendor the built-in sandbox answers.</p>
<p>What you have goes on working: SDKs of OpenAI, Anthropic and Google, frameworks, Claude Code, Codex and Gemini CLI reach every
model here with <a href="/connect">another address and key</a>.</p>
<div class="actions">
<a class="button primary" href="/docs/guides/quick-start">Quick start</a>
<a class="button" href="/connect">Connect a client</a>
<a class="button" href="/docs">Read the documentation</a>
<a class="button" href="/playground">Try it in the playground</a>
<a class="button" href="/openapi.yaml">OpenAPI contract</a>
<a class="button" href="/api/factory/postman" download="switchyard.postman_collection.json">Postman collection</a>
<a class="button" href="/factory/signup">Sign up</a>
<a class="button" href="/dashboard">Dashboard</a>
</div>
</div>
${codeBlock('Ask a model', curl)}
</section>`;
}
