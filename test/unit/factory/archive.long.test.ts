import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { version } from 'esbuild';
import { unzipSync } from 'fflate';
import { afterEach, expect, test } from 'vitest';
import { type BuiltApp, buildFromSpec } from '../../../src/factory/build-app.ts';
import { read } from '../../../src/factory/read/read.ts';
import { familyOf } from '../../../src/factory/render/app-data.ts';
import { langs, templateNames, variants } from '../../../src/factory/spec.ts';

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

const apps = templateNames.flatMap((kind) => (variants[kind] ?? ['']).map((variant) => ({ kind, variant })));

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
