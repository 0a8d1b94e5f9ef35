import { appendFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { KeyStore } from '../../src/accounts/keys.ts';
import { createApp } from '../../src/app.ts';
import type { OperationId, Principal } from '../../src/contract/registry.ts';
import { type ReplyCheck, replyCheck } from '../../src/contract/reply-check.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { type Listener, listen, serve } from '../../src/http/listen.ts';
import type { Lifecycle } from '../../src/lib/lifecycle.ts';
import { createModelGateway } from '../../src/models/gateway.ts';
import type { ModelGateway } from '../../src/models/port.ts';
import type { ModelsSettings } from '../../src/models/settings.ts';
import { createLog } from '../../src/observe/log.ts';

/** A key that every test application knows, with all scopes, and one without any. */
export const testKey = 'test-key-with-all-scopes';
export const scopelessKey = 'test-key-without-scopes';

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface TestApp {
  readonly url: string;
  readonly port: number;
  readonly log: readonly LogLine[];
  readonly running: ReadonlySet<Exchange>;
  readonly listener: Listener;
  readonly models: ModelGateway;
  close(): Promise<void>;
}

export interface TestAppOptions {
  readonly models?: Partial<ModelsSettings>;
  readonly keys?: KeyStore;
  /** Whether an error in the log is what the test wants to see; otherwise it fails the test. */
  readonly errorsExpected?: boolean;
}

const noProviders: ModelsSettings = {
  providers: [],
  models: [],
  aliases: {},
  defaultModel: null,
  timeLimits: { connect: 2_000, firstByte: 5_000, idle: 5_000, total: 10_000 },
  maxAttempts: 3,
};

/** The whole application on a free port of this machine, with every reply held against the contract. */
export async function startApp({
  models: settings,
  keys = testKeys,
  errorsExpected = false,
}: TestAppOptions = {}): Promise<TestApp> {
  const reception = await listen('127.0.0.1', 0);
  const { port } = reception;
  const url = `http://127.0.0.1:${port}`;
  const lines: LogLine[] = [];
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line) as LogLine) });
  const models = createModelGateway({ ...noProviders, ...settings });
  const lifecycle: Lifecycle = { draining: false, startedAt: Date.now() };
  const running = new Set<Exchange>();
  const parts = {
    publicUrl: url,
    keys,
    models,

    log,
    lifecycle,
    replyCheck: recordingCheck,
    running,
  };
  const app = await createApp(parts);
  const listener = serve(reception, app.callback(), { lifecycle, running, publicUrl: url });
  return {
    url,
    port,
    log: lines,
    running,
    listener,
    models,
    async close() {
      await listener.drain(0);
      await models.close();
      const errors = lines.filter((line) => line.level >= 50);
      if (!errorsExpected && errors.length > 0)
        throw new Error(`unexpected errors: ${JSON.stringify(errors, null, 2)}`);
    },
  };
}

/** The same, for one test. */
export async function appForThisTest(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await startApp(options);
  onTestFinished(() => app.close());
  return app;
}

const scopes = new Set(['chat', 'agents', 'ai', 'factory']);
const principals: Readonly<Record<string, Principal>> = {
  [testKey]: { keyId: 'all', scopes },
  [scopelessKey]: { keyId: 'none', scopes: new Set() },
};

const testKeys: KeyStore = {
  verify: async (key) => (Object.hasOwn(principals, key) ? (principals[key] ?? null) : null),
};

/** Checks as in development, and writes down what was answered, for the coverage of the contract. */
export const recordingCheck: ReplyCheck = {
  reply(id, status, mediaType, body) {
    replyCheck.reply(id, status, mediaType, body);
    record(id, `${status} ${mediaType ?? '-'}`);
  },
  event(id, event) {
    replyCheck.event(id, event);
    record(id, `200 text/event-stream ${(event as { type: string }).type}`);
    record(id, '200 text/event-stream');
  },
};

const recorded = new Set<string>();

function record(id: OperationId, what: string): void {
  const line = `${id} ${what}\n`;
  const file = process.env['CONTRACT_COVERAGE'];
  if (!file || recorded.has(line)) return;
  recorded.add(line);
  appendFileSync(file, line);
}
