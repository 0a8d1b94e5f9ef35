import type { PageReply } from '../../http/page.ts';
import { type Html, html, page } from '../layout.ts';

/** A page for one person and this moment. Its forms say where they come from, which other pages do not. */
export function privatePage(
  options: {
    readonly title: string;
    readonly main: Html;
    readonly status?: number;
    readonly script?: string;
  },
  cookies: readonly string[] = [],
  further: Readonly<Record<string, string>> = {},
): PageReply {
  const headers = { ...further, 'referrer-policy': 'same-origin', ...cookieHeader(cookies) };
  return { ...page({ ...options, style: '/assets/account.css' }), cacheControl: 'no-store', headers };
}

/** Sends the browser on after a form, so that reloading does not send the form again. */
export function redirect(location: string, cookies: readonly string[] = []): PageReply {
  const headers = { location, ...cookieHeader(cookies) };
  return {
    status: 303,
    mediaType: 'text/plain; charset=utf-8',
    body: '',
    cacheControl: 'no-store',
    headers,
  };
}

/** The answer to a form that did not come from our own page, or whose session is over. */
export function refused(back: string): PageReply {
  const main = html`<section class="panel narrow"><h1>This form is not valid any more</h1>
<p>Nothing was changed. The session may be over, or the form came from another site.</p>
<p><a class="button" href="${back}">Go back</a></p></section>`;
  return privatePage({ title: 'Form not valid', status: 403, main });
}

function cookieHeader(cookies: readonly string[]): Record<string, readonly string[]> {
  return cookies.length > 0 ? { 'set-cookie': cookies } : {};
}
