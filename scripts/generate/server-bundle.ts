import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Node, type ObjectExpression, parse } from 'acorn';
import { simple } from 'acorn-walk';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import {
  type BundleRecord,
  bundleRecord,
  bundlesFolder,
  moduleState,
  packageVersion,
  recordFile,
} from '../../src/lib/server-bundle.ts';

const entryPoints = { server: 'src/server/server.ts', worker: 'src/server/processes/worker.ts' };
/** What a start loads once it knows its settings, where these ask for it: packages, and what chats need of undici. */
const onDemand = ['yaml'];
const ofUndici = /^undici\/lib\//;

/**
 * Modules of packages that are loaded with others and that neither a start nor a chat needs, each with what runs of it all the same,
 * which its package has in modules of their own. They are loaded when something of them is first used, from where they are installed.
 */
const later: Readonly<Record<string, string>> = {
  '@fastify/busboy/index.js': '',
  'ajv/dist/2020.js': '',
  'esbuild/lib/main.js': '',
  'lodash/lodash.js': ['flatMap', 'includes', 'keys']
    .map((name) => `exports.${name} = require('./${name}.js');`)
    .join(' '),
  'mock-json-schema/mock.js': '',
  'openapi-backend/refparser.js': '',
  'openapi-backend/validation.js': '',
  'openapi-schema-validator/dist/index.js': '',
  'qs/lib/index.js': '',
  'standardwebhooks/dist/index.js': '',
};
/** What undici requires in functions that no chat calls. */
const restOfUndici = /\/undici\/lib\/(?:web|milo|mock|cache)\/|\/llhttp-wasm\.js$/;

interface BundledFile {
  readonly path: string;
  readonly contents: Uint8Array;
}

interface Bundled {
  readonly metafile: Metafile;
  readonly outputFiles: readonly BundledFile[];
}

/**
 * Makes the server's bundle in `build/server/`: half of a start goes on finding, reading and linking some 1,500 modules. What is
 * loaded later stays apart: our own modules in files of their own, packages as they are installed. The bundle before stays, as
 * servers that run may still load of it.
 */
export async function makeServerBundle(root = path.join(import.meta.dirname, '../..')): Promise<void> {
  const begunAt = Date.now();
  const { metafile, outputFiles } = await bundled(root);
  const digest = createHash('sha256');
  for (const { path: file, contents } of outputFiles) digest.update(path.basename(file)).update(contents);
  const folder = digest.digest('hex').slice(0, 16);
  const record: BundleRecord = {
    folder,
    files: outputFiles.map(({ path: file }) => path.basename(file)),
    ...madeOf(metafile, root),
  };
  // Edited meanwhile: nobody knows which of both is in it.
  if (Object.values(record.modules).some(([, changedAt]) => changedAt >= begunAt)) return;
  const bundles = bundlesFolder(root);
  mkdirSync(path.join(bundles, folder), { recursive: true });
  for (const { path: file, contents } of outputFiles)
    write(path.join(bundles, folder, path.basename(file)), contents);

  const before = bundleRecord(root)?.folder;
  write(recordFile(root), JSON.stringify(record));
  // The same again: what was before that may be in use as well.
  if (before === folder) return;
  for (const { name } of readdirSync(bundles, { withFileTypes: true }).filter((one) => one.isDirectory()))
    if (name !== folder && name !== before)
      rmSync(path.join(bundles, name), { recursive: true, force: true });
}

/** The files of the bundle, and what they are made of. */
export async function bundled(root: string): Promise<Bundled> {
  // Twice: the packages that the start needs are known when it is known which of our modules it needs.
  const ours = await bundle(root, { packages: 'external' });
  const inside = new Set([...packagesOf(startOf(ours.metafile), ours.metafile), ...onDemand]);
  const { metafile, outputFiles } = await bundle(root, {
    plugins: [outside(inside), lazily(root), ownPlaces(root)],
  });
  return {
    metafile,
    outputFiles: outputFiles.map((file) => (file.path.endsWith('.js') ? lean(file) : file)),
  };
}

/**
 * Takes out what costs and does nothing, what gives functions their names. V8 holds the text of every module, with two
 * bytes for each character where one of them is beyond Latin-1, so what is left is ASCII. esbuild names each function that is
 * made, so also each closure on the way of a request, at 4 % of the CPU time of a chat (profile of 2026-11-26); only the names of
 * classes are asked for. Lines stay as they are, and nearly all columns, for the source map.
 */
