import { appendFileSync, copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chatInterfaceTags, clientDocument, withoutErrors } from '../document.ts';
import type { Library } from '../library.ts';
import { readmeOf } from '../readme.ts';
import { run } from '../run.ts';
import { copyForContract } from '../sections.ts';
import { openApiGenerator } from '../tools.ts';

const root = path.join(import.meta.dirname, '../../..');

/** Ruby, by OpenAPI Generator: the chat interface, on Typhoeus. */
export const ruby: Library = {
  name: 'ruby',
  generating: ['java', 'mvn'],
  running: ['ruby', 'gem'],

  async generate(contract, folder) {
    const here = import.meta.dirname;
    const { version } = contract.info;
    const input = path.join(folder, 'openapi.json');
    const made = path.join(folder, 'made');
    const document = clientDocument(contract, chatInterfaceTags(contract));
    writeFileSync(input, JSON.stringify(withoutErrors(document)));
    const config = ['-c', path.join(here, 'config.yaml'), `--additional-properties=gemVersion=${version}`];
    await openApiGenerator(['-i', input, '-o', made, ...config]);
    cpSync(path.join(made, 'lib'), path.join(folder, 'lib'), { recursive: true });
    rmSync(made, { recursive: true });
    rmSync(input);
    copyForContract(contract, path.join(here, 'package'), folder);
    appendFileSync(path.join(folder, 'lib/switchyard.rb'), "\nrequire 'switchyard/client'\n");
    const gemspec = readFileSync(path.join(here, 'switchyard.gemspec'), 'utf8');
    writeFileSync(path.join(folder, 'switchyard.gemspec'), gemspec.replace('{{version}}', version));
    writeFileSync(path.join(folder, 'README.md'), readmeOf('ruby', version));
    copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  },

  async compile(contract, folder) {
    const live = `${folder}-live`;
    rmSync(live, { recursive: true, force: true });
    copyForContract(contract, path.join(import.meta.dirname, 'live'), live);
    await run('gem', ['build', '--silent', 'switchyard.gemspec'], { cwd: folder });
    await run('ruby', ['-w', '-Ilib', '-e', "require 'switchyard'"], { cwd: folder });
  },

  async live(folder, env) {
    await run('ruby', [`-I${path.join(folder, 'lib')}`, path.join(`${folder}-live`, 'live_test.rb')], {
      env,
    });
  },
};
