/**
 * `npm run release`: makes in `build/release/` what a release consists of, from a commit as it is, and says how to tag it: the
 * package, its bill of materials, the licences of what it stands on, the notes, and the sums of all of them. With `--dry-run` it
 * makes nothing and prints the notes: what the changelog says of the version, and the differences of the contract by oasdiff.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { billOfMaterials, licencesText, runtimeComponents, unaccepted } from './dependencies.ts';

const root = path.join(import.meta.dirname, '../..');
const folder = path.join(root, 'build/release');
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

try {
  release();
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}

function release(): void {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const changes = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  if (process.argv.includes('--dry-run')) {
    console.log(notes(changes, version));
    return;
  }
  if (git('status', '--porcelain') !== '') throw new Error('There are changes that are not committed.');
  if (!changes.includes(`\n## ${version}\n`)) throw new Error(`CHANGELOG.md has no section "## ${version}".`);
  const components = runtimeComponents(root);
  const refused = unaccepted(components).map(({ name, licence }) => `${name} (${licence})`);
  if (refused.length > 0) throw new Error(`Licences that nobody has accepted: ${refused.join(', ')}.`);

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, [path.join(import.meta.dirname, 'package.ts'), folder], {
    stdio: 'inherit',
  });
  writeFileSync(path.join(folder, 'sbom.cdx.json'), billOfMaterials(root, components));
  writeFileSync(path.join(folder, 'licences.md'), licencesText(components));
  writeFileSync(path.join(folder, 'notes.md'), notes(changes, version));
  const sums = readdirSync(folder).map((name) => {
    const digest = createHash('sha256')
      .update(readFileSync(path.join(folder, name)))
      .digest('hex');
    return `${digest}  ${name}\n`;
  });
  writeFileSync(path.join(folder, 'SHA256SUMS'), sums.join(''));
  console.log(`build/release/ has version ${version} of ${git('rev-parse', 'HEAD')}. To publish it:`);
  console.log(`  git tag -a v${version} -m "Version ${version}" && git push origin v${version}`);
}

/** What is said of a release: the section of the changelog, that of what is not released yet where there is none, and the contract's changes. */
function notes(changes: string, version: string): string {
  const sections = changes.split(/^## /m);
  const of = (title: string) => sections.find((section) => section.startsWith(`${title}\n`));
  const section = of(version) ?? of('Unreleased') ?? '';
  const differences = execFileSync(process.execPath, ['scripts/changes.ts', '--changelog'], {
    cwd: root,
    encoding: 'utf8',
  });
  return `## ${section.trim()}\n\n## The contract since the last release\n\n${differences}`;
}
