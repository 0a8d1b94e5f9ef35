import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { version } from 'esbuild';
import { strToU8, type Zippable, zipSync } from 'fflate';

import { pageLinks } from './page-links.ts';
import { slug } from './render/app-data.ts';
import type { AppSpec } from './spec.ts';

/** Maximum size of an archive that is offered. */
const maxZipBytes = 2 * 1024 * 1024;

export interface Package {
  readonly zip: Uint8Array;
  readonly sha256: string;
  readonly entries: readonly FileEntry[];
}

/**
 * Packs a build: `index.html` that opens by double-click, the sources under `src/` with the script that makes the page of
 * them, README and manifest. Nothing in it depends on when or where it is packed, so the hash names the content.
 */
export function packageApp(
  files: ReadonlyMap<string, string>,
  html: string,
  about: Pick<AppSpec, 'name' | 'lang' | 'kind' | 'variant'>,
): Package {
  const contents = new Map<string, string>([['index.html', html]]);
  for (const [file, text] of files)
    contents.set(
      file === 'index.html' ? 'src/index.html' : file,
      file === 'index.html' ? pageInSrc(text) : text,
    );
  contents.set('build.js', buildScript());
  contents.set('package.json', packageJson(about));
  const entries = [...contents]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, text]) => fileEntry(file, text));
  const manifest = { schema: 1, name: about.name, kind: about.kind, variant: about.variant, files: entries };
  contents.set('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
  const zip = zipOf(contents);
  if (zip.length > maxZipBytes)
    throw new RangeError(`the archive has ${zip.length} bytes, at most ${maxZipBytes} are allowed`);
  return { zip, sha256: createHash('sha256').update(zip).digest('hex'), entries };
}

let script: string | undefined;
function buildScript(): string {
  script ??= readFileSync(path.join(import.meta.dirname, 'archive/build.js'), 'utf8');
  return script;
}

/** The very bundler that made the page, so that the same sources give the same bytes. */
function packageJson(about: Pick<AppSpec, 'name' | 'lang'>): string {
  const contents = {
    name: slug(about),
    private: true,
    type: 'module',
    engines: { node: '>=20.11' },
    scripts: { build: 'node build.js' },
    devDependencies: { esbuild: version },
  };
  return `${JSON.stringify(contents, null, 2)}\n`;
}

/** The page beside its sources: its references lose the folder that it has moved into. */
function pageInSrc(page: string): string {
  return pageLinks(page)
    .reverse()
    .reduce(
      (html, { path: file, start, end }) =>
        html.slice(0, start) +
        html.slice(start, end).replace(file, file.replace(/^src\//, '')) +
        html.slice(end),
      page,
    );
}

/** What stands in every archive beside the sources. */
const madeByUs: ReadonlySet<string> = new Set(['index.html', 'manifest.json', 'build.js', 'package.json']);

/** The sources of a build by the paths that they had before they were packed, out of the texts of its archive. */
export function packedSources(archive: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...archive].flatMap(([path, text]): [string, string][] => {
      if (madeByUs.has(path)) return [];
      return [path === 'src/index.html' ? ['index.html', pageBesideSrc(text)] : [path, text]];
    }),
  );
}

/** The reverse of `pageInSrc`. */
function pageBesideSrc(page: string): string {
  return pageLinks(page)
    .reverse()
    .reduce(
      (html, { path, start, end }) =>
        html.slice(0, start) + html.slice(start, end).replace(path, () => `src/${path}`) + html.slice(end),
      page,
    );
}

function zipOf(contents: ReadonlyMap<string, string>): Uint8Array {
  const tree: Zippable = {};
  // 1980 is the first year that a zip can hold; the local parts are used, so it is the same in every time zone.
  const mtime = new Date(1980, 0, 1);
  for (const file of [...contents.keys()].sort())
    tree[file] = [strToU8(contents.get(file) ?? ''), { mtime, level: 9, os: 0 }];
  return zipSync(tree);
}

/** A file of a build as it is listed. */
export interface FileEntry {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export function fileEntry(path: string, text: string): FileEntry {
  const bytes = Buffer.from(text);
  return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