export function lean<File extends BundledFile>(file: File): File {
  const text = Buffer.from(file.contents).toString();
  const edits: Edit[] = [];
  const program = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  const toAscii = (from: number, to: number) => {
    const written = text.slice(from, to);
    if (beyondAscii.test(written)) edits.push({ from, to, text: inAscii(written) });
  };
  const parts = new Set<Node>();
  simple(program, {
    CallExpression({ callee, arguments: [named], start, end }) {
      if (callee.type !== 'Identifier') return;
      if (callee.name === '__commonJS') edits.push(...eager(named));
      if (callee.name !== '__name') return;
      if (named === undefined || named.type === 'ThisExpression') return;
      edits.push({ from: start, to: named.start, text: '('.padEnd(named.start - start) });
      edits.push({ from: named.end, to: end, text: ')'.padEnd(end - named.end) });
    },
    Literal({ regex, start, end }) {
      if (regex) toAscii(start, end);
    },
    TemplateElement(part) {
      parts.add(part);
    },
    // After its parts. Other tags take them without their escapes.
    TaggedTemplateExpression({ tag, quasi }) {
      if (text.slice(tag.start, tag.end) === 'String.raw')
        for (const part of quasi.quasis) parts.delete(part);
    },
  });
  for (const { start, end } of parts) toAscii(start, end);
  let result = '';
  let at = 0;
  for (const { from, to, text: instead } of edits.sort((one, other) => one.from - other.from)) {
    result += text.slice(at, from) + instead;
    at = to;
  }
  return { ...file, contents: Buffer.from(result + text.slice(at)) };
}

/**
 * Has V8 compile a CommonJS module of a package with the file that it is in, as a function in parentheses: Node's compile cache is made of
 * what is compiled before a file runs, so others are parsed twice and compiled at every start.
 * @param modules what esbuild gives its helper: an object with the module as its one method
 */
function eager(modules: Node | undefined): Edit[] {
  const [module] = (modules as ObjectExpression | undefined)?.properties ?? [];
  if (module?.type !== 'Property' || !module.method) return [];
  const { key, value } = module;
  return [
    { from: key.end, to: key.end, text: ':(function' },
    { from: value.end, to: value.end, text: ')' },
  ];
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const beyondAscii = /[^\0-\x7f]/;

/** The same in a regular expression or a template. A character that has a needless backslash before it loses that. */
const inAscii = (written: string) =>
  written.replaceAll(
    /\\?([^\0-\x7f])/g,
    (_, unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function bundle(root: string, options: BuildOptions): Promise<Bundled> {
  return build({
    absWorkingDir: root,
    entryPoints,
    bundle: true,
    write: false,
    splitting: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Only those of packages that Node.js takes too.
    conditions: [],
    // As deep as the folders of bundles are.
    outdir: path.join(bundlesFolder(root), 'next'),
    // Errors are told apart by the names of their classes, also in logs; see `lean`.
    keepNames: true,
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    // For those who ask for it, with `NODE_OPTIONS=--enable-source-maps`: nothing is minified, and names stay.
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'error',
    define: {
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
      'import.meta.url': '__url',
    },
    banner: {
      js: [
        "import { createRequire as __createRequire } from 'node:module';",
        "import { fileURLToPath as __fileURLToPath } from 'node:url';",
        'const require = __createRequire(import.meta.url);',
        "const __root = new URL('../../../', import.meta.url).href;",
      ].join('\n'),
    },
    ...options,
  } satisfies BuildOptions) as Promise<Bundled>;
}

/** The outputs that are loaded at the start. */
export function startOf({ outputs }: Metafile): ReadonlySet<string> {
  const start = new Set<string>();
  const add = (file: string) => {
    if (start.has(file)) return;
    start.add(file);
    for (const { path: next, kind, external } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && !external) add(next);
  };
  for (const [file, { entryPoint }] of Object.entries(outputs))
    if (Object.values(entryPoints).includes(entryPoint ?? '')) add(file);
  return start;
}

/** The packages that these import, by their names. */
function packagesOf(files: Iterable<string>, { outputs }: Metafile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const file of files) {
    for (const { path: name, kind, external } of outputs[file]?.imports ?? [])
      if (external && kind === 'import-statement' && !name.startsWith('node:')) names.add(packageName(name));
  }
  return names;
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Leaves packages out of the bundle that are not of these, nor needed by these, and what of undici is not for chats. */
function outside(inside: ReadonlySet<string>): Plugin {
  return {
    name: 'outside',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path: specifier, importer, kind }) => {
        if (kind === 'entry-point' || isOfPackage(importer)) return null;
        if (specifier.startsWith('node:')) return null;
        // esbuild gives whoever imports CommonJS at run time nothing but its default.
        const isInside = inside.has(packageName(specifier)) || ofUndici.test(specifier);
        return isInside && kind !== 'dynamic-import' ? null : { path: specifier, external: true };
      });
      onResolve({ filter: /^\./, namespace: 'file' }, ({ path: specifier, resolveDir }) => {
        const file = path.join(resolveDir, specifier);
        if (!restOfUndici.test(file)) return null;
        return { path: file.slice(file.lastIndexOf('undici/lib/')), external: true };
      });
    },
  };
}

