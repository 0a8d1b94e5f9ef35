/** What the package stands on when it runs, for whoever has to know: a bill of materials and the licences. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Component {
  readonly name: string;
  readonly version: string;
  /** An expression of SPDX, as the package says it. */
  readonly licence: string;
}

/** Licences that let the package be used and passed on with it, whatever it is used for. */
const accepted = new Set(
  'MIT ISC Apache-2.0 0BSD BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC0-1.0 Unlicense PSF-2.0'.split(' '),
);

interface Lock {
  readonly packages: Readonly<Record<string, { version: string; license?: string; dev?: boolean }>>;
}

/** What is installed with the package, by name, on whatever machine: all but what is for development. The Node.js that it runs on is among it. */
export function runtimeComponents(root: string): Component[] {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock;
  return Object.entries(packages)
    .filter(([place, { dev }]) => place !== '' && !dev)
    .map(([place, { version, license }]) => ({
      name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license ?? 'unknown',
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Those whose licence is not among the accepted; of a choice one has to be. */
export function unaccepted(components: readonly Component[]): Component[] {
  const isAccepted = (expression: string): boolean => {
    const inner = expression.replace(/^\((.*)\)$/, '$1');
    if (inner.includes(' OR ')) return inner.split(' OR ').some(isAccepted);
    return inner.split(' AND ').every((one) => accepted.has(one));
  };
  return components.filter(({ licence }) => !isAccepted(licence));
}

/** A table in Markdown. */
export function licencesText(components: readonly Component[]): string {
  const rows = components.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return `# Licences of what Switchyard stands on\n\n| Package | Version | Licence |\n|---|---|---|\n${rows.join('\n')}\n`;
}

interface Bill {
  metadata: { component: { name: string } };
  components: { 'bom-ref': string; externalReferences?: { url: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * CycloneDX as npm makes it (https://docs.npmjs.com/cli/v11/commands/npm-sbom), of these components. npm is not asked to leave out
 * those for development: with them it leaves out what both need (seen with 11.19 and koa).
 */
export function billOfMaterials(root: string, components: readonly Component[]): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const bill = JSON.parse(
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }),
  ) as Bill;
  const known = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const own = bill.dependencies.find(({ ref }) => ref.startsWith('switchyard@'));
  bill.components = bill.components
    .filter((one) => known.has(one['bom-ref']))
    // Some packages name their repository as git does, which is no URI.
    .map(({ externalReferences = [], ...rest }) => ({
      ...rest,
      externalReferences: externalReferences.filter(({ url }) => URL.canParse(url)),
    }));
  bill.dependencies = bill.dependencies
    .filter((one) => one === own || known.has(one.ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => known.has(one)) }));
  bill.metadata.component.name = 'switchyard';
  return `${JSON.stringify(bill, null, 2)}\n`;
}
