import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleApp } from '../../../src/factory/bundle.ts';
import { attribute, elementsOf } from '../../../src/lib/html.ts';

const secret = 'canary-5b1f';
const page = (script = 'src/main.js') =>
  `<!doctype html><html lang="en"><head><title>t</title><link rel="stylesheet" href="src/style.css"></head><body><script type="module" src="${script}"></script></body></html>`;

function bundle(main: string, more: Record<string, string> = {}) {
  return bundleApp(
    new Map(
      Object.entries({ 'index.html': page(), 'src/main.js': main, 'src/style.css': 'p{color:red}', ...more }),
    ),
  );
}

describe('a bundle', () => {
  test('is one page with scripts and styles in it', async () => {
    const { html, problems } = await bundle(
      "import { hello } from './lib/hello.js'; document.title = hello;",
      { 'src/lib/hello.js': "export const hello = 'good day';" },
    );
    expect(problems).toEqual([]);
    expect(html).toContain('good day');
    expect(html).toContain('color: red');
    expect(html).not.toMatch(/src="|href="|import /);
  });

  test('cannot be ended or swallowed by what a text holds', async () => {
    const { html } = await bundle('document.title = "</script><!--<script>" + "<!--";');
    const script = html?.slice(html.lastIndexOf('<script>') + 8) ?? '';
    expect(script.match(/<\/script/g)).toHaveLength(1);
    expect(script).not.toContain('<!--');
    expect(script).not.toMatch(/<script/i);
  });

  test.each([
    page(),
    page().replace('<head>', '').replace('</head>', ''),
    page().replace('<head>', '<!-- <head> --><head data-x=">">'),
  ])('forbids itself every address before anything else: %s', async (text) => {
    const { html } = await bundleApp(
      new Map([
        ['index.html', text],
        ['src/main.js', 'document.title = "x";'],
        ['src/style.css', 'p{}'],
      ]),
    );
    const [first] = elementsOf(html ?? '').filter((element) => !['html', 'head'].includes(element.tagName));
    expect(first && attribute(first, 'http-equiv')).toBe('Content-Security-Policy');
    expect(first && attribute(first, 'content')).toContain("default-src 'none'");
  });

  test('is not misled by a file of the same path in the folder that the server runs in', async () => {
    const { html, problems } = await bundleApp(
      new Map([
        ['index.html', page('src/server/app.ts')],
        ['src/server/app.ts', "document.title = 'its own';"],
        ['src/style.css', 'p{}'],
      ]),
    );
    expect(problems).toEqual([]);
    expect(html).toContain('its own');
  });

  test('names what is missing with its file and line', async () => {
    const { html, problems } = await bundle("\nimport { nothing } from './lib/hello.js'; nothing();", {
      'src/lib/hello.js': 'export const hello = 1;',
    });
    expect(html).toBeNull();
    expect(problems[0]).toMatchObject({ id: 'bundle', file: 'src/main.js', line: 2 });
  });

  test('refuses imports that are not used but are not there', async () => {
    const { problems } = await bundleApp(
      new Map([
        ['index.html', page('src/main.ts')],
        ['src/style.css', 'p{}'],
        ['src/main.ts', "import { gone } from './gone.ts'; export {};"],
      ]),
    );
    expect(problems).not.toEqual([]);
  });
});

describe('the disk is out of reach', () => {
  let folder = '';
  let file = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'bundle-'));
    file = path.join(folder, 'secret.json');
    writeFileSync(file, JSON.stringify({ secret }));
    writeFileSync(path.join(folder, 'secret.js'), `export const secret = '${secret}';`);
    writeFileSync(path.join(folder, 'secret.css'), `p::after{content:'${secret}'}`);
    writeFileSync(path.join(folder, 'tsconfig.json'), '{}');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const up = '../'.repeat(12);
  const tricks: Record<string, (absolute: string) => [string, Record<string, string>?]> = {
    'an absolute path': (at) => [`import x from '${at}'; document.title = x.secret;`],
    'a path upwards': (at) => [`import x from '${up}${at.slice(1)}'; document.title = x.secret;`],
    'a file address': (at) => [`import x from 'file://${at}'; document.title = x.secret;`],
    'a bare package': () => ["import x from 'fs'; document.title = String(x);"],
    'an installed package': () => ["import x from 'acorn'; document.title = String(x);"],
    'a data address': () => ["import 'data:text/javascript,alert(1)';"],
    'a web address': () => ["import 'https://example.com/x.js';"],
    'a pattern of imports': (at) => [
      `const n = 'secret'; import('${path.dirname(at)}/' + n + '.json').then(console.log);`,
    ],
    'a pattern of imports upwards': (at) => [
      `const n = 'secret'; import(\`${up}${path.dirname(at).slice(1)}/\${n}.json\`).then(console.log);`,
    ],
    'a relative pattern': () => ["const n = 'package'; import('./' + n + '.json').then(console.log);"],
    'a pattern of requires': (at) => [
      `const n = 'secret'; console.log(require('${path.dirname(at)}/' + n + '.json'));`,
    ],
    'a plain require': (at) => [`console.log(require('${at}'));`],
    'require.resolve': (at) => [`console.log(require.resolve('${at}'));`],
    'import.meta': () => ['console.log(import.meta.url);'],
    'a new address beside the file': (at) => [`console.log(new URL('${at}', import.meta.url));`],
    'an export from a path': (at) => [`export * from '${at.replace('.json', '.js')}';`],
    'an import with a type': (at) => [
      `import x from '${at}' with { type: 'json' }; document.title = x.secret;`,
    ],
    'a style address': (at) => ['', { 'src/style.css': `p{background:url(${at})}` }],
    'a style address upwards': (at) => ['', { 'src/style.css': `p{background:url("${up}${at.slice(1)}")}` }],
    'an imported style': (at) => ['', { 'src/style.css': `@import "${at.replace('.json', '.css')}";` }],
    'a composed style': (at) => [
      '',
      { 'src/style.css': `.a{composes:b from "${at.replace('.json', '.css')}"}` },
    ],
    'made-up code': () => ["eval('1'); new Function('return 1')();"],
    'a worker': (at) => [`new Worker('${at}');`],
  };

  test.each(Object.entries(tricks))('%s', async (_name, trick) => {
    const [main, more] = trick(file);
    const { html, problems } = await bundle(main, more);
    expect(JSON.stringify([html, problems])).not.toContain(secret);
    if (_name !== 'a composed style') expect(problems).not.toEqual([]);
  });

  test('a link of the page to a file that is not of the build', async () => {
    const { html, problems } = await bundleApp(
      new Map([
        ['index.html', page(file.replace('.json', '.js'))],
        ['src/style.css', 'p{}'],
      ]),
    );
    expect(html).toBeNull();
    expect(problems).not.toEqual([]);
  });

  test('comments that speak to bundlers change nothing', async () => {
    const { html } = await bundle(
      `/** @jsxImportSource ${folder} */ //# sourceMappingURL=${file}\ndocument.title = 'x';`,
    );
    expect(html).toContain('document.title');
    expect(html).not.toContain(secret);
  });
});
