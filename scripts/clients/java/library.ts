import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withRepository } from '../../repository.ts';
import { contractFile } from '../contract.ts';
import type { Library } from '../library.ts';
import { javaClassOf, printedIn, withGiven } from '../programs.ts';
import { openApiGenerator, run } from '../run.ts';
import { readmeOf } from '../samples.ts';

const root = path.join(import.meta.dirname, '../../..');
const sources = 'src/main/java';
/** A bounded heap for Maven and the compilers. */
const heap = { MAVEN_OPTS: '-Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1' };

/** Java, by OpenAPI Generator with templates of our own: every operation, on the JDK's own HTTP client and Gson. */
export const java: Library = {
  name: 'java',
  generating: ['java', 'mvn'],
  running: ['java', 'javac', 'mvn'],

  async generate(contract, folder) {
    const here = import.meta.dirname;
    const made = path.join(folder, 'made');
    const config = ['-c', path.join(here, 'config.yaml'), '-t', path.join(here, 'templates')];
    await openApiGenerator(['-i', contractFile(), '-o', made, ...config]);
    cpSync(path.join(made, sources), path.join(folder, sources), { recursive: true });
    rmSync(made, { recursive: true });
    inEvery(path.join(folder, sources), readable);
    cpSync(path.join(here, 'package'), folder, { recursive: true });
    const { version } = contract.info;
    const pom = readFileSync(path.join(here, 'pom.xml'), 'utf8');
    writeFileSync(path.join(folder, 'pom.xml'), withRepository(pom).replace('{{version}}', version));
    writeFileSync(path.join(folder, 'README.md'), readmeOf('java', version));
    copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  },

  async compile(_contract, folder) {
    const output = ['-Dmdep.outputFile=target/classpath', '-Dmdep.regenerateFile=true'];
    const goals = ['-q', '-B', 'compile', 'dependency:build-classpath', ...output];
    await run('mvn', goals, { cwd: folder, env: heap, retries: 2 });
    const live = `${folder}-live`;
    rmSync(live, { recursive: true, force: true });
    mkdirSync(live);
    const tests = ['LiveTest', 'RunSamples'].map((name) =>
      path.join(import.meta.dirname, `live/${name}.java`),
    );
    const samples = printedIn('java').map(({ operationId, source }) => {
      const file = path.join(live, `${javaClassOf(operationId)}.java`);
      writeFileSync(file, `${source}\n`);
      return file;
    });
    const options = ['-J-Xmx384m', '-Werror', '-cp', classpathOf(folder), '-d', live];
    await run('javac', [...options, '-Xlint:all,-processing', ...tests]);
    // The samples show the deprecated operations too.
    await run('javac', [...options, '-Xlint:all,-processing,-deprecation', ...samples]);
  },

  async live(folder, env) {
    const options = ['-Xmx256m', '-cp', `${classpathOf(folder)}:.`];
    const cwd = `${folder}-live`;
    await withGiven(env, async (given) => {
      await run('java', [...options, 'LiveTest'], { cwd, env: given });
      const samples = printedIn('java').map(({ operationId }) => javaClassOf(operationId));
      await run('java', [...options, 'RunSamples', ...samples], { cwd, env: given });
    });
  },
};

function classpathOf(folder: string): string {
  const target = path.join(folder, 'target');
  return `${path.join(target, 'classes')}:${readFileSync(path.join(target, 'classpath'), 'utf8').trim()}`;
}

function inEvery(folder: string, change: (text: string) => string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    if (name.endsWith('.java')) writeFileSync(file, change(readFileSync(file, 'utf8')));
  }
}

/** The templates name schemas by their place in the contract, and constants with the name of their enum in front. */
function readable(text: string): string {
  const name = /^public enum (\w+) /m
    .exec(text)?.[1]
    ?.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toUpperCase();
  const plain = name ? text.replaceAll(`    ${name}_`, '    ') : text;
  return `${plain
    .replaceAll('#/components/schemas/', '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}
