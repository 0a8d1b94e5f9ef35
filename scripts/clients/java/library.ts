import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chatInterfaceTags, clientDocument, withoutErrors } from '../document.ts';
import type { Library } from '../library.ts';
import { readmeOf } from '../readme.ts';
import { run } from '../run.ts';
import { copyForContract } from '../sections.ts';
import { openApiGenerator } from '../tools.ts';

const root = path.join(import.meta.dirname, '../../..');
const sources = 'src/main/java';
/** A bounded heap for Maven and the compilers. */
const heap = { MAVEN_OPTS: '-Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1' };

/** Java, by OpenAPI Generator: the chat interface, on OkHttp and Gson. */
export const java: Library = {
  name: 'java',
  generating: ['java', 'mvn'],
  running: ['java', 'javac', 'mvn'],

  async generate(contract, folder) {
    const here = import.meta.dirname;
    const { version } = contract.info;
    const input = path.join(folder, 'openapi.json');
    const made = path.join(folder, 'made');
    const document = clientDocument(contract, chatInterfaceTags(contract));
    writeFileSync(input, JSON.stringify(withoutErrors(document)));
    const config = [
      '-c',
      path.join(here, 'config.yaml'),
      `--additional-properties=artifactVersion=${version}`,
    ];
    await openApiGenerator(['-i', input, '-o', made, ...config]);
    cpSync(path.join(made, sources), path.join(folder, sources), { recursive: true });
    rmSync(made, { recursive: true });
    rmSync(input);
    copyForContract(contract, path.join(here, 'package'), folder);
    const pom = readFileSync(path.join(here, 'pom.xml'), 'utf8');
    writeFileSync(path.join(folder, 'pom.xml'), pom.replace('{{version}}', version));
    writeFileSync(path.join(folder, 'README.md'), readmeOf('java', version));
    copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  },

  async compile(contract, folder) {
    const output = ['-Dmdep.outputFile=target/classpath', '-Dmdep.regenerateFile=true'];
    const goals = ['-q', '-B', 'compile', 'dependency:build-classpath', ...output];
    await run('mvn', goals, { cwd: folder, env: heap, retries: 2 });
    const live = `${folder}-live`;
    rmSync(live, { recursive: true, force: true });
    copyForContract(contract, path.join(import.meta.dirname, 'live'), live);
    const test = path.join(live, 'Live.java');
    await run('javac', ['-J-Xmx384m', '-cp', classpathOf(folder), '-d', live, test]);
  },

  async live(folder, env) {
    const classpath = `${classpathOf(folder)}:${folder}-live`;
    await run('java', ['-Xmx256m', '-cp', classpath, 'Live'], { env });
  },
};

function classpathOf(folder: string): string {
  const target = path.join(folder, 'target');
  return `${path.join(target, 'classes')}:${readFileSync(path.join(target, 'classpath'), 'utf8').trim()}`;
}
