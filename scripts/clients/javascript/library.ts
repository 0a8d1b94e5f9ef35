import { copyFileSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import {
  type Document,
  type OperationAt,
  type Parameter,
  resolve,
  type Schema,
  schemaName,
} from '../../../src/contract/served/document.ts';
import { repositoryUrl } from '../../repository.ts';
import { contractFile, copyForContract, readContract, type Stream, streamsOf } from '../contract.ts';
import type { Library } from '../library.ts';
import { fillInFor, printedSamples, runSample } from '../printed.ts';
import { run } from '../run.ts';
import { readmeOf } from '../samples.ts';

const root = path.join(import.meta.dirname, '../../..');
const tsc = path.join(root, 'node_modules/.bin/tsc');

/** JavaScript and TypeScript, by hey-api: every operation, on `fetch`. */
export const javascript: Library = {
  name: 'javascript',
  generating: [],
  running: [],

  async generate(contract, folder) {
    copyForContract(contract, path.join(import.meta.dirname, 'package'), folder);
    const generated = path.join(folder, 'generated');
    const streams = streamsOf(contract).map(({ at }) => `${at.method.toUpperCase()} ${at.path}`);
    await quietly({
      input: contractFile(),
      // The methods of streams are our own, which give events and no text.
      parser: { filters: { operations: { exclude: streams }, orphans: true } },
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
    const samples = path.join(test, 'samples');
    mkdirSync(samples);
    // The samples are for users, whose settings are not ours.
    const theirs = {
      compilerOptions: {
        ...{ strict: true, noEmit: true, target: 'es2024', module: 'nodenext', skipLibCheck: true },
        ...{ types: ['node'], typeRoots: [types] },
      },
    };
    writeFileSync(path.join(samples, 'tsconfig.json'), JSON.stringify({ ...theirs, include: ['*.ts'] }));
    const all = printedSamples(
      contract,
      'JavaScript',
      folder,
      'js|ts',
      (source, at) => at !== null || usesLibrary(source),
    );
    for (const { name, source } of all) writeFileSync(path.join(samples, `${name}.ts`), source);
    await run(tsc, ['-p', samples]);
  },

  async live(folder, env, examples) {
    const test = testFolder(folder);
    await run(process.execPath, ['--test', '--test-reporter=spec', `${test}/*.test.ts`], { env });
    const samples = path.join(test, 'samples');
    const fillIn = fillInFor(await examples());
    for (const sample of samplesIn(readContract(), folder)) {
      // The contract's are called JavaScript; texts may use types.
      const file = path.join(samples, `${sample.name}.${sample.at ? 'mjs' : 'mts'}`);
      writeFileSync(file, fillIn(sample));
      await runSample(sample, process.execPath, [file], { env, cwd: samples });
    }
  },
};

/** Generates, without the word about each header and example that the filters of operations do not sort. */
async function quietly(config: Parameters<typeof createClient>[0]): Promise<void> {
  const { warn } = console;
  console.warn = () => {};
  try {
    await createClient(config);
  } finally {
    console.warn = warn;
  }
}

const usesLibrary = (source: string) => source.includes('@switchyard/client');

const samplesIn = (contract: Document, folder: string) =>
  printedSamples(contract, 'JavaScript', folder, 'js|ts', usesLibrary);

const testFolder = (folder: string) => `${folder}-live`;

function manifest({ info }: Document) {
  const repository = repositoryUrl();
  return {
    name: '@switchyard/client',
    version: info.version,
    description: 'Client of Switchyard: one interface to every AI model, and the build factory.',
    type: 'module',
    license: 'MIT',
    ...(repository !== null && { repository: { type: 'git', url: `git+${repository}.git` } }),
    engines: { node: '>=20' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    types: './dist/index.d.ts',
    files: ['dist', 'src', 'README.md', 'LICENSE'],
    sideEffects: false,
    scripts: { build: 'tsc -p .', prepack: 'tsc -p .' },
    dependencies: { fflate: '0.8.3' },
    devDependencies: { typescript: '6.0.3' },
  };
}

/** TypeScript source of `StreamingOperations`: one method for each operation that answers with events. */
function streamsSource(contract: Document): string {
  const all = streamsOf(contract);
  const names = new Set(all.flatMap(({ at, event }) => [schemaName(event), ...bodyOf(at.operation)]));
  return [
    "import { readEvents, type StreamOptions } from './event-stream.js';",
    "import { Operations } from './sdk.gen.js';",
    `import type { ${[...names].sort().join(', ')} } from './types.gen.js';`,
    '',
    'export class StreamingOperations extends Operations {',
    ...all.map((stream) => method(contract, stream)),
    '}',
    '',
  ].join('\n');
}

function bodyOf({ requestBody }: OperationAt['operation']): string[] {
  const media = requestBody?.content['application/json'];
  return media ? [schemaName(media.schema)] : [];
}

function method(contract: Document, { at, event: schema }: Stream): string {
  const { id, path, operation } = at;
  const event = schemaName(schema);
  const [body] = bodyOf(operation);
  const parameters = (operation.parameters ?? []).map((given) => resolve<Parameter>(contract, given));
  const fields = (['path', 'query', 'header'] as const).flatMap((part) => {
    const here = parameters.filter((parameter) => parameter.in === part);
    if (here.length === 0) return [];
    const optional = here.some(({ required }) => required) ? '' : '?';
    const types = here.map(
      ({ name, required, schema }) => `'${name}'${required ? '' : '?'}: ${typeOf(contract, schema)}`,
    );
    return [`${part === 'header' ? 'headers' : part}${optional}: { ${types.join('; ')} }`];
  });
  if (body) fields.unshift(`body: ${body}`);
  const given = [...(fields.length > 0 ? [`{ ${fields.join('; ')} }`] : []), 'StreamOptions'].join(' & ');
  const needed = fields.some((field) => !/^\w+\?/.test(field));
  const schemes = contract.components['securitySchemes'] as Record<string, Record<string, unknown>>;
  const security = operation.security
    .flatMap((by) => Object.keys(by))
    .map((key) => ({ key, ...schemes[key], description: undefined }));
  return [
    '  /**',
    `   * ${operation.summary}: the events as they happen.`,
    '   *',
    '   * Throws a `SwitchyardError` for an error reply, also where it comes as an event, a `StreamInterruptedError` when the',
    '   * stream ends without its last event, and a `TimeoutError`. Leaving the loop closes the connection.',
    '   */',
    `  async *${id}(options: ${given}${needed ? '' : ' = {}'}): AsyncGenerator<${event}, void, undefined> {`,
    '    const { client } = this;',
    `    const open = (signal: AbortSignal) => client.${at.method}<{ 200: ReadableStream<Uint8Array> }, unknown, true, 'data'>({`,
    `      url: '${path}',`,
    ...(security.length > 0 ? [`      security: ${JSON.stringify(security)},`] : []),
    "      parseAs: 'stream',",
    "      responseStyle: 'data',",
    '      throwOnError: true,',
    '      ...options,',
    '      signal,',
    '      timeout: 0,',
    `      headers: { ${body ? "'Content-Type': 'application/json', " : ''}Accept: 'text/event-stream'${fields.some((field) => field.startsWith('headers')) ? ', ...options.headers' : ''} },`,
    '    });',
    `    yield* readEvents<${event}>(open, { timeout: client.getConfig().timeout, ...options });`,
    '  }',
  ].join('\n');
}

function typeOf(contract: Document, schema: Schema): string {
  const { type } = resolve(contract, schema);
  return type === 'integer' || type === 'number' ? 'number' : type === 'boolean' ? 'boolean' : 'string';
}
