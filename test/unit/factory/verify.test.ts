import { describe, expect, test } from 'vitest';
import { read } from '../../../src/factory/read/read.ts';
import { renderApp } from '../../../src/factory/render/render.ts';
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
