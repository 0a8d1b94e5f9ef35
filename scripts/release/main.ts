/**
 * `npm run release`: tags a commit as it is, with the notes as the message, and makes in `build/release/` what a release consists of:
 * the package, its bill of materials, the licences of what it contains, the notes, and the sums of all of them. It does not push the
 * tag. With `--dry-run` it changes nothing and prints the notes: the section of the changelog and, unless that has them already, the
 * differences of the contract by oasdiff.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { billOfMaterials, licencesText, runtimeComponents, unaccepted } from './dependencies.ts';

const root = path.join(import.meta.dirname, '../..');
const folder = path.join(root, 'build/release');
const usage = 'Usage: npm run release [-- --dry-run], which prints the notes and changes nothing';
const run = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8' }).trim();
const git = (...args: readonly string[]) => run('git', ...args);

try {
  release();
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}

function release(): void {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) {
    console.log(usage);
    return;
  }
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const changes = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const tag = `v${version}`;
  const contract = contractChanges();
  const section = sectionOf(changes, version);
  if (values['dry-run']) {
    const shown = sectionOf(changes, 'Unreleased') ?? section ?? '';
    console.log(shown.includes(contract) ? shown : `${shown}\n\n${contract}`);
    return;
  }
  if (git('status', '--porcelain') !== '') throw new Error('There are changes that are not committed.');
  if (git('tag', '--list', tag) !== '') throw new Error(`The tag ${tag} exists already.`);
  if (sectionOf(changes, 'Unreleased') !== undefined)
    throw new Error(
      'CHANGELOG.md has a section "## Unreleased": give it the version, as package.json and the contract.',
    );
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}".`);
  if (!section.includes(contract)) {
    const missing = `The section "## ${version}" of CHANGELOG.md lacks the changes of the contract.`;
    throw new Error(`${missing} Append what "npm run changes -- --changelog" prints, and commit it.`);
  }
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
  writeFileSync(path.join(folder, 'notes.md'), section);
  const sums = readdirSync(folder).map((name) => {
    const digest = createHash('sha256')
      .update(readFileSync(path.join(folder, name)))
      .digest('hex');
    return `${digest}  ${name}\n`;
  });
  writeFileSync(path.join(folder, 'SHA256SUMS'), sums.join(''));
  git(
    'tag',
    '--annotate',
    tag,
    '--cleanup=verbatim',
    '--message',
    `Version ${version}`,
    '--message',
    section,
  );
  console.log(
    `build/release/ has version ${version} of ${git('rev-parse', 'HEAD')}, tagged ${tag}. To publish it:`,
  );
  console.log(`  git push origin ${tag}`);
}

/** The section of the changelog with this title, without what follows it; undefined if it has none. */
function sectionOf(changes: string, title: string): string | undefined {
  const section = changes.split(/^(?=## )/m).find((text) => text.startsWith(`## ${title}\n`));
  return section?.trim();
}

/** What oasdiff says of the contract since the last release, as Markdown below a section; empty if there is no release. */
function contractChanges(): string {
  if (git('tag', '--list', 'v*', '--merged') === '') return '';
  return run(process.execPath, 'scripts/changes.ts', '--changelog');
}
