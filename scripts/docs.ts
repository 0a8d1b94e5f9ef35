import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildReference } from './docs/reference.ts';

/**
 * Makes what the server serves under `/docs`, in `build/`: the reference (`docs.html`) from the contract, and the guides
 * (`guides.json`) from the Markdown in `docs/`. Before that it fills in the parts of the guides that derive from the
 * program. Runs after every install and every generation; without the development packages it leaves `build/` as it is.
 */

if (isInstalled()) {
  const root = path.join(import.meta.dirname, '..');
  const { fillIn } = await import('./docs/derived.ts');
  const { renderGuides } = await import('./docs/guides.ts');
  mkdirSync(path.join(root, 'build'), { recursive: true });
  fillIn(root);
  writeFileSync(path.join(root, 'build/guides.json'), JSON.stringify(renderGuides(root)));
  buildReference(root);
}

/** Whether the development packages that make the documentation are there. */
export function isInstalled(): boolean {
  const modules = path.join(import.meta.dirname, '../node_modules');
  return ['.bin/redocly', 'marked'].every((name) => existsSync(path.join(modules, name)));
}
