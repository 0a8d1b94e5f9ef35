import type { PageReply, PageRequest } from '../../http/page.ts';
import { setCookie } from '../../lib/cookies.ts';
import { type Html, html } from '../assets/html.ts';
import { chatCurl, codeBlock, page } from '../layout.ts';

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

/**
 * A page that redirects by itself: forms of our pages may not lead to other hosts, and a redirect would be part of a way that began
 * elsewhere, and carry no cookie.
 */
export function onward(
  address: string,
  heading: string,
  cookies: readonly string[] = [],
  title = heading,
): PageReply {
  const main = html`<section class="panel narrow"><h1>${heading}</h1>
<p><a class="button primary" href="${address}">Continue</a></p></section>`;
  return privatePage({ title, main }, cookies, { refresh: `0; url=${address}` });
}

/** The answer to a form that did not come from our own page, or whose session is over. */
export function refused(back: string): PageReply {
  const main = html`<section class="panel narrow"><h1>This form is no longer valid</h1>
<p>Nothing was changed. The session may be over, or the form came from another site.</p>
<p><a class="button" href="${back}">Go back</a></p></section>`;
  return privatePage({ title: 'Form not valid', status: 403, main });
}

function cookieHeader(cookies: readonly string[]): Record<string, readonly string[]> {
  return cookies.length > 0 ? { 'set-cookie': cookies } : {};
}

/** The message of the next page about the form that was just sent. */
export interface Flash {
  readonly tone: 'good' | 'bad';
  readonly message: string;
  /** A new key, sign-in link, or secret of a webhook, to be shown this once. */
  readonly key?: string;
  readonly link?: string;
  readonly secret?: string;
  /** The form of a new key that was refused: it says so itself. */
  readonly refusedKey?: RefusedKey;
}

/** @param shown a secret, to be shown this once */
export function good(message: string, shown: Pick<Flash, 'key' | 'link' | 'secret'> = {}): Flash {
  return { tone: 'good', message, ...shown };
}

/** The values typed into the form of a new key, and their problem. */
export interface RefusedKey {
  readonly label: string;
  readonly expires: string;
  readonly tags: string;
  readonly scopes: readonly string[];
  readonly message: string;
}

/** The part of the next page that the message is about. */
export function anchorOf({ refusedKey }: Flash): string {
  return refusedKey ? '#new-key' : '';
}

const cookie = 'switchyard_flash';

/**
 * Carries a message over the redirect in a cookie that no script reads: a secret must not stand in an address, and any
 * process may answer the next request. It lives for a minute and is removed by the page that shows it.
 */
export function flashCookie(flash: Flash, secure: boolean): string {
  const value = Buffer.from(JSON.stringify(flash)).toString('base64url');
  return setCookie(cookie, value, { secure, maxAge: 60 });
}

/** A page of an account below the message that is for it, which it shows once. */
export async function flashedPage(
  title: string,
  request: PageRequest,
  publicUrl: string,
  view: (refused?: RefusedKey) => Promise<Html>,
): Promise<PageReply> {
  const flash = flashOf(request);
  const main = html`${flashView(flash, publicUrl)}${await view(flash?.refusedKey)}`;
  const over = setCookie(cookie, '', { secure: publicUrl.startsWith('https:'), maxAge: 0 });
  return privatePage({ title, main }, flash === null ? [] : [over]);
}

function flashOf(request: PageRequest): Flash | null {
  const value = request.cookie(cookie);
  if (value === null || value === '') return null;
  try {
    return JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as Flash;
  } catch {
    return null;
  }
}

function flashView(flash: Flash | null, publicUrl: string): Html {
  if (flash === null || flash.refusedKey) return html``;
  return html`<div class="notice ${flash.tone}" role="${flash.tone === 'bad' ? 'alert' : 'status'}">
<p>${flash.message}</p>
${flash.key !== undefined && [codeBlock('The key: it cannot be shown again', flash.key), codeBlock('Try it', chatCurl(publicUrl, 'Hello!', flash.key)), html`<div class="actions"><a class="button" href="/playground">Try it in the playground</a></div>`]}
${flash.secret !== undefined && codeBlock('The secret: it cannot be shown again', flash.secret)}
${flash.link !== undefined && codeBlock('The link: it works once, for 24 hours', flash.link)}
</div>`;
}
