import type { BuildTemplate } from '../../../generated/types.gen.ts';
import type { Page, PageReply } from '../../http/page.ts';
import { demoLimit } from '../../services/builds/allowance.ts';
import type { SiteAddresses } from '../assets/build-parts.ts';
import { type Html, html } from '../assets/html.ts';
import { chatCurl, codeBlock, page } from '../layout.ts';
import { buildView, designsView, planFirstView } from './build-view.ts';

/** Families of which an example stands at the prompt; the others are behind "More examples". */
const shownFirst: ReadonlySet<string> = new Set(['tracker', 'board', 'landing', 'timer', 'game', 'event']);
const maxPromptLength = 2000;

interface StartPageParts {
  readonly addresses: SiteAddresses;
  readonly templates: readonly BuildTemplate[];
}

/** `/`: the live demo, and below it the chat interface. With `?prompt=` the prompt is filled in. */
export function startPage({ addresses, templates }: StartPageParts): Page {
  const examples = (first: boolean) =>
    templates
      .flatMap(({ id, example_prompts: [prompt] }) => (shownFirst.has(id) === first && prompt) || [])
      .sort((a, b) => a.length - b.length);
  const render = (prompt: string) =>
    page({
      title: 'Switchyard: describe an app, watch it being built',
      description: 'Turn a sentence into a working web app, and reach every language model through one API.',
      script: '/assets/demo.js',
      style: '/assets/factory.css',
      frames: true,
      main: html`<section class="demo">
<h1>Describe an app.<br>Watch it being built.</h1>
<p class="lead">Switchyard turns a sentence into a working web app, and gives programs one API for every language model.
Try it without an account or a key.</p>
${promptForm(examples(true), examples(false), prompt)}
<noscript>${codeBlock('Without JavaScript: build from the command line', curlOfDemo(addresses.publicUrl))}</noscript>
</section>
${planFirstView}
${designsView}
${buildView({ addresses, level: 2 })}
${chatSection(addresses.publicUrl)}`,
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
  return html`<form class="prompt with-scripts" data-prompt-form novalidate>
<label for="prompt">What should it be?</label>
<div class="prompt-box">
<textarea id="prompt" name="prompt" rows="2" placeholder="An expense tracker with amount, category and date…" aria-describedby="prompt-message prompt-hint" autocomplete="off" spellcheck="true">${prompt}</textarea>
<button class="button primary" type="submit">Build it</button>
</div>
<p class="prompt-message" id="prompt-message" role="alert" data-message></p>
<p class="prompt-hint muted" id="prompt-hint">Press Enter to build, or <span><button type="button" class="plain" data-look>look at the plan first</button>.</span> Anyone with the link can open a build until it is deleted after 24 hours. You can start ${demoLimit.builds} builds in ${demoLimit.windowMs / 60_000} minutes; then this page counts down to the next.</p>
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
  return html`<section class="chat" aria-labelledby="chat-title">
<div>
<h2 id="chat-title">One interface to every model</h2>
<p>Ask a model of OpenAI, Anthropic, Gemini or any compatible vendor, and get the answer as JSON or as a stream. Retries, fallbacks,
time limits and usage are built in. Without a vendor's key, the built-in sandbox answers.</p>
<p>Your clients work unchanged: the SDKs of OpenAI, Anthropic and Google, frameworks, Claude Code, Codex and Gemini CLI need only
<a href="/connect">the address of this server and a key</a>.</p>
<div class="actions">
<a class="button primary" href="/docs/guides/quick-start">Quick start</a>
<a class="button" href="/connect">Connect a client</a>
</div>
</div>
${codeBlock('Ask a model', chatCurl(publicUrl, 'Why is the sky blue?'))}
</section>`;
}
