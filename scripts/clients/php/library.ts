import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Parameter } from '../../../src/contract/served/document.ts';
import { chatInterfaceTags, clientDocument, withoutErrors } from '../document.ts';
import type { Library } from '../library.ts';
import { readmeOf } from '../readme.ts';
import { run } from '../run.ts';
import { copyForContract } from '../sections.ts';
import { openApiGenerator } from '../tools.ts';

const root = path.join(import.meta.dirname, '../../..');

/** PHP, by OpenAPI Generator: the chat interface, on Guzzle. */
export const php: Library = {
  name: 'php',
  generating: ['java', 'mvn'],
  running: ['php'],

  async generate(contract, folder) {
    const here = import.meta.dirname;
    const { version } = contract.info;
    const input = path.join(folder, 'openapi.json');
    const made = path.join(folder, 'made');
    const document = clientDocument(contract, chatInterfaceTags(contract));
    // The generator declares a day in a query as a DateTime and then cannot write it.
    for (const parameter of Object.values(document.components['parameters'] ?? {})) {
      delete (parameter as Parameter).schema['format'];
    }
    writeFileSync(input, JSON.stringify(withoutErrors(document)));
    const config = [
      '-c',
      path.join(here, 'config.yaml'),
      `--additional-properties=artifactVersion=${version}`,
    ];
    await openApiGenerator(['-i', input, '-o', made, ...config]);
    cpSync(path.join(made, 'src'), path.join(folder, 'src'), { recursive: true });
    rmSync(made, { recursive: true });
    rmSync(input);
    copyForContract(contract, path.join(here, 'package'), folder);
    const composer = readFileSync(path.join(here, 'composer.json'), 'utf8');
    writeFileSync(path.join(folder, 'composer.json'), composer.replace('{{version}}', version));
    writeFileSync(path.join(folder, 'README.md'), readmeOf('php', version));
    copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  },

  async compile(contract, folder) {
    const live = `${folder}-live`;
    rmSync(live, { recursive: true, force: true });
    copyForContract(contract, path.join(import.meta.dirname, 'live'), live);
    const names = readdirSync(path.join(folder, 'src'), { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => name.endsWith('.php'));
    // One process that compiles every file; "php -l" takes one file at a time.
    const compileAll =
      'foreach (array_slice($argv, 1) as $file) if (!opcache_compile_file($file)) throw new Exception($file);';
    await run('php', ['-d', 'opcache.enable_cli=1', '-r', compileAll, '--', ...files], {
      cwd: path.join(folder, 'src'),
    });
  },

  async live(folder, env) {
    await run('php', [path.join(`${folder}-live`, 'live.php'), folder], { env });
  },
};
