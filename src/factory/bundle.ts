import path from 'node:path';
import { build, type Message, type Plugin } from 'esbuild';

import { elementsOf, type PageLink, pageLinks } from './page-links.ts';
import { type Problem, problem } from './problem.ts';
import { forbiddenCode } from './verify/code.ts';

/** Bundles that are kept, and how long all of them may be together, in characters. */
const maxChars = 8 * 1024 * 1024;

/**
 * Bundles of the last builds. The program of an app is the same in every build of its kind, variant and language: what
 * differs stands in the page. A bundle is taken again only where each file that went into it is the same, letter by
 * letter, so nothing else can decide what it is.
 */
export class BundleCache {
  #kept: Kept[] = [];
  #chars = 0;

  /** The bundle of an entry of these files, if it has been made before. */
  find(entry: string, files: ReadonlyMap<string, string>): string | null {
    const at = this.#kept.findIndex(
      (kept) => kept.entry === entry && [...kept.inputs].every(([path, text]) => files.get(path) === text),
    );
    const [found] = at < 0 ? [] : this.#kept.splice(at, 1);
    if (!found) return null;
    this.#kept.push(found);
    return found.text;
  }

  keep(entry: string, inputs: ReadonlyMap<string, string>, text: string): void {
    const kept = { entry, inputs, text };
    this.#kept.push(kept);
    this.#chars += sizeOf(kept);
    while (this.#chars > maxChars) {
      const [oldest] = this.#kept.splice(0, 1);
      this.#chars -= oldest ? sizeOf(oldest) : 0;
    }
  }
}

const sizeOf = ({ inputs, text }: Kept): number =>
  [...inputs.values()].reduce((sum, input) => sum + input.length, text.length);

/** A bundled page, or why there is none. */
export type Bundle =
  | { readonly html: string; readonly problems: readonly [] }
  | { readonly html: null; readonly problems: readonly Problem[] };

/**
 * Makes one page of all files: scripts and stylesheets stand in it, so it opens by double-click and needs no network.
 * Only `files` are read. esbuild is given no way to the disk: each import is resolved by us, and code that could
 * bypass that (a path that is only known at run time) is refused before esbuild sees it.
 * @param endpoint the one origin that the page may post to, if any
 */
export async function bundleApp(
  files: ReadonlyMap<string, string>,
  endpoint: string | null = null,
): Promise<Bundle> {
  const page = files.get('index.html');
  if (page === undefined) return failed([problem('bundle', 'There is no index.html.', 'index.html')]);
  const refused = [...files].flatMap(([file, text]) => forbiddenCode(file, text));
  if (refused.length > 0) return failed(refused);
  const links = pageLinks(page);
  const missing = links.filter((link) => !files.has(link.path));
  if (missing.length > 0) {
    return failed(
      missing.map((link) =>
        problem('bundle', `The page refers to ${link.path}, which is not there.`, 'index.html', link.line),
      ),
    );
  }
  const results = await Promise.all(links.map((link) => bundleFile(files, link)));
  const problems = results.flatMap((result) => result.problems);
  if (problems.length > 0) return failed(problems);
  let html = page;
  const scripts: string[] = [];
  for (const [index, link] of [...links.entries()].reverse()) {
    const text = results[index]?.text ?? '';
    if (link.kind === 'script') scripts.unshift(`<script>\n${safeInScript(text)}</script>\n`);
    const inPlace = link.kind === 'style' ? `<style>\n${text.replaceAll('</', '<\\/')}</style>` : '';
    html = html.slice(0, link.start) + inPlace + html.slice(link.end);
  }
  const start = headStart(page);
  html = `${html.slice(0, start)}\n    ${policy(endpoint)}${html.slice(start)}`;
  // A module waits for the page; as a plain script it must come after everything that it looks for.
  const end = html.lastIndexOf('</body>');
  const at = end < 0 ? html.length : end;
  return { html: html.slice(0, at) + scripts.join('') + html.slice(at), problems: [] };
}

/**
 * What a bundled page may do, wherever it is opened: run what stands in it and load nothing. A page that somebody has saved
 * has only this, which does not keep it from going elsewhere or from calling by WebRTC; in a preview more does, and nothing
 * is posted from there.
 */
