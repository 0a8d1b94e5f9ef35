// @ts-check
/**
 * Makes `index.html`, the whole app in one page, of the sources in `src/`. Unchanged sources give the same bytes.
 *
 *   npm install      once; it brings esbuild
 *   npm run build    after each change in src/
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const here = import.meta.dirname;
const page = readFileSync(path.join(here, 'src/index.html'), 'utf8');

/** Where a form may post its answers, if its owner has said so in the page's data. */
const data = /<script type="application\/json" id="app-data">([\s\S]*?)<\/script>/.exec(page)?.[1];
const { kind, variant, contact } = JSON.parse(data ?? '{}');
const isPosting = kind === 'form' && ['signup', 'contact'].includes(variant) && contact?.endpoint;
const posts = isPosting ? new URL(contact.endpoint).origin : "'none'";

/** What the page may do, wherever it is opened: run what stands in it and load nothing. */
const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; connect-src ${posts}; form-action 'none'; base-uri 'none'">`;

/** The stylesheets and scripts that the page refers to, with the tags that do. */
const links = [...page.matchAll(/<link\b[^>]*>|<script\b[^>]*>\s*<\/script>/gi)].flatMap(
  ({ 0: tag, index }) => {
    const isScript = /^<script/i.test(tag);
    const address = (isScript ? /\ssrc="([^"]+)"/i : /\shref="([^"]+)"/i).exec(tag)?.[1];
    const counts = isScript || /\srel="stylesheet"/i.test(tag);
    if (!counts || !address || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(address)) return [];
    return [{ isScript, file: path.posix.join('src', address), start: index, end: index + tag.length }];
  },
);

/** Files are found beside each other and nowhere else. */
const sources = {
  name: 'sources',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    bundler.onResolve({ filter: /.*/ }, ({ path: wanted, importer, kind }) => {
      if (kind === 'entry-point') return { path: path.posix.normalize(wanted), namespace: 'build' };
      if (kind === 'url-token' && /^(data:|#)/.test(wanted)) return { path: wanted, external: true };
      return { path: path.posix.join(path.posix.dirname(importer), wanted), namespace: 'build' };
    });
    bundler.onLoad({ filter: /.*/, namespace: 'build' }, ({ path: file }) => ({
      contents: readFileSync(path.join(here, file), 'utf8'),
      loader: /\.(md|svg)$/.test(file) ? 'text' : 'default',
    }));
  },
};

/** @param {string} file */
async function bundled(file) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    outdir: '/out',
    format: 'iife',
    target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
    charset: 'utf8',
    legalComments: 'none',
    supported: { 'import-attributes': true },
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, target: 'es2022' } },
    plugins: [sources],
  });
  return outputFiles[0]?.text ?? '';
}

/** Styles stand where they were referred to, scripts at the end: as modules they waited for the page. */
const head = /<head\b[^>]*>/i.exec(page);
let from = head ? head.index + head[0].length : 0;
let html = `${page.slice(0, from)}\n    ${policy}`;
let scripts = '';
for (const { isScript, file, start, end } of links) {
  html += page.slice(from, start);
  from = end;
  const text = await bundled(file);
  if (isScript) {
    // `<!--` and `<script` together would swallow the rest of the page.
    const safe = text.replaceAll('<!--', '<\\!--').replace(/<(?=\/?script)/gi, '\\x3C');
    scripts += `<script>\n${safe}</script>\n`;
  } else html += `<style>\n${text.replaceAll('</', '<\\/')}</style>`;
}
html += page.slice(from);
const end = html.lastIndexOf('</body>');
const at = end < 0 ? html.length : end;
writeFileSync(path.join(here, 'index.html'), html.slice(0, at) + scripts + html.slice(at));
