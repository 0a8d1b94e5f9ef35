import type { PageReply } from '../http/page.ts';
import { assetAddress, importedBy } from './asset-files.ts';
import { type Html, html } from './assets/html.ts';

/** Our own pages may load their own files and nothing else. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];
const contentSecurityPolicy = policy.join('; ');
/** A preview in a frame may go nowhere else: its app could otherwise send its frame to any site. */
const framingPolicy = [...policy, "frame-src 'self'"].join('; ');

const mark = html`<svg width="28" height="28" viewBox="0 0 28 28" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" aria-hidden="true"><path d="M3 8h22M3 20h22M7 20c7 0 7-12 14-12"/></svg>`;

const navigation: readonly [string, string][] = [
  ['/', 'Build'],
  ['/playground', 'Playground'],
  ['/connect', 'Connect'],
  ['/docs/guides', 'Docs'],
  ['/dashboard', 'Dashboard'],
];

const further: readonly [string, string][] = [
  ['/docs', 'API reference'],
  ['/openapi.json', 'OpenAPI'],
  ['/api/factory/postman', 'Postman collection'],
  ['/api/factory/manifest', 'Manifest'],
  ['/api/factory/status', 'Status'],
  ['/factory/signup', 'Sign up'],
  ['/admin', 'Admin'],
];

/** The head of every page, the reference included. */
export const siteHeader = html`<header class="bar"><div class="page">
<a class="brand" href="/">${mark}Switchyard</a>
<nav aria-label="Main">${navigation.map(([href, name]) => html`<a href="${href}">${name}</a>`)}</nav>
</div></header>`;

/** The foot of every page, the reference included. */
export const siteFooter = html`<footer class="foot"><div class="page">
<nav aria-label="More">${further.map(([href, name]) => html`<a href="${href}">${name}</a>`)}</nav>
<span>Switchyard is free software under the MIT licence.</span>
</div></footer>`;

interface PageOptions {
  readonly title: string;
  readonly main: Html;
  /** A sentence about it, for those who are sent its link. */
  readonly description?: string;
  /** Address of what it looks like, for the same. */
  readonly picture?: string | null | undefined;
  readonly status?: number;
  /** Address of a script that the page needs besides the shared one, as `/assets/name.js`. */
  readonly script?: string;
  /** The same of a style sheet. */
  readonly style?: string;
  /** Whether it shows previews of builds in a frame. */
  readonly frames?: boolean;
  /** Whether search engines are asked to leave it out. */
  readonly unlisted?: boolean;
}

export function page(options: PageOptions): PageReply {
  const { title, main, description, picture = null, status = 200, script, style, frames, unlisted } = options;
  const scripts = ['copy.js', ...(script === undefined ? [] : [nameOf(script)])];
  const modules = new Set(scripts.flatMap((name) => [...importedBy(name)]));
  const styles = ['frame.css', 'switchyard.css', ...(style === undefined ? [] : [nameOf(style)])];
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${unlisted && html`<meta name="robots" content="noindex">`}
<title>${title.includes('Switchyard') ? title : `${title} · Switchyard`}</title>
${description !== undefined && [html`<meta name="description" content="${description}">`, html`<meta property="og:title" content="${title}">`, html`<meta property="og:description" content="${description}">`]}
${picture !== null && html`<meta property="og:image" content="${picture}">`}
<link rel="icon" href="${assetAddress('icon.svg')}" type="image/svg+xml">
${styles.map((name) => html`<link rel="stylesheet" href="${assetAddress(name)}">`)}
${[...modules].map((name) => html`<link rel="modulepreload" href="${assetAddress(name)}">`)}
${scripts.map((name) => html`<script src="${assetAddress(name)}" type="module"></script>`)}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${siteHeader}
<main class="page" id="main" tabindex="-1">
${main}
</main>
${siteFooter}
</body>
</html>
`;
  return {
    status,
    mediaType: 'text/html; charset=utf-8',
    body: body.text,
    contentSecurityPolicy: frames ? framingPolicy : contentSecurityPolicy,
    ...(unlisted && { headers: { 'x-robots-tag': 'noindex' } }),
  };
}

function nameOf(address: string): string {
  return address.slice('/assets/'.length);
}

/** A block of code with a button that copies it. */
export function codeBlock(caption: string, code: string): Html {
  return html`<figure class="code">
<figcaption><span>${caption}</span><button type="button" data-copy hidden>Copy</button></figcaption>
<pre tabindex="0"><code>${code}</code></pre>
</figure>`;
}

/** Asks a model from the command line. */
export function chatCurl(publicUrl: string, message: string, key = '$SWITCHYARD_API_KEY'): string {
  return [
    `curl ${publicUrl}/v1/chat \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '{"message": "${message}"}'`,
  ].join('\n');
}
