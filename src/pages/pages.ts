import { templateList } from '../factory/factory.ts';
import type { Page, PageError, PageReply } from '../http/page.ts';
import { staticText } from '../lib/static-text.ts';
import type { FactoryService } from '../services/builds/service.ts';
import { type AccountSources, adminEntrance, adminPage } from './account/admin.ts';
import { dashboardPage, linkPage, usageFile } from './account/dashboard.ts';
import { mcpCallback } from './account/mcp-view.ts';
import { signInPages } from './account/sign-in.ts';
import { assetPages } from './asset-files.ts';
import type { SiteAddresses } from './assets/build-parts.ts';
import { html } from './assets/html.ts';
import { connectPage, type ExampleModels } from './connect/connect.ts';
import { docsPage, guidePages } from './docs.ts';
import { buildPage, newestPage } from './factory/build.ts';
import { startPage } from './factory/start.ts';
import { page } from './layout.ts';
import { playgroundPage } from './playground/playground.ts';
import { previewPages } from './preview.ts';
import { signupPage } from './signup.ts';

/**
 * `/api/hello`: Claude Code asks for it at its start, to have a connection ready, and takes it as the sign that there is a server
 * (https://code.claude.com/docs/en/llm-gateway-protocol).
 */
const helloPage: Page = {
  path: '/api/hello',
  file: true,
  render: () => ({ status: 200, mediaType: 'application/json; charset=utf-8', body: '{"message":"hello"}' }),
};

interface PagesParts extends AccountSources {
  readonly factory: FactoryService;
  readonly addresses: SiteAddresses;
  readonly exampleModels: ExampleModels;
  readonly signupOpen: boolean;
  readonly configSchema: object;
  readonly mcp: AccountSources['mcp'] & { readonly callbackPath: string };
}

export function pages(parts: PagesParts): readonly Page[] {
  const { accounts, signIn, reports, factory, addresses, mcp } = parts;
  const { publicUrl } = addresses;
  return [
    startPage({ addresses, templates: templateList().data }),
    buildPage({ addresses, factory }),
    newestPage({ addresses, factory }),
    connectPage(publicUrl, parts.exampleModels),
    docsPage(publicUrl),
    ...guidePages(publicUrl),
    playgroundPage(publicUrl),
    adminEntrance,
    adminPage(parts, publicUrl),
    mcpCallback(mcp, accounts, mcp.callbackPath),
    dashboardPage(parts, publicUrl),
    usageFile(accounts, reports),
    linkPage(accounts, signIn, publicUrl),
    ...signInPages(accounts, signIn, publicUrl),
    signupPage(parts.signupOpen ? accounts.signups : null, accounts.plans),
    helloPage,
    configSchemaPage(parts.configSchema),
    ...previewPages(factory, publicUrl),
    ...assetPages,
  ];
}

/** `/config.schema.json`: the schema by which editors complete and check the YAML file. */
function configSchemaPage(schema: object): Page {
  const { text, etag, gzip } = staticText(`${JSON.stringify(schema, null, 2)}\n`);
  const mediaType = 'application/schema+json; charset=utf-8';
  const reply = { status: 200, mediaType, body: text, etag, gzip, cacheControl: 'no-cache' };
  return { path: '/config.schema.json', file: true, render: () => reply };
}

const titles: Readonly<Record<number, string>> = {
  400: 'This request is not valid',
  404: 'Page not found',
  405: 'This page does not accept this method',
  413: 'The form is too large',
  415: 'This is not a form',
  429: 'Too many attempts',
  503: 'Temporarily unavailable',
};

/** The page for a person when a page cannot be shown. It says as much as an error of the interface does. */
export function errorPage({ error, requestId, page: path }: PageError): PageReply {
  const { status } = error.info;
  const title = titles[status] ?? 'Something went wrong';
  const main = html`<section class="panel narrow"><h1>${title}</h1>
<p>${error.message}</p>
<div class="actions">${path !== null && html`<a class="button primary" href="${path}">Open the page again</a>`}
<a class="button" href="/">Start page</a></div>
<p class="muted small">Error ${status}, request <code>${requestId}</code></p></section>`;
  return { ...page({ title, main, status }), cacheControl: 'no-store' };
}
