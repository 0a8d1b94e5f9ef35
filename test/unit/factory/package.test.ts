import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { buildApp } from '../../../src/factory/build-app.ts';
import { bundleApp } from '../../../src/factory/bundle.ts';
import { compareFiles, compareSpecs } from '../../../src/factory/compare.ts';
import { attribute, elementsOf } from '../../../src/factory/page-links.ts';
import { openThreads } from '../../../src/factory/workshop/threads.ts';

describe('a package', () => {
  test('holds the page, its sources, a README and a manifest that is true', async () => {
    const { package: packed, html } = await buildApp('a tracker for my records called "Side B"');
    const contents = unzipSync(packed.zip);
    expect(Object.keys(contents)).toEqual(
      expect.arrayContaining([
        'README.md',
        'index.html',
        'manifest.json',
        'src/index.html',
        'src/tracker/main.js',
      ]),
    );
    expect(strFromU8(contents['index.html'] ?? new Uint8Array())).toBe(html);
    const manifest = JSON.parse(strFromU8(contents['manifest.json'] ?? new Uint8Array()));
    expect(manifest).toMatchObject({ schema: 1, name: 'Side B', kind: 'tracker' });
    for (const { path, bytes } of manifest.files) expect(contents[path]).toHaveLength(bytes);
    expect(strFromU8(contents['src/index.html'] ?? new Uint8Array())).toContain('src="tracker/main.js"');
  });

  test('is the same to the byte each time, in every time zone', async () => {
    const before = process.env['TZ'];
    const hashes = [];
    for (const zone of ['UTC', 'Asia/Tokyo', 'America/Caracas']) {
      process.env['TZ'] = zone;
      hashes.push((await buildApp('kanban board')).package.sha256);
    }
    process.env['TZ'] = before ?? 'UTC';
    expect(new Set(hashes).size).toBe(1);
  });

  test('is small', async () => {
    const { package: packed } = await buildApp('expense tracker');
    expect(packed.zip.length).toBeLessThan(200_000);
  });
});

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
    'a relative pattern': () => ["const n = 'package'; import('.//' + n + '.json').then(console.log);"],
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

const never = new AbortController().signal;

it('threads make what the event loop would, and one that is terminated is replaced', async () => {
  const threads = openThreads({ threads: 1, idleMs: 1_000 });
  onTestFinished(() => threads.close());
  const prompt = 'an expense tracker';
  const runaway = new AbortController();
  const { spec } = await threads.workshop(never).plan(prompt, {});
  const files = await threads.workshop(never).render(spec);
  const stopped = threads.workshop(runaway.signal).verify(files, spec);
  setTimeout(() => runaway.abort(), 5);
  await expect(stopped).rejects.toThrow();

  const workshop = threads.workshop(never);
  const { html, passed } = await workshop.verify(files, spec);
  expect(passed).toBe(true);
  const { sha256 } = await workshop.pack(files, html ?? '', spec);
  expect(sha256).toBe((await buildApp(prompt)).package.sha256);
});

it('threads that cannot begin are told of, until they can', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-threads-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const steps = path.join(folder, 'steps.mjs');
  const threads = openThreads({ threads: 1, idleMs: 1_000, steps });
  onTestFinished(() => threads.close());
  // None is started to find out.
  expect(await threads.check()).toContain('0 of at most 1 threads run');
  const { plan } = threads.workshop(new AbortController().signal);
  await expect(plan('A tip calculator', {})).rejects.toThrow();
  await expect(threads.check()).rejects.toThrow();
  await writeFile(steps, 'export const begin = () => null;');
  expect(await threads.check()).toContain('1 of at most 1 threads run');
});

