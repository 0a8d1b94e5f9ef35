import type { Page, PageReply } from '../../http/page.ts';
import { tableFile } from '../../lib/yaml-file.ts';
import { type Html, html } from '../assets/html.ts';
import { codeBlock, page } from '../layout.ts';

/** `/connect`: for each client the lines that point it here, with this server's address and models in them. */
export function connectPage(publicUrl: string, models: ExampleModels): Page {
  let reply: PageReply | undefined;
  return {
    path: '/connect',
    render() {
      reply ??= replyOf(publicUrl, models);
      return reply;
    },
  };
}

function replyOf(publicUrl: string, models: ExampleModels): PageReply {
  const groups = clientGroups(publicUrl, models);
  const links = html`<ul><li><a href="#key">Your key</a></li><li><a href="#addresses">Addresses</a></li></ul>
${groups.map(({ title, clients }) => html`<h2>${title}</h2><ul>${clients.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul>`)}`;
  return page({
    title: 'Connect a client',
    description: 'The lines that point SDKs, frameworks and coding agents to this server.',
    script: '/assets/connect.js',
    style: '/assets/guides.css',
    main: html`<div class="guides">
<nav class="guide-list" aria-label="Clients">${links}</nav>
<details class="guide-list"><summary>Clients</summary>${links}</details>
<article class="guide">
<h1>Connect a client</h1>
<p>Clients of OpenAI, Anthropic and Gemini work with every model of this server. Give them the address of the server and a key.
Every client can use every model that <code>GET /v1/models</code> lists. <a href="/docs/guides/connect">The guide</a> has the details.</p>
${keySection()}
${addresses(publicUrl)}
${groups.map(groupView)}
</article>
</div>`,
  });
}

/** The field has no name and no form, so that nothing sends what is in it. */
function keySection(): Html {
  return html`<h2 id="key">Your key</h2>
<p>Commands and programs read it from the environment. The server printed a key when it started for the first time; organisations
create keys in the <a href="/dashboard">dashboard</a>.</p>
<div class="panel key-field" data-key-field hidden>
<label>API key <input id="api-key" type="password" autocomplete="off" spellcheck="false" autocapitalize="none" aria-describedby="api-key-hint"></label>
<p class="muted small" id="api-key-hint">Your browser fills it into the lines on this page. It is not sent or stored, and is gone when you
leave.</p>
</div>
${codeBlock('Shell', `export SWITCHYARD_API_KEY=${keyInLines}`)}`;
}

function addresses(publicUrl: string): Html {
  const rows: readonly (readonly [string, string, string])[] = [
    ['OpenAI', `${publicUrl}/v1`, 'OPENAI_BASE_URL, OPENAI_API_KEY'],
    ['Anthropic', publicUrl, 'ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY'],
    ['Gemini', publicUrl, 'GOOGLE_GEMINI_BASE_URL, GEMINI_API_KEY'],
  ];
  const cells = (row: readonly [string, string, string]) =>
    html`<tr><td>${row[0]}</td><td data-label="Address"><code>${row[1]}</code></td><td data-label="Variables"><code>${row[2]}</code></td></tr>`;
  return html`<h2 id="addresses">Addresses</h2>
<p>Most programs need no change at all: the official SDKs, and what is built on them, read address and key from variables.</p>
<div class="scroll" tabindex="0"><table><thead><tr><th>Interface of</th><th>Address</th><th>Variables</th></tr></thead>
<tbody>${rows.map(cells)}</tbody></table></div>`;
}

function groupView({ title, clients }: ClientGroup): Html {
  return html`<h2>${title}</h2>${clients.map(clientView)}`;
}

function clientView({ id, name, install, docs, blocks, note }: Client): Html {
  return html`<section aria-labelledby="${id}"><h3 id="${id}">${name}</h3>
${install !== undefined && html`<p><code>${install}</code></p>`}
${blocks.map(({ caption, code }) => codeBlock(caption.replaceAll('`', ''), code))}
${note !== undefined && html`<p>${withCode(note)}</p>`}
<p class="small"><a href="${docs}">Documentation of ${name}</a></p></section>`;
}

/** A line of text in which code stands between backticks. */
function withCode(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

type ClientVendor = 'openai' | 'anthropic' | 'gemini';

/** Names of models to ask for, by the interface that asks. Any of them can ask for any model. */
export type ExampleModels = Readonly<Record<ClientVendor, string>>;

interface ClientBlock {
  readonly caption: string;
  /** As behind a fence of Markdown. */
  readonly lang: 'bash' | 'js' | 'json' | 'python' | 'text' | 'toml' | 'yaml';
  readonly code: string;
}

/** A program or a library of others, and how it is set up. */
export interface Client {
  /** Unique; its place on the page. */
  readonly id: string;
  readonly name: string;
  readonly wires: readonly ClientVendor[];
  readonly install?: string;
  /** Where its vendor explains the settings. */
  readonly docs: string;
  /** The set of packages of `npm run judges` that holds it. */
  readonly packages?: string;
  /** Why the tests of the guides do not run its lines. */
  readonly notRun?: string;
  readonly blocks: readonly ClientBlock[];
  /** A line of text, with code between backticks. */
  readonly note?: string;
}

interface ClientGroup {
  readonly title: string;
  readonly clients: readonly Client[];
}

/** The placeholder for a key in lines that do not take it from the environment. */
export const keyInLines = 'sw_live_…';

const clientsFile = new URL('clients.yaml', import.meta.url);

/**
 * The clients as their file has them, with what differs between servers filled in. Throws for a name in braces that is unknown.
 * @param base the address of the server, without a slash at its end
 */
export function clientGroups(base: string, models: ExampleModels): readonly ClientGroup[] {
  const values: Readonly<Record<string, string>> = { base, ...models };
  const fill = (_: string, name: string): string => {
    const value = values[name];
    if (value === undefined) throw new Error(`clients.yaml has {{${name}}}, which stands for nothing`);
    return value;
  };
  const filled = JSON.parse(JSON.stringify(tableFile(clientsFile)), (_, value: unknown) =>
    typeof value === 'string' ? value.trimEnd().replaceAll(/\{\{(\w+)\}\}/g, fill) : value,
  ) as readonly ClientGroup[];
  return filled.map(({ title, clients }) => ({
    title,
    clients: clients.map((client) => ({
      ...client,
      wires: client.wires ?? ['openai'],
      blocks: client.blocks.map(blockOf),
    })),
  }));
}

const captions: Readonly<Record<string, string>> = { bash: 'Shell', js: 'JavaScript', python: 'Python' };

/** A block as its file has it: the code under the name of its language. */
function blockOf({ caption, ...code }: object & { readonly caption?: string }): ClientBlock {
  const [[lang = '', text = ''] = []] = Object.entries(code);
  return {
    caption: caption ?? captions[lang] ?? lang,
    lang: lang as ClientBlock['lang'],
    code: String(text),
  };
}
