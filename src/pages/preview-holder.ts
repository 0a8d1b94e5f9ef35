import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { headOf } from '../factory/factory.ts';
import { html } from './assets/html.ts';

/**
 * The policies of previews: an app of a stranger may run its script and save files, and nothing else: no network, no
 * access to pages or cookies of this server, no way to lead its visitor elsewhere.
 *
 * A policy of a document says what it may load, not where it may go, so the app is never a page of its own: a page of
 * ours holds it in a frame. The sandbox keeps it from every frame but its own, and what its own frame may show is up to
 * the page that holds it (`frame-src`), however the app goes there: by script, by a link, by a refresh.
 *
 * Without `allow-forms` the handlers of forms would not even be called; `form-action 'none'` keeps them from sending
 * anything. Without `allow-same-origin` the app has an origin that nothing else has. With it the app has that of its own
 * host, which the page that holds it does not share, so that the app cannot take off its sandbox there.
 */
const sandbox = 'allow-scripts allow-forms allow-modals allow-downloads';

/** The permissions of an app's frame, as the value of `sandbox`. */
const sandboxOf = (ownOrigin: boolean) => (ownOrigin ? `${sandbox} allow-same-origin` : sandbox);

const rules = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  'media-src data: blob:',
  "connect-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
];

/** Everything that a page could be allowed (https://www.w3.org/TR/permissions-policy/), switched off. */
const features = [
  'accelerometer',
  'autoplay',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
];

const permissions = features.map((feature) => `${feature}=()`).join(', ');

export const holderHeaders: Readonly<Record<string, string>> = {
  'x-robots-tag': 'noindex, nofollow',
  'permissions-policy': permissions,
};

/**
 * `Connection-Allowlist` (https://wicg.github.io/connection-allowlists/) lets a document and all that it makes reach
 * nothing but the listed addresses by any way of the browser, WebRTC and speculation included, which no directive of a
 * Content-Security-Policy closes. Its own address is there so that an app can load itself again.
 */
export const appHeaders: Readonly<Record<string, string>> = {
  ...holderHeaders,
  'connection-allowlist': '(response-origin)',
  'x-dns-prefetch-control': 'off',
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

const style =
  'html,body{margin:0;height:100%}body{overflow:hidden}iframe{display:block;border:0;width:100%;height:100%}';
/** The source of the only style sheet, for a policy. */
export const holderStyle = `sha256-${sha256(style)}`;

/** Names and icons stand at the beginning of a page. */
const headLength = 16_384;

/**
 * The page that holds an app in a frame, under the app's own name and icon.
 * @param app the page of the app
 * @param src where the frame finds it
 */
export function holderOf(app: string, src: string, ownOrigin: boolean): string {
  const { title, lang, icon } = headOf(app.slice(0, headLength));
  return html`<!doctype html>
<html lang="${lang ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title ?? 'Preview'}</title>
${icon !== null && html`<link rel="icon" href="${icon}">`}
<style>${style}</style>
</head>
<body>
<iframe src="${src}" title="${title ?? 'Preview'}" sandbox="${sandboxOf(ownOrigin)}" allow="clipboard-write" referrerpolicy="no-referrer" autofocus></iframe>
</body>
</html>
`.text;
}

const guard = readFileSync(path.join(import.meta.dirname, 'preview-guard.js'), 'utf8');
/** Names the guard in the validators of what holds it. */
export const guardVersion = sha256(guard).slice(0, 8);

/** The page of an app with the guard before everything else in it. */
export function guarded(app: string): string {
  const doctype = /^\s*<!doctype[^>]*>/i.exec(app)?.[0] ?? '';
  return `${doctype || '<!doctype html>'}<script>${guard}</script>${app.slice(doctype.length)}`;
}

/** @param ancestors origins whose pages may hold the app in a frame, and with them all that hold such a page */
export function appPolicy(ancestors: readonly string[], ownOrigin: boolean): string {
  const frames = `frame-ancestors ${ancestors.join(' ')}`;
  return [`sandbox ${sandboxOf(ownOrigin)}`, ...rules, frames].join('; ');
}

/**
 * The policy of the page that holds an app. It holds only the app's name and icon.
 * @param app source of the app in the frame: its origin
 * @param style hash of the only style sheet
 * @param ancestors origins whose pages may show it in a frame
 */
export function holderPolicy(app: string, style: string, ancestors: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src '${style}'`,
    'img-src data:',
    `frame-src ${app}`,
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors.join(' ')}`,
  ].join('; ');
}

/** The origins that pages of this server have: its address, and on a developer's machine that by its other name. */
export function ownOrigins(publicUrl: string): readonly string[] {
  const { hostname, port, protocol } = new URL(publicUrl);
  if (!/^(?:localhost|127\.0\.0\.1)$/.test(hostname)) return [publicUrl];
  const suffix = port === '' ? '' : `:${port}`;
  return ['127.0.0.1', 'localhost'].map((name) => `${protocol}//${name}${suffix}`);
}
