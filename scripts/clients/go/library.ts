import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chatInterfaceTags, clientDocument, withoutErrors } from '../document.ts';
import type { Library } from '../library.ts';
import { readmeOf } from '../readme.ts';
import { run } from '../run.ts';
import { copyForContract } from '../sections.ts';
import { goTool } from '../tools.ts';

const root = path.join(import.meta.dirname, '../../..');
const moduleName = 'github.com/switchyard/switchyard-go';
const runtime = 'github.com/oapi-codegen/runtime v1.8.0';

/** Go, by oapi-codegen: the chat interface, on net/http. */
export const go: Library = {
  name: 'go',
  generating: ['go'],
  running: ['go', 'gofmt'],

  async generate(contract, folder) {
    const program = await goTool('github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen', 'v2.8.2');
    const here = import.meta.dirname;
    const input = path.join(folder, 'openapi.json');
    const document = withoutErrors(clientDocument(contract, chatInterfaceTags(contract)));
    // The generator knows no value of several types; it is `any` in Go.
    const text = JSON.stringify(document, (_, value) => (isOfSeveralTypes(value) ? {} : value));
    writeFileSync(input, text);
    const output = path.join(folder, 'client.gen.go');
    await run(program, ['-config', path.join(here, 'oapi-codegen.yaml'), '-o', output, input]);
    rmSync(input);
    copyForContract(contract, path.join(here, 'package'), folder);
    writeFileSync(path.join(folder, 'go.mod'), `module ${moduleName}\n\ngo 1.22\n\nrequire ${runtime}\n`);
    writeFileSync(path.join(folder, 'README.md'), readmeOf('go', contract.info.version));
    copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
    await run('go', ['mod', 'tidy'], { cwd: folder, retries: 2 });
  },

  async compile(contract, folder) {
    await run('gofmt', ['-l', '-w', folder]);
    await run('go', ['vet', './...'], { cwd: folder });
    const live = `${folder}-live`;
    rmSync(live, { recursive: true, force: true });
    copyForContract(contract, path.join(import.meta.dirname, 'live'), live);
    const module = [
      `module live`,
      'go 1.22',
      `require ${moduleName} v0.0.0`,
      `replace ${moduleName} => ${folder}`,
    ];
    writeFileSync(path.join(live, 'go.mod'), `${module.join('\n\n')}\n`);
    await run('go', ['mod', 'tidy'], { cwd: live, retries: 2 });
    await run('go', ['vet', './...'], { cwd: live });
  },

  async live(folder, env) {
    await run('go', ['test', '-count=1', './...'], { cwd: `${folder}-live`, env });
  },
};

function isOfSeveralTypes(schema: unknown): boolean {
  const type = (schema as { type?: unknown } | null)?.type;
  return Array.isArray(type) && type.filter((name) => name !== 'null').length > 1;
}
