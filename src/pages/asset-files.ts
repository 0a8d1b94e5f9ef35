import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TemplateId } from '../../generated/types.gen.ts';
import { ServiceError } from '../contract/errors.ts';
import {
  appSpecSchema,
  iconChoices,
  kindOfApp,
  offersOf,
  templateNames,
  variantsOf,
} from '../factory/factory.ts';
import type { Page, PageReply } from '../http/page.ts';
import { pageScript } from '../lib/yaml-file.ts';
import type { PlanApp, PlanForms } from './assets/plan-schema.ts';

const styleType = 'text/css; charset=utf-8';
const mediaTypes: Readonly<Record<string, string>> = { '.css': styleType, '.svg': 'image/svg+xml' };

/** Files that are not in the folder but made when they are first asked for. */
const made: readonly (readonly [name: string, text: () => string])[] = [
  ['icons.json', () => JSON.stringify(iconChoices())],
  ['plan-forms.json', () => JSON.stringify(planForms())],
];

interface AssetFiles {
  /** Names the content of all files together. */
  readonly version: string;
  readonly files: ReadonlyMap<string, { readonly mediaType: string; readonly body: Buffer }>;
}

let read: AssetFiles | undefined;

function assetFiles(): AssetFiles {
  read ??= readFolder(path.join(import.meta.dirname, 'assets'));
  return read;
}

function readFolder(folder: string): AssetFiles {
  const files = new Map<string, { mediaType: string; body: Buffer }>();
  const hash = createHash('sha256');
  const add = (name: string, mediaType: string, body: Buffer) => {
    files.set(name, { mediaType, body });
    hash.update(`${name} ${body.length} `).update(body);
  };
  for (const name of readdirSync(folder).sort()) {
    const file = path.join(folder, name);
    const mediaType = mediaTypes[path.extname(name)];
    if (mediaType !== undefined) add(name, mediaType, readFileSync(file));
    else if (name.endsWith('.ts'))
      add(
        name.replace(/ts$/, 'js'),
        'text/javascript; charset=utf-8',
        Buffer.from(pageScript(pathToFileURL(file))),
      );
    else if (path.extname(name) === '') add(`${name}.css`, styleType, joined(file));
  }
  for (const [name, text] of made) add(name, 'application/json; charset=utf-8', Buffer.from(text()));
  return { version: hash.digest('base64url').slice(0, 12), files };
}

/** A folder of style sheets, one for each component, is one file to browsers. */
function joined(folder: string): Buffer {
  return Buffer.concat(
    readdirSync(folder)
      .sort()
      .map((name) => readFileSync(path.join(folder, name))),
  );
}

/**
 * The address under which browsers may keep a file of `assets/` for good: with the version of all of them in its path, so
 * that a module finds those of the same version beside it. Throws for a file that is not there.
 */
export function assetAddress(name: string): string {
  const { version, files } = assetFiles();
  if (!files.has(name)) throw new Error(`there is no asset ${name}`);
  return `/assets/${version}/${name}`;
}

/** The modules that a module imports, directly and through others, so that a page can ask for all of them at once. */
export function importedBy(name: string, found = new Set<string>()): ReadonlySet<string> {
  const text = assetFiles().files.get(name)?.body.toString('utf8') ?? '';
  for (const [, imported = ''] of text.matchAll(/^(?:import .*|\}) from ['"]\.\/(.+)['"];$/gm)) {
    if (found.has(imported)) continue;
    found.add(imported);
    importedBy(imported, found);
  }
  return found;
}

/** Every file of `assets/` and those that are made, under its name and under its name with a version. */
export const assetPages: readonly Page[] = [
  { path: '/assets/:name', file: true, render: ({ params }) => answer(params['name'] ?? '', null) },
  {
    path: '/assets/:version/:name',
    file: true,
    render: ({ params }) => answer(params['name'] ?? '', params['version'] ?? null),
  },
];

/** Throws `ServiceError('not_found')`. Another version than ours is that of another server that answers for the same address: ours will do for now. */
function answer(name: string, version: string | null): PageReply {
  const { version: current, files } = assetFiles();
  const file = files.get(name);
  if (!file) throw new ServiceError('not_found', 'There is no such file.');
  const cacheControl = version === current ? 'public, max-age=31536000, immutable' : 'public, max-age=300';
  return { status: 200, ...file, cacheControl };
}

export function planForms(): PlanForms {
  const drawings = new Map(iconChoices().map(({ name, drawing }) => [name, drawing]));
  return {
    schema: appSpecSchema,
    kinds: templateNames.map((id) => {
      const variants = variantsOf(id);
      const { name, description, accent, icon } = kindOfApp(id);
      return {
        id,
        name,
        description,
        accent,
        drawing: drawings.get(icon) ?? [],
        apps: Object.fromEntries(
          (variants.length === 0 ? [''] : variants).map((variant) => [variant, appOf(id, variant)]),
        ),
      };
    }),
  };
}

function appOf(id: TemplateId, variant: string): PlanApp {
  const { uses, settings, copy } = kindOfApp(id, variant);
  return {
    uses,
    features: offersOf(id, variant),
    settings: Object.entries(settings).map(([name, { description, min, max, value }]) => ({
      name,
      description: `${description} From ${min} to ${max}.`,
      value: String(value),
      options: [],
    })),
    copy: Object.entries(copy).map(([name, { description, value = '', options = [] }]) => ({
      name,
      description,
      value,
      options,
    })),
  };
}
