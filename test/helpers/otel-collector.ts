import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, type TestContext } from 'vitest';
import { type Collector, startCollector } from './collector.ts';
import { root } from './contract.ts';
import { freePort } from './free-port.ts';

/** Where `.ci/collector` puts the collector of OpenTelemetry. */
const program = path.join(root, 'build/otel-collector');

/** The collector of OpenTelemetry itself, which sends on what it has taken. */
export interface OtelCollector {
  /** What has come out of it; its `url` is where the collector takes requests. */
  readonly collector: Collector;
  /** What it counts of its own work, by the names in its documentation: each series with its labels. */
  counted(name: RegExp): Promise<readonly Counted[]>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
}

interface Counted {
  readonly series: string;
  readonly value: number;
}

/** Skips the test where the collector is not compiled; under `CI` that is a failure. */
export async function startOtelCollector(skip: TestContext['skip']): Promise<OtelCollector> {
  if (!existsSync(program)) {
    const problem = 'there is no build/otel-collector, which .ci/collector compiles';
    if (process.env['CI']) throw new Error(problem);
    skip(problem);
  }
  const kept = await startCollector();
  const [port, ownPort] = [await freePort(), await freePort()];
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-otel-collector-'));
  const file = path.join(folder, 'collector.yaml');
  // Without queue and retries, so that a request is answered only when what it brought has come out.
  await writeFile(
    file,
    `receivers:
  otlp: { protocols: { http: { endpoint: "127.0.0.1:${port}" } } }
exporters:
  otlp_http:
    endpoint: ${kept.url}
    encoding: json
    compression: none
    sending_queue: { enabled: false }
    retry_on_failure: { enabled: false }
service:
  pipelines:
    traces: { receivers: [otlp], exporters: [otlp_http] }
    metrics: { receivers: [otlp], exporters: [otlp_http] }
    logs: { receivers: [otlp], exporters: [otlp_http] }
  telemetry:
    metrics: { level: detailed, readers: [{ pull: { exporter: { prometheus: { host: 127.0.0.1, port: ${ownPort} } } } }] }
`,
  );
  let child: ChildProcess | null = null;
  let output = '';
  const kill = async () => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const start = async () => {
    output = '';
    child = spawn(program, ['--config', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr?.on('data', (piece) => {
      output += piece;
    });
    await expect.poll(() => output).toContain('Everything is ready');
  };
  onTestFinished(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });
  await start();
  return {
    collector: Object.assign(kept, { url: `http://127.0.0.1:${port}` }),
    kill,
    start,
    async counted(name) {
      const text = await (await fetch(`http://127.0.0.1:${ownPort}/metrics`)).text();
      return text
        .split('\n')
        .filter((line) => !line.startsWith('#') && name.test(line.split('{')[0] ?? ''))
        .map((line) => ({
          series: line.slice(0, line.lastIndexOf(' ')),
          value: Number(line.slice(line.lastIndexOf(' '))),
        }));
    },
  };
}
