/** The address of the repository, which stands in one place: `repository` of package.json. Until it does, nothing names one. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Manifest {
  readonly repository?: string | { readonly url: string };
}

/** The address as a browser takes it; null where none is set. */
export function repositoryUrl(manifest: Manifest = ownManifest()): string | null {
  const { repository } = manifest;
  const url = typeof repository === 'object' ? repository.url : repository;
  return url ? url.replace(/^git\+/, '').replace(/\.git$/, '') : null;
}

/**
 * A text with the address in place of `{{repository}}`. Where none is set, a link to it in Markdown becomes its text, and other lines
 * that ask for it are left out.
 */
export function withRepository(text: string, url: string | null = repositoryUrl()): string {
  if (url !== null) return text.replaceAll('{{repository}}', url);
  return text
    .replaceAll(/\[([^\]]*)\]\(\{\{repository\}\}\)/g, '$1')
    .replaceAll(/^.*\{\{repository\}\}.*\n/gm, '');
}

function ownManifest(): Manifest {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'));
}
