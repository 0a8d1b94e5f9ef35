import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withRepository } from '../../repository.ts';
import { contractFile } from '../contract.ts';
import type { Library } from '../library.ts';
import { runProgram } from '../printed.ts';
import { printedIn, withGiven } from '../programs.ts';
import { openApiGenerator, run } from '../run.ts';
import { readmeOf } from '../samples.ts';

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

/** What the generator takes for classes, and PHP writes otherwise: unions of types, and the texts of enums. */
export interface Types {
  /** By the name of the class: its types in PHP. */
  readonly unions: ReadonlyMap<string, readonly string[]>;
  readonly enums: ReadonlySet<string>;
}

const namespace = String.raw`\\Switchyard\\Model\\`;

/** Finds them in the generated files. */
export function typesIn(texts: readonly string[]): Types {
  const unions = new Map<string, string[]>();
  const enums = new Set<string>();
  for (const text of texts) {
    const [, union, members] = /\/\/ union (\w+): (.*)/.exec(text) ?? [];
    if (union && members) unions.set(union, [...new Set(members.split('|').map(native))]);
    const [, name] = /^final class (\w+)\n\{\n {4}public const \w+ = '/m.exec(text) ?? [];
    if (name && !union) enums.add(name);
  }
  return { unions, enums };
}

/** Writes them as PHP does, and schemas under their own names. */
export function withTypes(text: string, { unions, enums }: Types): string {
  let made = text
    .replaceAll('#/components/schemas/', '\\Switchyard\\Model\\')
    .replaceAll(/ *\/\/ union .*\n/g, '');
  made = made.replaceAll(new RegExp(`(?<!')(\\??)${namespace}(\\w+)\\b`, 'g'), (whole, nullable, name) => {
    if (enums.has(name)) return `${nullable}string`;
    const members = unions.get(name);
    return members ? [...members, ...(nullable ? ['null'] : [])].join('|') : whole;
  });
  made = made.replaceAll(new RegExp(`'${namespace}(\\w+)(\\[\\])?'\\]`, 'g'), (whole, name, list = '') =>
    enums.has(name) ? `'string${list}']` : whole,
  );
  const prefix = /^final class (\w+)$/m
    .exec(text)?.[1]
    ?.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toUpperCase();
  return `${made
    .replaceAll(`public const ${prefix}_`, 'public const ')
    .replaceAll(/\\?(?:Switchyard\\Model\\)?DOWNLOAD\b/g, '\\Switchyard\\Download')
    .replaceAll(/public \??(?:object|mixed) \$/g, 'public mixed $')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}

function native(type: string): string {
  return type.endsWith('[]') || type.startsWith('array<') ? 'array' : type;
}
