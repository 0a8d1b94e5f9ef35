import { existsSync } from 'node:fs';
import { yamlFile } from '../../lib/yaml-file.ts';
import type { AppSpec, Lang, TemplateName } from '../spec.ts';

type Texts = Readonly<Record<string, string>>;

const folder = new URL('../kinds/', import.meta.url);
const cache = new Map<string, Readonly<Record<Lang, Texts>>>();

/** The texts of the interface that the apps of a kind are written with, its own and those of all kinds. */
export function textsOf(kind: TemplateName, lang: Lang): Texts {
  return { ...sharedTexts(lang), ...textsIn(kind, lang) };
}

/** The texts that all kinds share. */
export const sharedTexts = (lang: Lang): Texts => textsIn('shared', lang);

/** Those of a kind in all languages are read once. A kind without texts has none of its own. */
function textsIn(home: string, lang: Lang): Texts {
  let texts = cache.get(home);
  if (texts === undefined) {
    const file = new URL(`${home}/texts.yaml`, folder);
    const { interface: found } = (existsSync(file) ? yamlFile(file) : {}) as {
      readonly interface?: Readonly<Record<Lang, Texts>>;
    };
    texts = found ?? ({} as Readonly<Record<Lang, Texts>>);
    cache.set(home, texts);
  }
  return texts[lang] ?? {};
}

/** Of all texts those that these sources mention; plural forms come with their key. */
export function mentioned(texts: Texts, sources: readonly string[]): Texts {
  const words = new Set(
    sources.flatMap((source) => source.match(/(?<=['`])[a-zA-Z][a-zA-Z0-9_]*(?=['`$])/g) ?? []),
  );
  const wanted = (key: string) =>
    words.has(key) || words.has(key.replace(/_(one|other)$/, '')) || words.has(beginningOf(key));
  return Object.fromEntries(Object.entries(texts).filter(([key]) => wanted(key)));
}

/** What stands in the source where a key is put together at run time: t(`unit_${unit}`), t(`mood${mood}`). */
const beginningOf = (key: string) => /^[a-z]+(?=\d$)|^[a-z]+_/.exec(key)?.[0] ?? key;

/**
 * The README of a build, in the app's language.
 * @param written the files and what each is for, where a model has written them; null for an app from a template
 */
export function readmeOf(
  spec: AppSpec,
  written: readonly { readonly path: string; readonly purpose: string }[] | null = null,
): string {
  const said = sharedTexts(spec.lang);
  const sources = written?.map(
    ({ path, purpose }) =>
      `- \`${path === 'index.html' ? 'src/index.html' : path}\`: ${escapeMarkdown(purpose)}`,
  );
  const assumptions = spec.assumptions.map((line) => `- ${escapeMarkdown(line)}`);
  return [
    `# ${escapeMarkdown(spec.name)}`,
    '',
    ...(spec.tagline ? [escapeMarkdown(spec.tagline), ''] : []),
    said['readmeOpen'],
    '',
    ...(assumptions.length > 0 ? [`## ${said['readmeAssumed']}`, '', ...assumptions, ''] : []),
    `## ${said['readmeChange']}`,
    '',
    ...(sources ?? [`- ${said['readmeData']}`]),
    `- ${said['readmeColours']}`,
    `- ${said['readmeBuild']}`,
    `- ${said['readmeServe']}`,
    ...(written ? [] : [`- ${said['readmePictures']}`]),
    '',
  ].join('\n');
}

/** What each file of an app is for, by its path, as the README of an app says it that a model has written. */
export function sourcesInReadme(readme: string): Map<string, string> {
  return new Map(
    [...readme.matchAll(/^- `(src\/[^`\n]{1,200})`: (.*)$/gm)].map(([, path = '', purpose = '']) => [
      path === 'src/index.html' ? 'index.html' : path,
      purpose.replace(/\\([\\`*_[\]<>#|~])/g, '$1'),
    ]),
  );
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, '\\$&').replace(/\s+/g, ' ');
}
