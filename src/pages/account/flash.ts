import type { PageRequest } from '../../http/page.ts';
import { setCookie } from '../../lib/cookies.ts';
import { codeBlock, type Html, html } from '../layout.ts';

/** What the next page says of the form that was just sent. */
export interface Flash {
  readonly tone: 'good' | 'bad';
  readonly message: string;
  /** A new key, to be shown this once. */
  readonly key?: string;
  /** A new sign-in link, to be shown this once. */
  readonly link?: string;
  /** A new secret of a webhook, to be shown this once. */
  readonly secret?: string;
  /** The form of a new key that was refused: it says so itself. */
  readonly refusedKey?: RefusedKey;
}

/** What was typed into the form of a new key, and what is wrong with it. */
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

export function noFlashCookie(secure: boolean): string {
  return setCookie(cookie, '', { secure, maxAge: 0 });
}

/** The message for this page; null without one. */
export function flashOf(request: PageRequest): Flash | null {
  const value = request.cookie(cookie);
  if (value === null || value === '') return null;
  try {
    return JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as Flash;
  } catch {
    return null;
  }
}

export function flashView(flash: Flash | null, publicUrl: string): Html {
  if (flash === null || flash.refusedKey) return html``;
  return html`<div class="notice ${flash.tone}" role="${flash.tone === 'bad' ? 'alert' : 'status'}">
<p>${flash.message}</p>
${flash.key !== undefined && [codeBlock('The key: it cannot be shown again', flash.key), codeBlock('Try it', curlOf(publicUrl, flash.key)), html`<div class="actions"><a class="button" href="/playground">Try it in the playground</a></div>`]}
${flash.secret !== undefined && codeBlock('The secret: it cannot be shown again', flash.secret)}
${flash.link !== undefined && codeBlock('The link: it works once, for 24 hours', flash.link)}
</div>`;
}

function curlOf(publicUrl: string, key: string): string {
  return [
    `curl ${publicUrl}/v1/chat \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '{"message": "Hello!"}'`,
  ].join('\n');
}
