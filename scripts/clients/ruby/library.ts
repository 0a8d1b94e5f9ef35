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

/** Ruby, by OpenAPI Generator with templates of our own: every operation, on net/http and nothing else. */
export const ruby: Library = {
  name: 'ruby',
  generating: ['java', 'mvn'],
  running: ['ruby', 'gem'],

  async generate(contract, folder) {
    const here = import.meta.dirname;
    const { version } = contract.info;
    const made = path.join(folder, 'made');
    const config = ['-c', path.join(here, 'config.yaml'), '-t', path.join(here, 'templates')];
    await openApiGenerator(['-i', contractFile(), '-o', made, ...config]);
    const lib = path.join(folder, 'lib');
    cpSync(path.join(made, 'lib'), lib, { recursive: true });
    rmSync(made, { recursive: true });
    const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.rb'),
    );
    for (const name of files) {
      const file = path.join(lib, name);
      writeFileSync(file, readable(readFileSync(file, 'utf8')));
    }
    cpSync(path.join(here, 'package'), folder, { recursive: true });
    const own = ['record', 'errors', 'event_stream', 'caller'].map((name) => `switchyard/${name}`);
    const names = [...own, ...files.map((name) => name.slice(0, -'.rb'.length)).sort(), 'switchyard/client'];
    const requires = names.map((name) => `require '${name}'\n`).join('');
    writeFileSync(
      path.join(lib, 'switchyard.rb'),
      `# Client of Switchyard: one interface to every AI model, and the build factory.\nmodule Switchyard\n  VERSION = '${version}'.freeze\nend\n\n${requires}`,
    );
    const gemspec = readFileSync(path.join(here, 'switchyard.gemspec'), 'utf8');
    writeFileSync(
      path.join(folder, 'switchyard.gemspec'),
      withRepository(gemspec).replace('{{version}}', version),
    );
    writeFileSync(path.join(folder, 'README.md'), readmeOf('ruby', version));
    copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  },

  async compile(_contract, folder) {
    const live = `${folder}-live`;
    rmSync(live, { recursive: true, force: true });
    mkdirSync(live);
    copyFileSync(path.join(import.meta.dirname, 'live/live_test.rb'), path.join(live, 'live_test.rb'));
    for (const { operationId, source } of printedIn('ruby')) {
      writeFileSync(path.join(live, `sample-${operationId}.rb`), `${source}\n`);
    }
    await run('gem', ['build', '--silent', 'switchyard.gemspec'], { cwd: folder });
    await run('ruby', ['-w', '-Ilib', '-e', "require 'switchyard'"], { cwd: folder });
  },

  async live(folder, env) {
    const cwd = `${folder}-live`;
    const samples = readdirSync(cwd).filter((name) => name.startsWith('sample-'));
    const lib = `-I${path.join(folder, 'lib')}`;
    await withGiven(env, async (given) => {
      await run('ruby', [lib, 'live_test.rb'], { cwd, env: given });
      for (const sample of samples.sort())
        await runProgram(path.parse(sample).name.slice('sample-'.length), 'ruby', [lib, sample], {
          cwd,
          env: given,
        });
    });
  },
};

/**
 * The templates name schemas by their place in the contract, put paragraphs on one line, end lists with commas, and repeat the
 * names of enums.
 */
function readable(text: string): string {
  const prefix = /^ {2}module (\w+)$/m
    .exec(text)?.[1]
    ?.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toUpperCase();
  return `${text
    .replaceAll('#/components/schemas/', '')
    .replaceAll(/ +$/gm, '')
    .replaceAll(/^ *# .*$/gm, (comment) => comment.replaceAll(/(?<=\S) {2,}/g, ' '))
    .replaceAll(`    ${prefix}_`, '    ')
    .replaceAll(', )', ')')
    .replaceAll(/, +\}/g, ' }')
    .replaceAll(/\{ +\}/g, '{}')
    .replaceAll('# @return [File]', '# @return [Download]')
    .replaceAll(/\(\)$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}
