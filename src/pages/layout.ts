import type { PageReply } from '../http/page.ts';
import { type Html, html } from './html.ts';

/** What our own pages may load: their own files and nothing else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const mark = html`<svg width="28" height="28" viewBox="0 0 28 28" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" aria-hidden="true"><path d="M3 8h22M3 20h22M7 20c7 0 7-12 14-12"/></svg>`;

const navigation: readonly [string, string][] = [
  ['/dashboard', 'Dashboard'],
  ['/factory/signup', 'Sign up'],
  ['/docs', 'Documentation'],
  ['/openapi.json', 'OpenAPI'],
  ['/api/factory/postman', 'Postman'],
  ['/api/factory/status', 'Status'],
];

/** A whole page in the shared design. */
export function page({
  title,
  main,
  status = 200,
  style,
  script,
}: {
  title: string;
  main: Html;
  status?: number;
  /** Address of a style sheet that the page needs besides the shared one. */
  style?: string;
  /** Address of a script that the page needs besides the shared one. */
  script?: string;
}): PageReply {
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/switchyard.css">
${style !== undefined && html`<link rel="stylesheet" href="${style}">`}
<script src="/assets/copy.js" type="module"></script>
${script !== undefined && html`<script src="${script}" type="module"></script>`}
</head>
<body>
<header class="bar"><div class="page">
<a class="brand" href="/">${mark}Switchyard</a>
<nav aria-label="Main">${navigation.map(([href, name]) => html`<a href="${href}">${name}</a>`)}</nav>
</div></header>
<main class="page">
${main}
</main>
<footer class="foot"><div class="page">
<span>Switchyard is free software under the MIT licence.</span>
<a href="/api/factory/manifest">Manifest</a>
</div></footer>
</body>
</html>
`;
  return { status, mediaType: 'text/html; charset=utf-8', body: body.text, contentSecurityPolicy };
}

/** A block of code with a button that copies it. */
export function codeBlock(caption: string, code: string): Html {
  return html`<figure class="code">
<figcaption><span>${caption}</span><button type="button" data-copy hidden>Copy</button></figcaption>
<pre tabindex="0"><code>${code}</code></pre>
</figure>`;
}
