import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { clientDocument, withoutErrors } from '../document.ts';
import type { Library } from '../library.ts';
import { readmeOf } from '../readme.ts';
import { run } from '../run.ts';
import { copyForContract } from '../sections.ts';
import { pythonTools } from '../tools.ts';
import { streamsSource } from './streams.ts';

const root = path.join(import.meta.dirname, '../../..');
const tools = () =>
  pythonTools('switchyard-clients-python-1', [
    'openapi-python-client==0.29.1',
    'build==1.6.1',
    'hatchling==1.33.0',
    'mypy==2.4.1',
  ]);

/** Python, by openapi-python-client: every operation, synchronous and asynchronous, on httpx. */
export const python: Library = {
  name: 'python',
  generating: ['python3'],
  running: ['python3'],

  async generate(contract, folder) {
    const bin = await tools();
    const here = import.meta.dirname;
    const input = path.join(folder, 'openapi.json');
    writeFileSync(input, JSON.stringify(withoutErrors(clientDocument(contract))));
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
    answerOrRaise(made);
    const source = path.join(folder, 'switchyard');
    cpSync(made, source, { recursive: true });
    copyForContract(contract, path.join(here, 'package'), folder);
    rmSync(made, { recursive: true });
    rmSync(input);
    writeFileSync(path.join(source, 'streams.py'), streamsSource(contract));
    writeFileSync(path.join(source, 'py.typed'), '');
    const { version } = contract.info;
    const project = readFileSync(path.join(here, 'pyproject.toml'), 'utf8');
    writeFileSync(path.join(folder, 'pyproject.toml'), project.replace('{{version}}', version));
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
    const env = { MYPY_CACHE_DIR: path.join(environment, 'mypy') };
    const strict = ['--strict', '--python-executable', path.join(environment, 'bin/python'), live];
    await run(path.join(bin, 'mypy'), strict, { env });
  },

  async live(folder, env) {
    const live = path.join(`${folder}-live`, 'tests');
    const quiet = { PYTHONDONTWRITEBYTECODE: '1' };
    const tests = ['-m', 'unittest', 'discover', '-s', live, '-p', '*.py'];
    await run(path.join(`${folder}-live`, 'bin/python'), tests, { env: { ...env, ...quiet } });
  },
};

/**
 * The generator lets an operation return None where a status is not known, and every caller ask for it. Such a reply is
 * raised here, so that what an operation returns is what it is declared to answer.
 */
function answerOrRaise(folder: string): void {
  const replace = (file: string, pattern: RegExp, by: string) => {
    const text = readFileSync(file, 'utf8');
    if (!pattern.test(text)) throw new Error(`${file} has no ${pattern}`);
    writeFileSync(file, text.replaceAll(pattern, by));
  };
  replace(path.join(folder, 'types.py'), /parsed: T \| None/g, 'parsed: T');
  const modules = readdirSync(path.join(folder, 'api'), { recursive: true, encoding: 'utf8' });
  for (const name of modules.filter((module) => /^\w+\/[a-z]\w*\.py$/.test(module))) {
    const file = path.join(folder, 'api', name);
    replace(file, /^(.*-> .*) \| None:$/gm, '$1:');
    replace(file, /^ {4}if client.raise_on_unexpected_status:\n {4}( {4}raise .*)\n {4}else:\n.*$/gm, '$1');
  }
}
