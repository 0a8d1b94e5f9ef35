import type { AppSpec } from '../spec.ts';
import { familyOf } from './families.ts';
import { pageHtml } from './page.ts';
import { readmeOf } from './readme.ts';
import { source, withImports } from './sources.ts';
import { stringsFor } from './strings/strings.ts';
import { themeCss } from './theme.ts';

/** The files of an app by path, sorted: the same spec always gives the same bytes. */
export function renderApp(spec: AppSpec): Map<string, string> {
  const family = familyOf(spec);
  const given = new Map([['strings.js', '']]);
  if (family.formula) given.set('calculator/formula.js', source(family.formula));
  const modules = withImports(family.entry, given);
  modules.set('strings.js', stringsModule(stringsFor(spec.lang, [...modules.values()])));

  const styles = ['theme.css', 'base.css', ...family.styles];
  const files = new Map<string, string>([
    ['README.md', readmeOf(spec)],
    [
      'index.html',
      pageHtml(
        spec,
        `src/${family.entry}`,
        styles.map((style) => `src/${style}`),
      ),
    ],
    ['src/theme.css', themeCss(spec)],
  ]);
  for (const style of styles.slice(1)) files.set(`src/${style}`, source(style));
  for (const [name, text] of modules) files.set(`src/${name}`, text);
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function stringsModule(strings: Record<string, string>): string {
  const lines = Object.entries(strings).map(([key, text]) => `  ${key}: ${quoted(text)},`);
  return ['/** The texts of the interface. */', 'export const strings = {', ...lines, '};', ''].join('\n');
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
