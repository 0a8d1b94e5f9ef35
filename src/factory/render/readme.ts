import type { AppSpec } from '../spec.ts';
import { sharedTexts } from './texts.ts';

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