describe('two specs', () => {
  it('differ where their members do, with null for what is not there', () => {
    const before = {
      name: 'A',
      palette: { accent: '#000000', mode: 'auto' },
      formula: null,
      copy: { a: 'x' },
    };
    const after = {
      name: 'B',
      palette: { accent: '#000000', mode: 'dark' },
      formula: { inputs: [] },
      copy: {},
    };
    expect(compareSpecs(before, after)).toEqual([
      { path: 'name', before: 'A', after: 'B' },
      { path: 'palette.mode', before: 'auto', after: 'dark' },
      { path: 'formula', before: null, after: { inputs: [] } },
      { path: 'copy.a', before: 'x', after: null },
    ]);
    expect(compareSpecs(before, before)).toEqual([]);
    expect(compareSpecs({}, { formula: null, name: 'A' })).toEqual([
      { path: 'name', before: null, after: 'A' },
    ]);
  });

  it('have an item more or less as one change, and an item that changed by its members', () => {
    const list = (...titles: string[]) => ({ sections: titles.map((title) => ({ title, type: 'text' })) });
    expect(compareSpecs(list('A', 'B', 'C'), list('A', 'X', 'B', 'C'))).toEqual([
      { path: 'sections[1]', before: null, after: { title: 'X', type: 'text' } },
    ]);
    expect(compareSpecs(list('A', 'B', 'C'), list('A', 'C'))).toEqual([
      { path: 'sections[1]', before: { title: 'B', type: 'text' }, after: null },
    ]);
    expect(compareSpecs(list('A', 'B', 'C'), list('A', 'Z', 'C'))).toEqual([
      { path: 'sections[1].title', before: 'B', after: 'Z' },
    ]);
    expect(compareSpecs(list('A', 'B', 'C'), list('Z', 'C', 'D'))).toEqual([
      { path: 'sections[0].title', before: 'A', after: 'Z' },
      { path: 'sections[1]', before: { title: 'B', type: 'text' }, after: null },
      { path: 'sections[2]', before: null, after: { title: 'D', type: 'text' } },
    ]);
  });
});

describe('the files of two builds', () => {
  const files = (held: Record<string, string>) => new Map(Object.entries(held));

  it('are shown where they differ, by path, with what differs', () => {
    const before = files({ 'a.js': 'one\n', 'b.js': 'same\n', 'c.js': 'gone\n', 'index.html': '<p>1' });
    const after = files({ 'a.js': 'two\n', 'b.js': 'same\n', 'd.js': 'new\n', 'index.html': '<p>22' });
    expect(compareFiles(before, after)).toEqual([
      {
        path: 'a.js',
        status: 'changed',
        before_bytes: 4,
        after_bytes: 4,
        diff: '--- a.js\n+++ a.js\n@@ -1,1 +1,1 @@\n-one\n+two\n',
      },
      expect.objectContaining({ path: 'c.js', status: 'removed', before_bytes: 5, after_bytes: null }),
      expect.objectContaining({ path: 'd.js', status: 'added', before_bytes: null, after_bytes: 4 }),
      { path: 'index.html', status: 'changed', before_bytes: 4, after_bytes: 5, diff: null },
    ]);
  });

  it('have no diff where it would be longer than it may be', () => {
    const lines = (letter: string, count: number) =>
      Array.from({ length: count }, (_, n) => `${letter}${n}\n`).join('');
    const [large] = compareFiles(files({ a: '' }), files({ a: 'x'.repeat(70_000) }));
    expect([large?.status, large?.diff]).toEqual(['changed', null]);
    const [hard] = compareFiles(files({ a: lines('a', 20_000) }), files({ a: lines('b', 20_000) }));
    expect(hard?.diff).toBeNull();
    const many = Array.from({ length: 40 }, (_, n) => [`f${n}`, 'y'.repeat(40_000)] as const);
    const diffs = compareFiles(new Map(), new Map(many)).map(({ diff }) => diff?.length ?? 0);
    expect(diffs.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(1_048_576);
    expect(diffs.filter((length) => length > 0).length).toBeGreaterThan(20);
  });

  it('have diffs that make the one of the other', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (was, is) => {
        const [change] = compareFiles(files({ f: was }), files({ f: is }));
        expect(change ? applyPatch(was, change.diff ?? '') : was).toBe(is);
      }),
    );
  });
});
