import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page, PageReply } from '../http/page.ts';
import { once } from '../lib/once.ts';
import { staticText } from '../lib/static-text.ts';
import { html, page } from './layout.ts';

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

const builtFile = path.join(import.meta.dirname, '../../build/docs.html');

/**
 * `/docs`: the page that `npm run docs` built, with this server's address in it.
 * @param file where it is
 */
export function docsPage(publicUrl: string, file = builtFile): Page {
  return { path: '/docs', render: once(() => load(publicUrl, file)) };
}

async function load(publicUrl: string, file: string): Promise<PageReply> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return notBuilt();
  const { utf8, etag, gzip } = staticText(text.replaceAll('http://127.0.0.1:8080', publicUrl));
  return {
    status: 200,
    mediaType: 'text/html; charset=utf-8',
    body: utf8(),
    etag,
    gzip,
    contentSecurityPolicy,
  };
}

function notBuilt(): PageReply {
  return page({
    title: 'Documentation not built',
    status: 503,
    main: html`<section class="panel narrow"><h1>The documentation is not built yet</h1>
<p>Run <code>npm run docs</code> where the server is installed, then start it again. Until then read the
<a href="/openapi.json">OpenAPI document</a>.</p></section>`,
  });
}
