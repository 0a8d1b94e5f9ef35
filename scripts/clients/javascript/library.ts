import { copyFileSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import type { Document } from '../../generate/document.ts';
import { clientDocument } from '../document.ts';
import type { Library } from '../library.ts';
import { readmeOf } from '../readme.ts';
import { run } from '../run.ts';
import { copyForContract } from '../sections.ts';
import { streamsSource } from './streams.ts';

const root = path.join(import.meta.dirname, '../../..');
const tsc = path.join(root, 'node_modules/.bin/tsc');

/** JavaScript and TypeScript, by hey-api: every operation, on `fetch`, without a dependency. */
export const javascript: Library = {
  name: 'javascript',
  generating: [],
  running: [],

  async generate(contract, folder) {
    copyForContract(contract, path.join(import.meta.dirname, 'package'), folder);
    const input = path.join(folder, 'openapi.json');
    writeFileSync(input, JSON.stringify(clientDocument(contract)));
    const generated = path.join(folder, 'generated');
    await createClient({
      input,
      output: { path: generated, entryFile: false, module: { extension: '.js' } },
      plugins: [
        '@hey-api/typescript',
        { name: '@hey-api/client-fetch', throwOnError: true },
        {
          name: '@hey-api/sdk',
          responseStyle: 'data',
          operations: { strategy: 'single', containerName: 'Operations', methods: 'instance' },
        },
      ],
      logs: { level: 'silent', file: false },
    });
    cpSync(generated, path.join(folder, 'src'), { recursive: true });
    rmSync(generated, { recursive: true });
    rmSync(input);
    writeFileSync(path.join(folder, 'src/streams.gen.ts'), streamsSource(contract));
    const { version } = contract.info;
    writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest(contract), null, 2)}\n`);
    writeFileSync(path.join(folder, 'README.md'), readmeOf('javascript', version));
    copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  },

  async compile(contract, folder) {
    await run(tsc, ['-p', folder]);
    const test = testFolder(folder);
    rmSync(test, { recursive: true, force: true });
    copyForContract(contract, path.join(import.meta.dirname, 'live'), test);
    // The test finds the package by its name, as a program of a user does.
    mkdirSync(path.join(test, 'node_modules/@switchyard'), { recursive: true });
    symlinkSync(folder, path.join(test, 'node_modules/@switchyard/client'));
    writeFileSync(path.join(test, 'package.json'), '{ "type": "module" }\n');
    const types = path.join(root, 'node_modules/@types');
    const options = { extends: path.join(root, 'tsconfig.json'), compilerOptions: { typeRoots: [types] } };
    writeFileSync(path.join(test, 'tsconfig.json'), JSON.stringify({ ...options, include: ['*.ts'] }));
    await run(tsc, ['-p', test]);
  },

  async live(folder, env) {
    await run(process.execPath, ['--test', '--test-reporter=spec', `${testFolder(folder)}/*.test.ts`], {
      env,
    });
  },
};

const testFolder = (folder: string) => `${folder}-live`;

function manifest({ info }: Document) {
  return {
    name: '@switchyard/client',
    version: info.version,
    description: 'Client of Switchyard: one interface to every AI model, and the build factory.',
    type: 'module',
    license: 'MIT',
    repository: { type: 'git', url: 'git+https://github.com/switchyard/switchyard.git' },
    engines: { node: '>=20' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    types: './dist/index.d.ts',
    files: ['dist', 'src', 'README.md', 'LICENSE'],
    sideEffects: false,
    scripts: { build: 'tsc -p .', prepack: 'tsc -p .' },
    devDependencies: { typescript: '6.0.3' },
  };
}
