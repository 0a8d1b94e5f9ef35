/** The files for deployment start the server as `npm start` does, and know its settings and metrics. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { appForThisTest } from '../../helpers/app.ts';
import { root } from '../../helpers/contract.ts';
import { ask } from '../../helpers/http.ts';

const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const start = (JSON.parse(read('package.json')) as { scripts: { start: string } }).scripts.start;
const args = start.split(' ').slice(1);

it('the image and the unit start it as npm start does', () => {
  const entrypoint = /^CMD (\[.*\])$/m.exec(read('Dockerfile'))?.[1] ?? '';
  expect(JSON.parse(entrypoint)).toEqual(['node', ...args]);
  const command = /^ExecStart=\S+ (.*)$/m.exec(read('deploy/systemd/switchyard.service'))?.[1] ?? '';
  expect(command.split(' ')).toEqual(args);
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