const isOfPackage = (file: string) => file.includes(`${path.sep}node_modules${path.sep}`);

/** Puts what loads them when they are first used in place of the modules of `later`. */
function lazily(root: string): Plugin {
  return {
    name: 'lazily',
    setup({ onLoad }) {
      onLoad({ filter: /node_modules.*\.js$/ }, ({ path: file }) => {
        const name = file.slice(file.lastIndexOf('node_modules/') + 'node_modules/'.length);
        const own = later[name];
        if (own === undefined) return null;
        const exported = createRequire(file)(file) as Record<string, unknown>;
        const place = JSON.stringify(path.relative(root, file));
        const keys = Object.keys(exported).filter(
          (key) => key !== '__esModule' && !own.includes(`exports.${key} =`),
        );
        const lines = [
          `for (const key of ${JSON.stringify(keys.join(' '))}.split(' '))`,
          'Object.defineProperty(exports, key, { enumerable: true, get: () => load()[key] });',
        ];
        if (exported['__esModule'])
          lines.push("Object.defineProperty(exports, '__esModule', { value: true });");
        const load = `let loaded; const load = () => (loaded ??= require(__fileURLToPath(__root + ${place})));`;
        return {
          contents: [load, own, ...lines].join('\n'),
          loader: 'js',
          resolveDir: path.dirname(file),
        };
      });
      // A server answers with types that are written out; what Koa adds to them is their charset.
      onLoad({ filter: /mime-db\/db\.json$/ }, ({ path: file }) => {
        const types = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, MimeType>);
        const needed = types.filter(([type, { charset }]) => charset || /^text\/|octet-stream$/.test(type));
        return { contents: JSON.stringify(Object.fromEntries(needed)), loader: 'json' };
      });
    },
  };
}

interface MimeType {
  readonly charset?: string;
}

/** Has modules that ask where they are told where their source is. */
function ownPlaces(root: string): Plugin {
  return {
    name: 'own-places',
    setup({ onLoad }) {
      onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path: file }) => {
        const text = readFileSync(file, 'utf8')
          // A package that is loaded when it is first used may be in the bundle too.
          .replaceAll("createRequire(import.meta.url)('", "require('");
        const loader = file.endsWith('ts') ? 'ts' : 'js';
        if (!/\b__(dirname|filename)\b|import\.meta\./.test(text)) return { contents: text, loader };
        const place = path.relative(root, file).split(path.sep).map(encodeURIComponent).join('/');
        const lines = [
          `const __url = __root + ${JSON.stringify(place)};`,
          'const __filename = __fileURLToPath(__url);',
          "const __dirname = __fileURLToPath(new URL('.', __url)).slice(0, -1);",
        ];
        // On the first line, so that the others keep their numbers.
        return { contents: `${lines.join(' ')} ${text}`, loader };
      });
      // As a literal it would stay as code beside the data.
      onLoad({ filter: /\.json$/ }, ({ path: file }) => {
        const text = JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));
        return { contents: `module.exports = JSON.parse(${JSON.stringify(text)});`, loader: 'js' };
      });
    },
  };
}

function madeOf({ inputs }: Metafile, root: string): Pick<BundleRecord, 'modules' | 'packages'> {
  const modules: Record<string, BundleRecord['modules'][string]> = {};
  const packages: Record<string, string> = {};
  for (const name of Object.keys(inputs)) {
    const at = name.lastIndexOf('node_modules/') + 'node_modules/'.length;
    const folder = name.slice(0, at) + packageName(name.slice(at));
    if (!name.includes('node_modules/')) modules[name] = moduleState(name, root);
    else packages[folder] ??= packageVersion(folder, root);
  }
  return { modules, packages };
}

/** Whole or not at all: servers may be reading it. */
function write(file: string, contents: string | Uint8Array): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, contents);
  renameSync(draft, file);
}
