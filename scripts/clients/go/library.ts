import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { printedIn, runPrinted } from '../bodies.ts';
import { contractFile } from '../contract.ts';
import { withGiven } from '../given.ts';
import type { Library } from '../library.ts';
import { readmeOf } from '../readme.ts';
import { run } from '../run.ts';
import { openApiGenerator } from '../tools.ts';

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
    await openApiGenerator(['-i', contractFile, '-o', made, ...config]);
    for (const name of readdirSync(made).filter((file) => file.endsWith('.go'))) {
      const text = readFileSync(path.join(made, name), 'utf8');
      writeFileSync(path.join(folder, name), formatted(text));
    }
    rmSync(made, { recursive: true });
    cpSync(path.join(here, 'package'), folder, { recursive: true });
    const { version } = contract.info;
    writeFileSync(path.join(folder, 'version.go'), `package switchyard\n\nconst version = "${version}"\n`);
    writeFileSync(path.join(folder, 'go.mod'), `module ${moduleName}\n\ngo 1.23\n`);
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
    writeFileSync(path.join(live, 'samples_test.go'), samplesSource());
    const module = [`module live`, 'go 1.23', `require ${moduleName} v0.0.0`];
    module.push(`replace ${moduleName} => ${folder}`);
    writeFileSync(path.join(live, 'go.mod'), `${module.join('\n\n')}\n`);
    await run('go', ['vet', './...'], { cwd: live });
  },

  async live(folder, env) {
    const cwd = `${folder}-live`;
    await run('go', ['test', '-c', '-o', 'live'], { cwd });
    await withGiven(env, async (given) => {
      await run('./live', ['-test.run', '^Test[A-Z]'], { cwd, env: given });
      for (const { operationId } of printedIn('go', '//')) {
        await runPrinted(operationId, './live', ['-test.run', `^Test_${operationId}$`], {
          cwd,
          env: given,
        });
      }
    });
  },
};

/** The templates name schemas by their place in the contract, and cannot count blank lines. */
function formatted(text: string): string {
  return `${text
    .replaceAll('#/components/schemas/', '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}

/** A test for each operation, with the very text that the documentation prints as its body. */
function samplesSource(): string {
  const tests = printedIn('go', '//').map(
    ({ operationId, source }) => `func Test_${operationId}(t *testing.T) {\n${source}\n}\n`,
  );
  const text = tests.join('\n');
  const used = ['context', 'errors', 'fmt', 'io', 'log', 'os'].filter((name) => text.includes(`${name}.`));
  const imports = [...used, 'testing', moduleName].map((name) => `\t"${name}"`);
  return `package live\n\nimport (\n${imports.join('\n')}\n)\n\n${text}`;
}
