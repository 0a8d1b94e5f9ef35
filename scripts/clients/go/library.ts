import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contractFile } from '../contract.ts';
import type { Library } from '../library.ts';
import { runProgram } from '../printed.ts';
import { printedIn, withGiven } from '../programs.ts';
import { openApiGenerator, run } from '../run.ts';
import { readmeOf } from '../samples.ts';

const root = path.join(import.meta.dirname, '../../..');
const moduleName = 'github.com/switchyard/switchyard-go';

/** Go, by OpenAPI Generator with templates of our own: every operation, on net/http and nothing else. */
export const go: Library = {
  name: 'go',
  generating: ['java', 'mvn'],
  running: ['go', 'gofmt'],

  async generate(contract, folder) {
    const here = import.meta.dirname;
    const made = path.join(folder, 'made');
    const config = ['-c', path.join(here, 'config.yaml'), '-t', path.join(here, 'templates')];
    await openApiGenerator(['-i', contractFile(), '-o', made, ...config]);
    for (const name of readdirSync(made).filter((file) => file.endsWith('.go'))) {
      const text = readFileSync(path.join(made, name), 'utf8');
      writeFileSync(path.join(folder, name), formatted(text));
    }
    rmSync(made, { recursive: true });
    cpSync(path.join(here, 'package'), folder, { recursive: true });
    const { version } = contract.info;
    writeFileSync(path.join(folder, 'version.go'), `package switchyard\n\nconst version = "${version}"\n`);
    writeFileSync(path.join(folder, 'go.mod'), `module ${moduleName}\n\ngo 1.24\n`);
    writeFileSync(path.join(folder, 'README.md'), readmeOf('go', version));
    copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  },

  async compile(_contract, folder) {
    const unformatted = 'test -z "$(gofmt -l .)" || { gofmt -d .; exit 1; }';
    await run('sh', ['-c', unformatted], { cwd: folder });
    await run('go', ['vet', './...'], { cwd: folder });
    const live = `${folder}-live`;
    rmSync(live, { recursive: true, force: true });
    mkdirSync(live);
    copyFileSync(path.join(import.meta.dirname, 'live/live_test.go'), path.join(live, 'live_test.go'));
    for (const { operationId, source } of printedIn('go')) {
      const program = path.join(live, 'samples', operationId);
      mkdirSync(program, { recursive: true });
      writeFileSync(path.join(program, 'main.go'), `${source}\n`);
    }
    const module = [`module live`, 'go 1.24', `require ${moduleName} v0.0.0`];
    module.push(`replace ${moduleName} => ${folder}`);
    writeFileSync(path.join(live, 'go.mod'), `${module.join('\n\n')}\n`);
    await run('sh', ['-c', unformatted], { cwd: live });
    await run('go', ['vet', './...'], { cwd: live });
    await run('go', ['test', '-c', '-o', 'live'], { cwd: live });
    // Each is some megabytes, and without what a debugger needs a third less.
    await run('go', ['build', '-ldflags=-s -w', '-o', 'bin/', './samples/...'], { cwd: live });
  },

  async live(folder, env) {
    const cwd = `${folder}-live`;
    await withGiven(env, async (given) => {
      await run('./live', [], { cwd, env: given });
      for (const { operationId } of printedIn('go')) {
        await runProgram(operationId, `./bin/${operationId}`, [], { cwd, env: given });
      }
    });
    rmSync(path.join(cwd, 'bin'), { recursive: true });
  },
};

/** The templates name schemas by their place in the contract, put paragraphs on one line, and cannot count blank lines. */
function formatted(text: string): string {
  return `${text
    .replaceAll('#/components/schemas/', '')
    .replaceAll(/ +$/gm, '')
    // An empty list says something else than none, as in a spec, where what is left out is filled in.
    .replaceAll(/^(\t\w+ (?:\[\]|map\[)\S+ `json:"\w+),omitempty"/gm, '$1,omitzero"')
    .replaceAll(/^\s*\/\/ .*$/gm, (comment) => comment.replaceAll(/(?<=\S) {2,}/g, ' '))
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}
