import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { version } from 'esbuild';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { parse } from 'parse5';
import { afterEach, describe, expect, it, test } from 'vitest';
import { type BuiltApp, buildApp, buildFromSpec } from '../../../src/factory/build-app.ts';
import { elementsOf, textOf } from '../../../src/factory/page-links.ts';
import { factoryKinds } from '../../../src/factory/read/kinds.ts';
import { read } from '../../../src/factory/read/read.ts';
import { readPrompt } from '../../../src/factory/read/reader.ts';
import { familyOf } from '../../../src/factory/render/app-data.ts';
import { contrast, shadesOf } from '../../../src/factory/render/palette.ts';
import { type AppSpec, langs, specProblems, templateNames, variants } from '../../../src/factory/spec.ts';
import { promptSet } from '../../factory/score/prompt-set.ts';
import { hostilePrompts } from './reported-prompts.ts';

const double = {
  inputs: [{ key: 'one', label: 'One' }],
  results: [{ key: 'two', label: 'Two', expression: 'one * 2' }],
};

describe('templates', () => {
  // FACTORY_MATRIX=1 builds each in every language; else the languages take turns.
  test('each template and variant builds, in the languages', async () => {
    let turn = 0;
    for (const template of templateNames) {
      for (const variant of variants[template] ?? [undefined]) {
        turn += 1;
        const tried = process.env['FACTORY_MATRIX'] ? langs : [langs[turn % langs.length] ?? 'en'];
        for (const lang of tried) {
          const planned = read(
            {
              en: 'my simple thing',
              de: 'mein kleines Ding für mich',
              es: 'una cosa para mí',
              fr: 'une chose pour moi',
              it: 'una cosa per me',
              pt: 'uma coisa para mim',
            }[lang],
            { kind: template },
          ).spec;
          const formula = variant === 'formula' ? double : null;
          const spec: AppSpec = variant === undefined ? planned : { ...planned, variant, formula };
          const { checks } = await buildFromSpec(spec);
          expect(checks.filter((check) => check.status !== 'passed')).toEqual([]);
        }
      }
    }
  });

  test('no colour makes text that cannot be read, or colours of data that cannot be seen', () => {
    for (let hue = 0; hue < 4096; hue += 29) {
      const accent = `#${hue.toString(16).padStart(3, '0').replace(/./g, '$&$&')}`;
      const { light, dark } = shadesOf({ accent, mode: 'auto', look: 'soft' });
      for (const shades of [light, dark]) {
        for (const [front, back] of [
          ['text', 'bg'],
          ['muted', 'raised'],
          ['on-accent', 'accent'],
          ['accent-text', 'accent-soft'],
          ['accent-text', 'bg'],
          ['accent-text', 'surface'],
          ['danger', 'surface'],
          ['warn', 'warn-soft'],
        ] as const) {
          expect(
            contrast(shades[front], shades[back]),
            `${accent}: ${front} on ${back}`,
          ).toBeGreaterThanOrEqual(4.5);
        }
        for (const data of ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'] as const)
          for (const back of ['bg', 'surface', 'raised'] as const)
            expect(
              contrast(shades[data], shades[back]),
              `${accent}: ${data} on ${back}`,
            ).toBeGreaterThanOrEqual(3);
      }
    }
  });
});

const prompts = [...promptSet('development').map(({ prompt }) => prompt), ...hostilePrompts];

describe('what a kind makes of a prompt', () => {
  it.each(templateNames)('is valid for %s, whatever the prompt is for', (kind) => {
    const wrong = prompts.flatMap((prompt) => {
      const problems = specProblems(readPrompt(prompt, { kind }, factoryKinds).spec);
      return problems.length > 0 ? [[prompt.slice(0, 80), ...problems]] : [];
    });
    expect(wrong).toEqual([]);
  });
});

describe('archive', () => {
  const modules = path.join(import.meta.dirname, '../../../node_modules');
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  /** The archive of a build, unzipped, without the page: only the sources can give it back. */
  function unzipped({ package: { zip } }: BuiltApp): string {
    const folder = mkdtempSync(path.join(tmpdir(), 'archive-'));
    folders.push(folder);
    for (const [name, bytes] of Object.entries(unzipSync(zip))) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      if (name !== 'index.html') writeFileSync(path.join(folder, name), bytes);
    }
    return folder;
  }

  /** What `npm install` would bring: the bundler in the version that the archive names. */
  function installed(folder: string): string {
    const { devDependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      devDependencies: unknown;
    };
    expect(devDependencies).toEqual({ esbuild: version });
    symlinkSync(modules, path.join(folder, 'node_modules'));
    return folder;
  }

  function npmRunBuild(folder: string): string {
    const { scripts } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      scripts: { build: string };
    };
    const [program, ...args] = scripts.build.split(' ');
    expect(program).toBe('node');
    execFileSync(process.execPath, args, { cwd: folder });
    return readFileSync(path.join(folder, 'index.html'), 'utf8');
  }

  const apps = templateNames.flatMap((kind) =>
    (variants[kind] ?? ['']).map((variant) => ({ kind, variant })),
  );

  test.each(apps)('the sources of a $kind $variant give the same page again', async ({ kind, variant }) => {
    const lang = langs[apps.findIndex((app) => app.kind === kind && app.variant === variant) % langs.length];
    const planned = read('something with name, category (a, b), amount and date', { kind }).spec;
    const formula =
      variant === 'formula'
        ? {
            inputs: [{ key: 'side', label: 'Side' }],
            results: [{ key: 'area', label: 'Area', expression: 'side ^ 2' }],
          }
        : null;
    const name = 'It’s <mine> & "yours"';
    const app = await buildFromSpec({ ...planned, variant, lang: lang ?? 'en', name, formula });
    expect(npmRunBuild(installed(unzipped(app)))).toBe(app.html);
  });

  test('a form that posts may do so when its page is made again', async () => {
    const planned = read('something with name and email', { kind: 'form' }).spec;
    const app = await buildFromSpec({
      ...planned,
      variant: 'signup',
      contact: { endpoint: 'https://answers.example.org:8443/in' },
    });
    expect(app.html).toContain('connect-src https://answers.example.org:8443;');
    expect(npmRunBuild(installed(unzipped(app)))).toBe(app.html);
  });

  test('an edit of the sources is in the page', async () => {
    const app = await buildFromSpec(read('a simple expense tracker').spec);
    const folder = installed(unzipped(app));
    const theme = path.join(folder, 'src/theme.css');
    writeFileSync(theme, readFileSync(theme, 'utf8').replaceAll(/--radius: [^;]+;/g, '--radius: 31px;'));
    writeFileSync(
      path.join(folder, 'src/tracker/main.js'),
      `${readFileSync(path.join(folder, 'src/tracker/main.js'), 'utf8')}\ndocument.title = 'Edited </script>';\n`,
    );
    const page = npmRunBuild(folder);
    expect(app.html).not.toContain('31px');
    expect(page).toContain('--radius: 31px');
    expect(page).toContain('document.title = "Edited <\\/script>"');
  });

  test('the sources of a revision give the same page again, and another app another page', async () => {
    const spec = read('a list of books').spec;
    const first = { ...spec, name: 'First' };
    const made = await buildFromSpec(spec, familyOf(first, 'job_one'));
    expect(npmRunBuild(installed(unzipped(made)))).toBe(made.html);
    expect((await buildFromSpec(spec, familyOf(first, 'job_one'))).package.sha256).toBe(made.package.sha256);
    expect((await buildFromSpec(spec, familyOf(first, 'job_two'))).html).not.toBe(made.html);
    // What is as the first build was has its bytes, whichever app it is of.
    const plain = await buildFromSpec(spec);
    expect((await buildFromSpec(spec, familyOf(spec, 'job_one'))).package.sha256).toBe(plain.package.sha256);
  });
});

