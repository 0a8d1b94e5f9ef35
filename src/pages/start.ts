import type { PageReply } from '../http/page.ts';
import { html } from './html.ts';
import { codeBlock, page } from './layout.ts';

/** `/`: what this is, the line to try it with, and where to go on. */
export function startPage(publicUrl: string, version: string): PageReply {
  const curl = [
    `curl ${publicUrl}/v1/chat \\`,
    '  -H "Authorization: Bearer $SWITCHYARD_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"message": "Why is the sky blue?"}'`,
  ].join('\n');
  return page({
    title: 'Switchyard: one interface to every model',
    main: html`<section class="hero">
<h1>One interface to every model</h1>
<p class="lead">Switchyard takes a chat request and answers it with the model you name, whoever serves it: OpenAI,
Anthropic, Gemini or any vendor that speaks their language. One contract describes all of it, and the server keeps to it.</p>
${codeBlock('Ask a model', curl)}
<div class="actions">
<a class="button primary" href="/docs">Read the documentation</a>
<a class="button" href="/api/factory/postman" download="switchyard.postman_collection.json">Postman collection</a>
<a class="button" href="/openapi.yaml">OpenAPI contract</a>
</div>
</section>
<ul class="cards">
<li class="card"><h2>Two ways to ask</h2><p>Send a conversation with roles, or a single message. The answer has one shape,
with the tokens it took, as JSON or as a stream of events.</p></li>
<li class="card"><h2>Honest when things break</h2><p>Retries, fallbacks and time limits are built in. A stream ends with
one clear event: complete, or broken off and why.</p></li>
<li class="card"><h2>Works before you have a key</h2><p>Without a provider the built-in sandbox answers, says that it is
no language model, and can act out every failure for your tests.</p></li>
</ul>
<p class="version">Version ${version}</p>`,
  });
}
