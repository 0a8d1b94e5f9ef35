import { kindOfApp } from '../catalogue.ts';
import type { AppSpec } from '../spec.ts';
import { type Family, picturesModule } from './app-data.ts';
import { pageHtml } from './page.ts';
import { partOf, source, withImports } from './sources.ts';
import { mentioned, readmeOf, textsOf } from './texts.ts';
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