describe('hostile text is only text', () => {
  test.each(hostilePrompts.map((prompt) => [prompt.slice(0, 60), prompt]))('%s', async (_start, prompt) => {
    const { html, spec } = await buildApp(prompt);
    const data = elementsOf(html).filter((element) =>
      element.attrs.some(({ value }) => value === 'app-data'),
    );
    expect(data).toHaveLength(1);
    const [script] = data;
    if (!script) throw new Error('no data');
    expect(JSON.parse(textOf(script))).toMatchObject({ name: spec.name });
    expect(elementsOf(html).map((element) => element.tagName)).not.toContain('img');
    const errors: string[] = [];
    parse(html, { onParseError: ({ code }) => errors.push(code) });
    expect(errors).toEqual([]);
  });

  test('any text makes a valid spec, the same each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 3, maxLength: 300 }), (text) => {
        const prompt = `x${text}y`;
        const spec = read(prompt).spec;
        expect(specProblems(spec)).toEqual([]);
        expect(read(prompt).spec).toEqual(spec);
      }),
      { numRuns: 150 },
    );
  });

  // Each once took a pattern apart in so many ways that the plan was never finished.
  const slow = [
    `mood log with mood ${'de '.repeat(100)}x`,
    `bakery at calle ${'ª'.repeat(100)}!`,
    `book list with title, pages${'.'.repeat(200)} .x`,
    `FAQ about ${'tov'.repeat(500)}\u0001`,
    `Verein. gib ${'ab '.repeat(600)}x`,
    `Liste, Angaben: ${': '.repeat(900)}`,
    `lista de rutas ${"d' ".repeat(600)}`,
    `tracker with a, ${'or no '.repeat(300)}x`,
  ];
  test.each(slow.map((prompt) => [prompt.slice(0, 30), prompt]))('is planned: %s…', (_start, prompt) => {
    expect(specProblems(read(prompt).spec)).toEqual([]);
  });

  test('what makes a careless pattern slow makes a plan like any other', () => {
    const starts = ['', 'website for ', 'wedding page in ', 'quiz about ', 'tracker with ', 'bar ', 'poll: '];
    const units = [
      'A ',
      'A',
      'a',
      'A’',
      '9',
      '9-',
      'ß',
      'A-',
      'A.',
      '‘a',
      'a, ',
      '9 € ',
      'calle ',
      '(',
      ': a, or ',
    ];
    for (const start of starts) {
      for (const unit of units) {
        const prompt = `${start}${unit.repeat(2000)}`.slice(0, 2000);
        expect(specProblems(read(prompt).spec), prompt.slice(0, 40)).toEqual([]);
      }
    }
  });

  test('any mixture of meaningful words makes a build that passes its checks', async () => {
    const words = [
      'tracker',
      'with',
      'and',
      ',',
      ':',
      '(',
      ')',
      '"',
      'called',
      'quiz',
      'book',
      'fields',
      'für',
      'site',
      'poll',
      '€5',
      'Mo-Fr 9-17',
      '?',
      'wedding',
      'columns',
      'dark',
      'red',
      '<',
      '&',
      'mit',
      'para',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...words), { minLength: 3, maxLength: 25 }),
        async (parts) => {
          const { checks } = await buildApp(`app ${parts.join(' ')}`);
          expect(checks.filter(({ status }) => status === 'failed')).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });
});

test('too short and too long prompts are refused', async () => {
  await expect(buildApp(' a\u0000 ')).rejects.toThrow('at least 3');
  await expect(buildApp('a'.repeat(2001))).rejects.toThrow('at most 2000');
});
