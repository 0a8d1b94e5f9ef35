/** The dashboard and the alerts read metrics that a server gives. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { serveProcess } from '../helpers/cli.ts';
import { root } from '../helpers/contract.ts';
import { ask } from '../helpers/http.ts';

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly query: string }[] };
}
interface Alerts {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}

const read = (name: string) => readFile(path.join(root, 'deploy/monitoring', name), 'utf8');

/** Everything in an expression that is a name with an underscore, and neither a function of PromQL nor Grafana's. */
function metricsIn(expression: string): string[] {
  const bare = expression.replace(/"[^"]*"/g, '').replace(/\$\w+/g, '');
  const names = [...bare.matchAll(/\b[a-z]\w*_\w+\b(?!\s*\()/g)].map(([name]) => name);
  return /^up\b/.test(bare) ? ['up'] : names;
}

it('name no metric that a server does not give', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-monitoring-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const server = await serveProcess({ DATA_DIR: dataDir, ANALYTICS_DIR: path.join(dataDir, 'analytics') });
  onTestFinished(() => void server.child.kill('SIGKILL'));
  const { text } = await ask(`${server.url}/metrics`, { key: null });
  // Prometheus itself gives `up`.
  const known = new Set(['up']);
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    if (type !== 'histogram') known.add(name);
    else for (const end of ['bucket', 'sum', 'count']) known.add(`${name}_${end}`);
  }

  const dashboard: Dashboard = JSON.parse(await read('grafana-dashboard.json'));
  const alerts: Alerts = parse(await read('alerts.yaml'));
  const expressions = [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.map(({ query }) => query).filter((query) => query !== 'prometheus'),
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ];
  expect(expressions.length).toBeGreaterThan(30);
  expect(expressions.filter((expression) => metricsIn(expression).length === 0)).toEqual([]);
  expect(expressions.flatMap(metricsIn).filter((name) => !known.has(name))).toEqual([]);
  expect(await server.stop()).toBe(0);
});
