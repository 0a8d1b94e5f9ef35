import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { derivedFiles, filledIn } from '../../../scripts/docs/derived.ts';
import { renderGuides } from '../../../scripts/docs/guides.ts';
import { repositoryUrl, withRepository } from '../../../scripts/repository.ts';
import { brotliIsSafe } from '../../../src/lib/brotli-guard.ts';
import { nodeLine, nodePackages } from '../../../src/lib/node-lines.js';
import { appForThisTest } from '../../helpers/app.ts';
import { contract, root } from '../../helpers/contract.ts';
import { ask } from '../../helpers/http.ts';
import { testEvery } from '../../helpers/test-every.ts';

const url = 'https://git.example.com/switchyard';

it('is one address, however it is written, and none where it is not set', () => {
  expect(repositoryUrl({ repository: { url: `git+${url}.git` } })).toBe(url);
  expect(repositoryUrl({ repository: url })).toBe(url);
  for (const none of [{}, { repository: '' }, { repository: { url: '' } }])
    expect(repositoryUrl(none)).toBeNull();
});

const folder = path.join(root, 'scripts/clients');
const asking = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => [name, path.join(folder, name)] as const)
  .filter(([name]) => /\.(?:md|json|xml|toml|gemspec)$/.test(name))
  .filter(([, file]) => readFileSync(file, 'utf8').includes('{{repository}}'));

it('is asked for by packages of every language', () => {
  expect(new Set(asking.map(([name]) => name.split('/')[0])).size).toBe(6);
});

testEvery(
  'stands in each of them where it is set, and leaves no trace where it is not',
  asking,
  ([name, file]) => {
    const text = readFileSync(file, 'utf8');
    expect(withRepository(text, url)).toContain(url);
    const without = withRepository(text, null);
    expect(without).not.toMatch(/repository\}|\[Switchyard\]|homepage|<scm>|^urls/m);
    expect(without).toContain('Switchyard');
    if (name.endsWith('.json')) expect(() => JSON.parse(without)).not.toThrow();
  },
  { idOf: ([name]) => name },
);

it('is that of the contract', () => {
  expect(contract.info.contact?.url ?? null).toBe(repositoryUrl());
});

/** The Node.js that an install brings: the right one for each kind of machine, whatever machine the lock file was made on. */
describe('the packages of Node.js', () => {
  const read = (name: string) => JSON.parse(readFileSync(path.join(root, name), 'utf8'));
  const { optionalDependencies } = read('package.json') as { optionalDependencies: Record<string, string> };
  const { packages } = read('package-lock.json') as { packages: Record<string, Record<string, unknown>> };

  it('is an optional dependency for each kind of machine, and nothing else is', () => {
    expect(Object.keys(optionalDependencies).sort()).toEqual(Object.values(nodePackages).sort());
  });

  testEvery(
    'is locked for each kind of machine, for that one alone',
    Object.entries(nodePackages),
    ([kind, name]) => {
      const [os, cpu] = kind.split('-');
      const version = optionalDependencies[name];
      expect(packages[`node_modules/${name}`]).toMatchObject({ version, os, cpu, optional: true });
      expect(packages[`node_modules/${name}`]).not.toHaveProperty('hasInstallScript');
      expect(version).toMatch(new RegExp(`^${nodeLine}\\.\\d+\\.\\d+$`));
      // Where none without the fault is published yet, the server keeps away from Brotli.
      expect(brotliIsSafe(version ?? '') || os !== 'linux').toBe(true);
    },
    { idOf: ([kind]) => kind },
  );

  it('is locked without the addresses that packages came from', () => {
    expect(Object.keys(packages).filter((place) => packages[place]?.['resolved'] !== undefined)).toEqual([]);
  });

  it('runs this', () => {
    expect(process.versions.node.split('.')[0]).toBe(String(nodeLine));
  });
});

/** The files for deployment start the server as `npm start` does, and know its settings and metrics. */
describe('the files for deployment', () => {
  const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
  const start = (JSON.parse(read('package.json')) as { scripts: { start: string } }).scripts.start;
  const args = start.split(' ').slice(1);

  it('the image and the unit start it as npm start does', () => {
    const entrypoint = /^CMD (\[.*\])$/m.exec(read('Dockerfile'))?.[1] ?? '';
    expect(JSON.parse(entrypoint)).toEqual(['node', ...args]);
    const command = /^ExecStart=\S+ (.*)$/m.exec(read('deploy/systemd/switchyard.service'))?.[1] ?? '';
    expect(command.split(' ')).toEqual(args);
  });

  it('the image is made of all that its documentation derives from', () => {
    const context = mkdtempSync(path.join(tmpdir(), 'switchyard-context-'));
    onTestFinished(() => rmSync(context, { recursive: true }));
    for (const [, kept = ''] of read('.dockerignore').matchAll(/^!(.*)$/gm)) {
      mkdirSync(path.dirname(path.join(context, kept)), { recursive: true });
      symlinkSync(path.join(root, kept), path.join(context, kept));
    }
    expect(derivedFiles(context)).toEqual(derivedFiles(root));
    for (const file of derivedFiles(context))
      expect(() => filledIn(context, readFileSync(path.join(context, file), 'utf8'))).not.toThrow();
    expect(renderGuides(context)).toEqual(renderGuides(root));
  });

  it('the autoscaler goes by a metric that there is, and waiting is longer than draining', async () => {
    const manifests = parseAllDocuments(
      read('deploy/kubernetes/switchyard.yaml') + read('deploy/kubernetes/autoscaler.yaml'),
    ).map((one) => one.toJS());
    const of = (kind: string) => manifests.find((one) => one.kind === kind);
    const { metrics } = of('HorizontalPodAutoscaler').spec;
    const { text } = await ask(`${(await appForThisTest()).url}/metrics`, { key: null });
    expect(text).toContain(`# HELP ${metrics[0].pods.metric.name} `);
    const { data } = of('ConfigMap');
    const drain = Number(data.DRAIN_DELAY_MS ?? 5_000) + Number(data.DRAIN_TIMEOUT_MS ?? 30_000);
    expect(of('Deployment').spec.template.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(drain);
    for (const name of Object.keys(data).filter((one) => /^[A-Z_]+$/.test(one)))
      expect(read('docs/reference/configuration.md')).toContain(`| \`${name}\` |`);
  });
});
