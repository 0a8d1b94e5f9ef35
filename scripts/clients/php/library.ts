import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withRepository } from '../../repository.ts';
import { contractFile } from '../contract.ts';
import { withGiven } from '../given.ts';
import type { Library } from '../library.ts';
import { runProgram } from '../printed.ts';
import { printedIn } from '../programs.ts';
import { readmeOf } from '../readme.ts';
import { run } from '../run.ts';
import { openApiGenerator } from '../tools.ts';
import { typesIn, withTypes } from './types.ts';

const root = path.join(import.meta.dirname, '../../..');

/** PHP, by OpenAPI Generator with templates of our own: every operation, on Guzzle. */
export const php: Library = {
  name: 'php',
  generating: ['java', 'mvn'],
  running: ['php'],

  async generate(contract, folder) {
    const here = import.meta.dirname;
    const made = path.join(folder, 'made');
    const config = ['-c', path.join(here, 'config.yaml'), '-t', path.join(here, 'templates')];
    await openApiGenerator(['-i', contractFile(), '-o', made, ...config]);
    cpSync(path.join(made, 'src'), path.join(folder, 'src'), { recursive: true });
    rmSync(made, { recursive: true });
    const files = phpFiles(path.join(folder, 'src'));
    const texts = files.map((file) => readFileSync(file, 'utf8'));
    const types = typesIn(texts);
    for (const [index, file] of files.entries()) writeFileSync(file, withTypes(texts[index] ?? '', types));
    cpSync(path.join(here, 'package'), folder, { recursive: true });
    const { version } = contract.info;
    const composer = readFileSync(path.join(here, 'composer.json'), 'utf8');
    writeFileSync(
      path.join(folder, 'composer.json'),
      withRepository(composer).replace('{{version}}', version),
    );
    writeFileSync(path.join(folder, 'README.md'), readmeOf('php', version));
    copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  },

  async compile(_contract, folder) {
    const live = `${folder}-live`;
    rmSync(live, { recursive: true, force: true });
    mkdirSync(path.join(live, 'vendor'), { recursive: true });
    for (const [name, target] of [
      ['live.php', 'live.php'],
      ['autoload.php', 'vendor/autoload.php'],
    ] as const) {
      copyFileSync(path.join(import.meta.dirname, 'live', name), path.join(live, target));
    }
    for (const { operationId, source } of printedIn('php')) {
      writeFileSync(path.join(live, `${operationId}.php`), `${source}\n`);
    }
    // One process that compiles every file; "php -l" takes one file at a time.
    const compileAll =
      'foreach (array_slice($argv, 1) as $file) if (!opcache_compile_file($file)) throw new Exception($file);';
    await run('php', [
      '-d',
      'opcache.enable_cli=1',
      '-r',
      compileAll,
      '--',
      ...phpFiles(path.join(folder, 'src')),
      ...phpFiles(live),
    ]);
  },

  async live(folder, env) {
    const cwd = `${folder}-live`;
    await withGiven({ ...env, SWITCHYARD_PACKAGE: folder }, async (given) => {
      await run('php', ['live.php'], { cwd, env: given });
      for (const { operationId } of printedIn('php')) {
        await runProgram(operationId, 'php', [`${operationId}.php`], { cwd, env: given });
      }
    });
  },
};

function phpFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.php'))
    .map((name) => path.join(folder, name));
}
