import { kindOfApp } from '../catalogue.ts';
import { iconOf } from '../icons/icon-for.ts';
import { drawingOf } from '../icons/icon-set.ts';
import type { AppSpec } from '../spec.ts';
import { appData, type Family, picturesModule } from './app-data.ts';
import { shadesOf } from './palette.ts';
import { partOf, source, withImports } from './sources.ts';
import { mentioned, readmeOf, sharedTexts, textsOf } from './texts.ts';
import { themeCss } from './theme.ts';

/**
 * The files of an app by path, sorted: the same spec and family always give the same bytes.
 * @param family of a revision; left out for a first build
 */
export function renderApp(spec: AppSpec, family?: Family): Map<string, string> {
  const { entry, styles: own, files: replaced } = kindOfApp(spec.kind, spec.variant);
  const given = new Map([
    ['strings.js', ''],
    ['pictures.js', picturesModule(spec)],
  ]);
  for (const [path, file] of Object.entries(replaced))
    given.set(`${spec.kind}/${path}`, partOf(`${spec.kind}/${file}`, path.replace(/\.js$/, '')));
  const main = `${spec.kind}/${entry}`;
  const modules = withImports(main, given);
  modules.set('strings.js', stringsModule(mentioned(textsOf(spec.kind, spec.lang), [...modules.values()])));

  const styles = [
    'theme.css',
    'base.css',
    ...own.map((style) =>
      style.startsWith('shared/') ? style.slice('shared/'.length) : `${spec.kind}/${style}`,
    ),
  ];
  const files = new Map<string, string>([
    ['README.md', readmeOf(spec)],
    [
      'index.html',
      pageHtml(
        spec,
        `src/${main}`,
        styles.map((style) => `src/${style}`),
        family,
      ),
    ],
    ['src/theme.css', themeCss(spec)],
  ]);
  for (const style of styles.slice(1)) files.set(`src/${style}`, source(style));
  for (const [name, text] of modules) files.set(`src/${name}`, text);
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function stringsModule(strings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(strings).map(([key, text]) => `  ${key}: ${quoted(text)},`);
  return ['/** The texts of the interface. */', 'export const strings = {', ...lines, '};', ''].join('\n');
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** The page of an app. What the user wrote stands in it twice: escaped in the title, and as JSON. */
function pageHtml(spec: AppSpec, scripts: string, styles: readonly string[], family?: Family): string {
  const theme = spec.palette.mode;
  return [
    '<!doctype html>',
    `<html lang="${spec.lang}" data-theme="${theme}" data-look="${spec.palette.look}">`,
    '  <head>',
    '    <meta charset="utf-8">',
    '    <meta name="viewport" content="width=device-width, initial-scale=1">',
    `    <title>${escapeHtml(spec.name)}</title>`,
    `    <meta name="description" content="${escapeHtml(spec.tagline)}">`,
    `    <link rel="icon" href="${icon(spec)}">`,
    ...styles.map((href) => `    <link rel="stylesheet" href="${href}">`),
    '  </head>',
    '  <body>',
    '    <div id="app"></div>',
    `    <noscript>${sharedTexts(spec.lang)['noScript']}</noscript>`,
    '    <script type="application/json" id="app-data">',
    jsonForHtml(appData(spec, family)),
    '    </script>',
    `    <script type="module" src="${scripts}"></script>`,
    '  </body>',
    '</html>',
    '',
  ].join('\n');
}

/** The icon is part of the page, or the browser would ask the server for one. */
function icon(spec: AppSpec): string {
  const { light } = shadesOf(spec.palette);
  const shapes = drawingOf(iconOf(spec)).map(
    ([tag, attributes]) =>
      `<${tag}${Object.entries(attributes)
        .map(([name, value]) => ` ${name}='${value}'`)
        .join('')}/>`,
  );
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='${light.accent}'/><g transform='translate(5.2 5.2) scale(.9)' fill='none' stroke='${light['on-accent']}' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'>${shapes.join('')}</g></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg).replaceAll("'", '%27')}`;
}

/** JSON that cannot end the script element it stands in, whatever its texts hold. */
function jsonForHtml(value: unknown): string {
  const escapes: Record<string, string> = {
    '<': '\\u003c',
    '>': '\\u003e',
    '&': '\\u0026',
    '\u2028': '\\u2028',
    '\u2029': '\\u2029',
  };
  return JSON.stringify(value, null, 2).replace(/[<>&\u2028\u2029]/g, (char) => escapes[char] ?? char);
}

function escapeHtml(text: string): string {
  const escapes: Record<string, string> = {
    '<': '&lt;',
    '>': '&gt;',
    '&': '&amp;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[<>&"']/g, (char) => escapes[char] ?? char);
}
