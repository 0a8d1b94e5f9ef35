/** What a release says of what it stands on: the bill of materials against the schema of CycloneDX, and the licences. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { pythonTools } from '../../scripts/clients/tools.ts';
import { billOfMaterials, runtimeComponents, unaccepted } from '../../scripts/release/dependencies.ts';
import { nodePackages } from '../../src/lib/node-lines.js';
import { root } from '../helpers/contract.ts';

const run = promisify(execFile);
const validate = `import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
found = JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1]).read())
print(found or 'valid')`;

it('the bill of materials is valid and has all packages', async () => {
  const components = runtimeComponents(root);
  const text = billOfMaterials(root, components);
  const listed = (JSON.parse(text).components as { name: string; version: string }[]).map(
    ({ name, version }) => `${name}@${version}`,
  );
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  for (const [name, version] of Object.entries(manifest.dependencies))
    expect(listed).toContain(`${name}@${version}`);
  // Of what differs by machine, as the Node.js that it runs on, npm lists what is installed here.
  const nodeHere = nodePackages[`${process.platform}-${process.arch}` as keyof typeof nodePackages];
  expect(listed).toContain(`${nodeHere}@${manifest.optionalDependencies[nodeHere]}`);
  expect(listed.filter((one) => /^(vitest|@biomejs|oidc-provider)/.test(one))).toEqual([]);
  const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-bill-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'bill.json'), text);
  const programs = await pythonTools('switchyard-cyclonedx', [
    'cyclonedx-python-lib[json-validation]==11.12.0',
  ]);
  const { stdout } = await run(path.join(programs, 'python'), ['-c', validate, 'bill.json'], { cwd: folder });
  expect(stdout.trim()).toBe('valid');
});

it('all licences are among those that are accepted, and others are found', () => {
  const components = runtimeComponents(root);
  expect(components.length).toBeGreaterThan(100);
  expect(unaccepted(components)).toEqual([]);
  const made = (licence: string) => ({ name: 'made-up', version: '1.0.0', licence });
  const licences = ['GPL-3.0', '(MIT OR GPL-3.0)', 'MIT AND GPL-3.0', 'unknown'];
  expect(unaccepted(licences.map(made)).map(({ licence }) => licence)).toEqual([
    'GPL-3.0',
    'MIT AND GPL-3.0',
    'unknown',
  ]);
});
