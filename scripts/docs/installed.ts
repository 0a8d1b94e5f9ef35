import { existsSync } from 'node:fs';
import path from 'node:path';

/** Whether the development packages that make the documentation are there. */
export function isInstalled(): boolean {
  const modules = path.join(import.meta.dirname, '../../node_modules');
  return ['.bin/redocly', 'marked'].every((name) => existsSync(path.join(modules, name)));
}
