import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { templateNames } from '../../../src/factory/spec.ts';
import { testEvery } from '../../helpers/test-every.ts';

const folder = path.join(import.meta.dirname, '../../../src/factory/kinds');
const languages = ['en', 'de', 'es', 'fr', 'it', 'pt'];

const homes = ['shared', ...templateNames];

type Texts = Readonly<Record<string, unknown>>;
const texts = new Map(
  homes.map((home) => [
    home,
    parse(readFileSync(path.join(folder, home, 'texts.yaml'), 'utf8')) as {
      interface: Record<string, Texts>;
    },
  ]),
);
const textsIn = (home: string, lang: string): Texts => texts.get(home)?.interface[lang] ?? {};

const scriptsOf = (home: string) =>
  readdirSync(path.join(folder, home, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(path.join(folder, home, 'app', file), 'utf8'));

const valuesIn = (text: unknown) => [...new Set(String(text).match(/\{\w+\}/g))].sort();

testEvery('each text is there in six languages, with the same values in it', homes, (home) => {
  const english = textsIn(home, 'en');
  for (const lang of languages) {
    const texts = textsIn(home, lang);
    expect(Object.keys(texts), lang).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(texts)) {
      expect(text, `${lang} ${key}`).toMatch(/\S/);
      // One may stand for itself: “A card is left.”
      if (!key.endsWith('_one')) expect(valuesIn(text), `${lang} ${key}`).toEqual(valuesIn(english[key]));
    }
  }
});

testEvery('each text that programs ask for by its name is there', homes, (home) => {
  const there = new Set(
    [home, 'shared'].flatMap((each) =>
      Object.keys(textsIn(each, 'en')).map((key) => key.replace(/_(one|other)$/, '')),
    ),
  );
  const asked = scriptsOf(home).flatMap((text) =>
    [...text.matchAll(/(?<![\w.])t\(\s*'(\w+)'|label: '(\w+)', (?:value|unit|type|start|options)/g)].map(
      (match) => match[1] ?? match[2],
    ),
  );
  expect(asked.filter((key) => key !== undefined && !there.has(key))).toEqual([]);
});

testEvery('the French marks do not begin a line of their own', homes, (home) => {
  for (const [key, text] of Object.entries(textsIn(home, 'fr')))
    expect(String(text), key).not.toMatch(/ [:;?!»%]|« /);
});

testEvery('the sentences for typing have only what a keyboard has', languages, (lang) => {
  const texts = Object.entries(textsIn('game', lang));
  const sentences = texts.filter(([key]) => key.startsWith('sentence')).map(([, text]) => String(text));
  expect(sentences.join(' ')).toMatch(/^[\p{L}\p{N} .,-]+$/u);
});

test('no text is kept that nothing asks for', () => {
  const everything = [...homes.flatMap(scriptsOf), ...rendering()].join('\n');
  const unused = homes.flatMap((home) =>
    Object.keys(textsIn(home, 'en')).filter((key) => {
      const name = key.replace(/_(one|other)$/, '');
      const start = /^[a-z]+(?=\d$)|^[a-z]+_/.exec(key)?.[0];
      return (
        !new RegExp(`['"\`]${name}['"\`]`).test(everything) &&
        !(start && everything.includes(`\`${start}\${`))
      );
    }),
  );
  expect(unused).toEqual([]);
});

const rendering = () =>
  ['render.ts', 'texts.ts'].map((file) => readFileSync(path.join(folder, '../render', file), 'utf8'));