const policy = (endpoint: string | null): string =>
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; connect-src ${endpoint ?? "'none'"}; form-action 'none'; base-uri 'none'">`;

/** Where the head of a page begins: nothing that loads or runs stands before. */
function headStart(page: string): number {
  const start = (tag: string) =>
    elementsOf(page).find((element) => element.tagName === tag)?.sourceCodeLocation?.startTag?.endOffset;
  return start('head') ?? start('html') ?? /^\s*<!doctype[^>]*>/i.exec(page)?.[0].length ?? 0;
}

const failed = (problems: readonly Problem[]): Bundle => ({ html: null, problems });

const cache = new BundleCache();

async function bundleFile(
  files: ReadonlyMap<string, string>,
  link: PageLink,
): Promise<{ text: string; problems: Problem[] }> {
  const known = cache.find(link.path, files);
  if (known !== null) return { text: known, problems: [] };
  const inputs = new Map<string, string>();
  try {
    const result = await build({
      entryPoints: [link.path],
      bundle: true,
      write: false,
      outdir: '/out',
      format: 'iife',
      target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'silent',
      sourcemap: false,
      metafile: false,
      supported: { 'import-attributes': true },
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, target: 'es2022' } },
      plugins: [onlyFrom(files, inputs)],
    });
    const text = result.outputFiles[0]?.text ?? '';
    cache.keep(link.path, inputs, text);
    return { text, problems: [] };
  } catch (error) {
    const messages = (error as { errors?: Message[] }).errors;
    if (!messages) throw error;
    return { text: '', problems: messages.map(problemOf) };
  }
}

function problemOf({ text, location }: Message): Problem {
  return problem('bundle', text, location?.file.replace(/^build:/, '') ?? null, location?.line ?? null);
}

/** Resolves and loads out of `files` and nothing else, and notes in `inputs` what it has loaded. */
function onlyFrom(files: ReadonlyMap<string, string>, inputs: Map<string, string>): Plugin {
  return {
    name: 'only-the-build',
    setup(bundler) {
      bundler.onResolve({ filter: /.*/ }, ({ path: wanted, importer, kind }) => {
        // esbuild puts "./" before the path where such a file is in the folder that the server runs in.
        if (kind === 'entry-point') return { path: path.posix.normalize(wanted), namespace: 'build' };
        if (kind === 'url-token' && /^(data:|#)/.test(wanted)) return { path: wanted, external: true };
        if (!/^\.\.?\//.test(wanted))
          return {
            errors: [{ text: `Only files of the build can be imported, not ${JSON.stringify(wanted)}.` }],
          };
        const target = path.posix.join(path.posix.dirname(importer), wanted);
        if (!files.has(target)) return { errors: [{ text: `There is no file ${JSON.stringify(target)}.` }] };
        return { path: target, namespace: 'build' };
      });
      bundler.onLoad({ filter: /.*/, namespace: 'build' }, ({ path: name }) => {
        const contents = files.get(name);
        const loader = loaders[path.posix.extname(name)];
        if (contents === undefined || !loader)
          return { errors: [{ text: `${JSON.stringify(name)} cannot be imported.` }] };
        inputs.set(name, contents);
        return { contents, loader };
      });
      // Whatever reaches another namespace would be read from the disk.
      bundler.onLoad({ filter: /.*/ }, () => ({
        errors: [{ text: 'Only files of the build can be read.' }],
      }));
    },
  };
}

const loaders: Readonly<Record<string, 'js' | 'jsx' | 'ts' | 'tsx' | 'css' | 'json' | 'text'>> = {
  '.js': 'js',
  '.jsx': 'jsx',
  '.ts': 'ts',
  '.tsx': 'tsx',
  '.css': 'css',
  '.json': 'json',
  '.txt': 'text',
  '.md': 'text',
  '.svg': 'text',
};

/** esbuild escapes an end tag but not `<!--` and `<script`, which together would swallow the rest of the page. */
function safeInScript(text: string): string {
  return text.replaceAll('<!--', '<\\!--').replace(/<(?=\/?script)/gi, '\\x3C');
}

interface Kept {
  readonly entry: string;
  /** Everything that went into it, by path. */
  readonly inputs: ReadonlyMap<string, string>;
  readonly text: string;
}
