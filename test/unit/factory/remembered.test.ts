import { expect, test } from 'vitest';
import { BundleCache, bundleApp } from '../../../src/factory/bundle.ts';
import { forbiddenCode, remembered } from '../../../src/factory/verify/code.ts';

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
