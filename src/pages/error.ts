import type { PageError, PageReply } from '../http/page.ts';
import { html, page } from './layout.ts';

const titles: Readonly<Record<number, string>> = {
  400: 'This request is not valid',
  404: 'Page not found',
  405: 'This page does not accept this method',
  413: 'The form is too large',
  415: 'This is not a form',
  429: 'Too many attempts',
  503: 'Temporarily unavailable',
};

/** What a person sees when a page cannot be shown. It says as much as an error of the interface does. */
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
