import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { attribute, elementsOf, textOf } from '../lib/html.ts';
import { html } from './layout.ts';
import { sandboxOf } from './preview-policy.ts';

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
  const elements = elementsOf(app.slice(0, headLength));
  const named = elements.find(({ tagName }) => tagName === 'title');
  const title = named ? textOf(named) : 'Preview';
  const root = elements.find(({ tagName }) => tagName === 'html');
  const icon = elements
    .filter((element) => element.tagName === 'link' && attribute(element, 'rel') === 'icon')
    .map((element) => attribute(element, 'href'))
    .find((href) => href?.startsWith('data:image/'));
  return html`<!doctype html>
<html lang="${(root && attribute(root, 'lang')) ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${icon !== undefined && html`<link rel="icon" href="${icon}">`}
<style>${style}</style>
</head>
<body>
<iframe src="${src}" title="${title}" sandbox="${sandboxOf(ownOrigin)}" allow="clipboard-write" referrerpolicy="no-referrer" autofocus></iframe>
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
