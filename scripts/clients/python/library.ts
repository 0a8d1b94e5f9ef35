import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Document } from '../../../src/contract/served/document.ts';
import { withRepository } from '../../repository.ts';
import { copyForContract, readContract } from '../contract.ts';
import type { Library } from '../library.ts';
import { fillInFor, type Printed, printedSamples, runSample } from '../printed.ts';
import { pythonTools, run } from '../run.ts';
import { readmeOf } from '../samples.ts';
import { resourceSources } from './resources.ts';

/** Something in the contract that a generator cannot read, and what the generator gets in its place. */
interface Exception {
  /** The generator, as its project is called. */
  readonly tool: string;
  /** Where the generator's project knows of it. */
  readonly issue: string;
  readonly change: (document: Document) => void;
}

/**
 * Every difference between the contract as it is served and as a generator of a client library reads it. What is not named
 * here, the generators read as it is served.
 */
export const exceptions = {
  /** The title of a named schema becomes the name of its class, and schemas may share a title: three events are an "end". */
  titleIsClassName: {
    tool: 'openapi-python-client',
    issue: 'https://github.com/openapi-generators/openapi-python-client/issues/652',
    change: (document) => {
      for (const schema of Object.values(document.components.schemas)) delete schema['title'];
    },
  },
} as const satisfies Record<string, Exception>;

/** The contract as a generator reads it that needs the exceptions of these names. */
export function contractFor(contract: Document, ...names: (keyof typeof exceptions)[]): Document {
  const document = structuredClone(contract);
  for (const name of names) exceptions[name].change(document);
  return document;
}

const root = path.join(import.meta.dirname, '../../..');
const tools = () =>
  pythonTools('switchyard-clients-python-1', [
    'openapi-python-client==0.29.1',
    'build==1.6.1',
    'hatchling==1.33.0',
    'mypy==2.4.1',
  ]);

/** Python, with models by openapi-python-client: every operation, synchronous and asynchronous, on httpx. */
export const python: Library = {
  name: 'python',
  generating: ['python3'],
  running: ['python3'],

  async generate(contract, folder) {
    const bin = await tools();
    const here = import.meta.dirname;
    const input = path.join(folder, 'openapi.json');
    writeFileSync(input, JSON.stringify(contractFor(contract, 'titleIsClassName')));
    const made = path.join(folder, 'made');
    const options = ['--config', path.join(here, 'config.yaml'), '--meta', 'none', '--output-path', made];
    const templates = ['--custom-template-path', path.join(here, 'templates')];
    await run(path.join(bin, 'openapi-python-client'), [
      'generate',
      '--path',
      input,
      ...options,
      ...templates,
      '--fail-on-warning',
    ]);
    // Its models are taken; how they are asked for is our own.
    const source = path.join(folder, 'switchyard');
    for (const name of ['models', 'types.py', '__init__.py']) {
      cpSync(path.join(made, name), path.join(source, name), { recursive: true });
    }
    copyForContract(contract, path.join(here, 'package'), folder);
    rmSync(made, { recursive: true });
    rmSync(input);
    for (const [name, text] of Object.entries(resourceSources(contract))) {
      writeFileSync(path.join(source, name), text);
    }
    writeFileSync(path.join(source, 'py.typed'), '');
    const { version } = contract.info;
    const project = readFileSync(path.join(here, 'pyproject.toml'), 'utf8');
    writeFileSync(
      path.join(folder, 'pyproject.toml'),
      withRepository(project).replace('{{version}}', version),
    );
    writeFileSync(path.join(folder, 'README.md'), readmeOf('python', version));
    copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  },

  async compile(contract, folder) {
    const bin = await tools();
    await run(path.join(bin, 'python'), ['-m', 'build', '--no-isolation', '--wheel', folder]);
    const environment = `${folder}-live`;
    rmSync(environment, { recursive: true, force: true });
    await run('python3', ['-m', 'venv', environment]);
    const wheel = readdirSync(path.join(folder, 'dist')).find((name) => name.endsWith('.whl')) ?? '';
    const pip = path.join(environment, 'bin/pip');
    await run(pip, ['install', '--quiet', path.join(folder, 'dist', wheel)], { retries: 2 });
    const live = path.join(environment, 'tests');
    copyForContract(contract, path.join(import.meta.dirname, 'live'), live);
    const samples = path.join(environment, 'samples');
    mkdirSync(samples);
    for (const sample of samplesIn(contract, folder)) {
      writeFileSync(path.join(samples, fileOf(sample)), sample.source);
    }
    const env = { MYPY_CACHE_DIR: path.join(environment, 'mypy') };
    const strict = ['--strict', '--python-executable', path.join(environment, 'bin/python')];
    await run(path.join(bin, 'mypy'), [...strict, live, samples, path.join(folder, 'switchyard')], { env });
  },

  async live(folder, given, examples) {
    const live = path.join(`${folder}-live`, 'tests');
    const env = { ...given, PYTHONDONTWRITEBYTECODE: '1' };
    const tests = ['-m', 'unittest', 'discover', '-s', live, '-p', '*.py'];
    const program = path.join(`${folder}-live`, 'bin/python');
    await run(program, tests, { env });
    const samples = path.join(`${folder}-live`, 'samples');
    const fillIn = fillInFor(await examples());
    for (const sample of samplesIn(readContract(), folder)) {
      writeFileSync(path.join(samples, fileOf(sample)), fillIn(sample));
      await runSample(sample, program, [fileOf(sample)], { env, cwd: samples });
    }
  },
};

const samplesIn = (contract: Document, folder: string) =>
  printedSamples(contract, 'Python', folder, 'python', (source) => source.includes('from switchyard import'));

const fileOf = ({ name }: Printed) => `sample_${name}.py`;
