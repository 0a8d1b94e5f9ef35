import { describe, expect, test } from 'vitest';
import { BundleCache, bundleApp } from '../../../src/factory/bundle.ts';
import { read } from '../../../src/factory/read/read.ts';
import { renderApp } from '../../../src/factory/render/render.ts';
import { forbiddenCode, remembered } from '../../../src/factory/verify/code.ts';
import { checkIds, verifyApp } from '../../../src/factory/verify/verify.ts';

const spec = read('an expense tracker called "Penny"').spec;
const sound = renderApp(spec);

async function failures(change: (files: Map<string, string>) => void): Promise<string[]> {
  const files = new Map(sound);
  change(files);
  const { checks, passed } = await verifyApp(files, spec);
  const failed = checks.filter((check) => check.status === 'failed').map((check) => check.id);
  expect(passed).toBe(failed.length === 0);
  return failed;
}

const edit = (path: string, from: string | RegExp, to: string) => (files: Map<string, string>) => {
  const text = files.get(path) ?? '';
  const next = text.replace(from, () => to);
  expect(next).not.toBe(text);
  files.set(path, next);
};
const inBody = (html: string) => edit('index.html', '<div id="app"></div>', `<div id="app"></div>${html}`);

describe('checks', () => {
  test('a sound app passes all of them', async () => {
    expect(await failures(() => {})).toEqual([]);
  });

  const faults: readonly (readonly [string, string, (files: Map<string, string>) => void])[] = [
    ['html.parse', 'a broken attribute', inBody('<p class="a" class="b"></p>')],
    ['html.shell', 'no title', edit('index.html', /<title>.*<\/title>/, '')],
    ['html.shell', 'no viewport', edit('index.html', /<meta name="viewport"[^>]*>/, '')],
    ['html.shell', 'no doctype', edit('index.html', '<!doctype html>', '')],
    ['html.ids', 'an id twice', inBody('<p id="app"></p>')],
    ['refs.local', 'a link to nowhere', inBody('<a href="#nowhere-at-all">x</a>')],
    ['refs.external', 'a script from elsewhere', inBody('<script src="https://example.com/x.js"></script>')],
    [
      'refs.external',
      'a font from elsewhere',
      edit('src/theme.css', ':root {', "@import url('https://example.com/f.css');\n:root {"),
    ],
    ['refs.external', 'a request', edit('src/tracker/main.js', 'const undo', "fetch('/x');\nconst undo")],
    ['refs.external', 'a picture of a video', inBody('<video poster="https://example.com/x.png"></video>')],
    [
      'refs.external',
      'a call for a picture',
      edit('src/tracker/main.js', 'const undo', "new Image().src = 'https://example.com/?' + 1;\nconst undo"),
    ],
    [
      'refs.external',
      'a way out of the page',
      edit('src/tracker/main.js', 'const undo', "location.href = '//example.com/';\nconst undo"),
    ],
    ['security.page', 'a script in the page', inBody('<script>alert(1)</script>')],
    ['security.page', 'styles in the page', inBody('<style>p { color: red; }</style>')],
    ['security.page', 'a handler in the page', inBody('<button type="button" onclick="x()">Go</button>')],
    ['security.page', 'a script address', inBody('<a href=" java\nscript:alert(1)">x</a>')],
    ['security.page', 'a page in the page', inBody('<iframe srcdoc="x" title="x"></iframe>')],
    [
      'security.page',
      'a page that leads away',
      edit('index.html', '<meta charset', '<meta http-equiv="refresh" content="0;url=/"><meta charset'),
    ],
    ['spec.covered', 'another language', edit('index.html', 'lang="en"', 'lang="fr"')],
    ['ui.dead', 'a button that does nothing', inBody('<button type="button">Go</button>')],
    [
      'ui.dead',
      'a made button that does nothing',
      edit('src/lib/dialog.js', /onclick: act/, 'title: message'),
    ],
    ['ui.dead', 'a form that does nothing', edit('src/lib/dialog.js', '{ onsubmit: submit }', '{}')],
    ['a11y.labels', 'a control without a label', inBody('<input type="text">')],
    ['a11y.contrast', 'text that cannot be read', edit('src/theme.css', /--muted: #\w+/, '--muted: #eeeeee')],
    ['css.parse', 'a broken declaration', edit('src/base.css', 'margin: 0;', 'margin 0 !;')],
    ['js.syntax', 'a broken script', edit('src/tracker/main.js', 'const undo', 'const const undo')],
    [
      'js.undef',
      'a name that is nowhere defined',
      edit('src/tracker/main.js', 'function draw() {', 'function draw() {\n  missingThing();'),
    ],
    [
      'js.const',
      'a constant that is assigned to',
      edit('src/tracker/main.js', 'function draw() {', 'function draw() {\n  store = null;'),
    ],
    ['bundle', 'an import that is not there', (files) => files.delete('src/lib/store.js')],
    [
      'placeholder',
      'a gap',
      edit('src/tracker/main.js', 'function draw() {', 'function draw() {\n  // ... rest of the code'),
    ],
    ['size.ok', 'a file that is too large', (files) => files.set('src/big.css', 'a'.repeat(300_000))],
    ['files.nonempty', 'an empty file', (files) => files.set('src/empty.css', '')],
    ['paths.safe', 'a path upwards', (files) => files.set('src/../../x.js', '1')],
    ['paths.safe', 'a name of a device', (files) => files.set('src/con.js', '1')],
    ['paths.safe', 'two names that differ by case', (files) => files.set('src/Base.css', 'p{}')],
    [
      'spec.covered',
      'a field that was forgotten',
      edit('index.html', '"label": "Category"', '"label": "Sum"'),
    ],
  ];
  test.each(faults)('%s: %s', async (id, _what, change) => {
    expect(await failures(change)).toContain(id);
  });

  test('every check has a fault that it finds, or only warns', () => {
    const tried = new Set(faults.map(([id]) => id));
    expect(checkIds.filter((id) => !tried.has(id))).toEqual(
      ['security.password', 'js.forbidden'].sort().reverse(),
    );
  });

  test('problems name their file and line', async () => {
    const files = new Map(sound);
    inBody('<button type="button">Go</button>')(files);
    const { checks } = await verifyApp(files, spec);
    expect(checks.find((check) => check.id === 'ui.dead')?.problems[0]).toMatchObject({
      file: 'index.html',
      severity: 'error',
      line: expect.any(Number),
    });
  });
});

test('what was found of a file is found once, and again for another name or text', () => {
  const asked: string[] = [];
  const find = remembered((file, text) => {
    asked.push(`${file}: ${text}`);
    return { file, text };
  });
  const first = find('a.js', 'one');
  expect(find('a.js', 'one')).toBe(first);
  expect(find('b.js', 'one')).toEqual({ file: 'b.js', text: 'one' });
  expect(find('a.js', 'two')).toEqual({ file: 'a.js', text: 'two' });
  expect(asked).toEqual(['a.js: one', 'b.js: one', 'a.js: two']);
});

test('what was longest out of use is forgotten, and long texts are not kept', () => {
  let found = 0;
  const find = remembered(() => ++found);
  const text = (index: number) => String(index).padEnd(100_000, '.');
  for (let index = 0; index < 41; index++) find('a.js', text(index));
  find('a.js', text(0));
  expect(found).toBe(41);
  find('a.js', text(41));
  find('a.js', text(1));
  expect(found).toBe(43);
  find('a.js', text(0));
  expect(found).toBe(43);
  const long = 'x'.repeat(200_000);
  find('a.js', long);
  find('a.js', long);
  expect(found).toBe(45);
});

test('the same text in another file is reported with the name of that file', () => {
  for (const file of ['src/one.js', 'src/two.js', 'src/one.js'])
    expect(forbiddenCode(file, 'eval("1");')).toEqual([
      expect.objectContaining({ id: 'js.forbidden', file }),
    ]);
});

test('a bundle is taken again only where everything in it is the same', () => {
  const cache = new BundleCache();
  const inputs = new Map([
    ['main.js', "import './part.js';"],
    ['part.js', 'one();'],
  ]);
  cache.keep('main.js', inputs, 'bundle');
  expect(cache.find('main.js', new Map([...inputs, ['more.js', 'unused']]))).toBe('bundle');
  expect(cache.find('main.js', new Map([...inputs, ['part.js', 'two();']]))).toBeNull();
  expect(cache.find('part.js', inputs)).toBeNull();
  expect(cache.find('main.js', new Map([['main.js', "import './part.js';"]]))).toBeNull();
});

test('bundles that no longer fit into the room are forgotten, the oldest first', () => {
  const cache = new BundleCache();
  const inputs = (index: number) => new Map([['main.js', `${index}`]]);
  for (let index = 0; index < 9; index++) cache.keep('main.js', inputs(index), 'x'.repeat(1024 * 1024));
  expect(cache.find('main.js', inputs(0))).toBeNull();
  expect(cache.find('main.js', inputs(8))).toHaveLength(1024 * 1024);
});

test('a page of files that differ in one imported file is another page', async () => {
  const page =
    '<!doctype html><html lang="en"><head><title>t</title></head><body><script type="module" src="src/main.js"></script></body></html>';
  const built = async (word: string) => {
    const files = {
      'index.html': page,
      'src/main.js': "import { word } from './word.js'; document.title = word;",
      'src/word.js': `export const word = '${word}';`,
    };
    return (await bundleApp(new Map(Object.entries(files)))).html;
  };
  expect(await built('first')).toContain('"first"');
  expect(await built('second')).toContain('"second"');
  expect(await built('first')).toBe(await built('first'));
});
