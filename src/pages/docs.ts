import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../contract/errors.ts';
import type { Page, PageReply } from '../http/page.ts';
import { once } from '../lib/once.ts';
import { staticText } from '../lib/static-text.ts';
import { Html, html } from './assets/html.ts';
import { page } from './layout.ts';

/** Redoc is one file with its script and styles inside; it may start a worker for its search and load nothing. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  'worker-src blob:',
  'connect-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const docsFile = path.join(import.meta.dirname, '../../build/docs.html');

/**
 * `/docs`: the page that `npm run docs` built, with this server's address in it.
 * @param file where it is
 */
export function docsPage(publicUrl: string, file = docsFile): Page {
  return { path: '/docs', render: once(() => load(publicUrl, file)) };
}

async function load(publicUrl: string, file: string): Promise<PageReply> {
  const text = await builtText(publicUrl, file);
  if (text === null) {
    const more = html` Until then read the <a href="/openapi.json">OpenAPI document</a>.`;
    return notBuilt('Documentation', 'The documentation is', more);
  }
  return keep({ status: 200, mediaType: 'text/html; charset=utf-8', body: text, contentSecurityPolicy });
}

/** The output of `npm run docs`, with this server's address in its samples; null: it is not built. */
async function builtText(publicUrl: string, file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text?.replaceAll('http://127.0.0.1:8080', publicUrl) ?? null;
}

/** A guide as `npm run docs` has made it of Markdown. */
export interface Guide {
  /** Its name in its address. */
  readonly name: string;
  readonly title: string;
  /** Its first paragraph, as plain text. */
  readonly summary: string;
  /** The content of its page, as HTML. */
  readonly html: string;
  readonly sections: readonly { readonly id: string; readonly title: string }[];
}

export interface GuideGroup {
  readonly title: string;
  readonly names: readonly string[];
}

export interface Guides {
  readonly groups: readonly GuideGroup[];
  readonly start: { readonly title: string; readonly html: string };
  readonly guides: readonly Guide[];
}

const guidesFile = path.join(import.meta.dirname, '../../build/guides.json');

/**
 * `/docs/guides` and each guide below it, with this server's address in their samples.
 * @param file what `npm run docs` has made
 */
export function guidePages(publicUrl: string, file = guidesFile): readonly Page[] {
  const replies = once(() => loadGuides(publicUrl, file));
  const answer = async (name: string): Promise<PageReply> => {
    const loaded = await replies();
    if (!loaded) return notBuilt('Guides', 'The guides are');
    const reply = loaded.get(name);
    if (!reply) throw new ServiceError('not_found', 'There is no such guide.');
    return reply;
  };
  return [
    { path: '/docs/guides', render: () => answer('') },
    { path: '/docs/guides/:name', render: ({ params }) => answer(params['name'] ?? '') },
  ];
}

/** The pages by their names, the list of all under the empty one; null if they are not built. */
async function loadGuides(publicUrl: string, file: string): Promise<ReadonlyMap<string, PageReply> | null> {
  const text = await builtText(publicUrl, file);
  if (text === null) return null;
  const all = JSON.parse(text) as Guides;
  const list = { name: '', summary: 'How to use and to run Switchyard.', sections: [], ...all.start };
  return new Map([list, ...all.guides].map((guide) => [guide.name, keep(guidePage(all, guide))]));
}

/** The reply with its compressed form and its entity tag. */
function keep(reply: PageReply): PageReply {
  const { utf8, etag, gzip } = staticText(String(reply.body));
  return { ...reply, body: utf8(), etag, gzip };
}

function guidePage({ groups, guides }: Guides, guide: Guide): PageReply {
  const titleOf = (name: string) => guides.find((one) => one.name === name)?.title ?? name;
  const link = (name: string, title: string) =>
    html`<li><a href="/docs/guides${name && `/${name}`}"${name === guide.name && html` aria-current="page"`}>${title}</a></li>`;
  const links = html`<ul>${link('', 'All pages')}<li><a href="/docs">API reference</a></li></ul>
${groups.map(({ title, names }) => html`<h2>${title}</h2><ul>${names.map((name) => link(name, titleOf(name)))}</ul>`)}`;
  const { sections } = guide;
  const contents =
    sections.length > 2 &&
    html`<nav class="contents" aria-label="On this page"><ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`;
  // The contents stand below the title and the first paragraph, which every guide begins with.
  const end = guide.html.indexOf('</p>') + '</p>'.length;
  return page({
    title: guide.title,
    description: guide.summary,
    style: '/assets/guides.css',
    main: html`<div class="guides">
<nav class="guide-list" aria-label="Documentation">${links}</nav>
<details class="guide-list"><summary>All pages</summary>${links}</details>
<article class="guide">
${new Html(guide.html.slice(0, end))}
${contents}
${new Html(guide.html.slice(end))}
</article>
</div>`,
  });
}

function notBuilt(title: string, heading: string, more: Html = html``): PageReply {
  return page({
    title: `${title} not built`,
    status: 503,
    main: html`<section class="panel narrow"><h1>${heading} not built yet</h1>
<p>Run <code>npm run docs</code> where the server is installed, then start it again.${more}</p></section>`,
  });
}
