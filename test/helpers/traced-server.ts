import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type ScriptedVendor, startVendor, type VendorReply } from '../lib/vendor.ts';
import { type Collector, type SentSpan, startCollector } from './collector.ts';
import { ask } from './http.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { canaryKey } from './vendor-gateway.ts';

export const tracedKey = 'key-of-the-tests-of-telemetry';
/** The trace of a client, and its span. */
export const traceId = '0af7651916cd43dd8448eb211c80319c';
export const parentId = 'b7ad6b7169203331';
export const parent = (sampled: boolean) => `00-${traceId}-${parentId}-0${sampled ? 1 : 0}`;
/** The kinds of spans. */
export const [server, client, internal] = [2, 3, 1];
const usage = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 40 },
};

function answer(reply: VendorReply): void {
  const { json } = reply.request;
  if (json['stream'] !== true) {
    reply.json({
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'The answer.' }, finish_reason: 'stop' }],
      usage,
    });
    return;
  }
  const piece = (more: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], ...more })}\n\n`;
  reply.eventStream();
  reply.chunk(piece({ choices: [{ index: 0, delta: { role: 'assistant', content: 'The ' } }] }));
  reply.chunk(piece({ choices: [{ index: 0, delta: { content: 'answer.' }, finish_reason: 'stop' }] }));
  reply.chunk(piece({ usage }));
  reply.chunk('data: [DONE]\n\n');
  reply.lastChunk();
}

/** What the span of an attempt says of a chat with 50 as `maxTokens` and 0.5 as `temperature`. */
export const attributesOfAttempt = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'house',
  'gen_ai.request.model': 'm',
  'gen_ai.request.max_tokens': 50,
  'gen_ai.request.temperature': 0.5,
  'gen_ai.response.finish_reasons': ['stop'],
  'gen_ai.usage.input_tokens': 100,
  'gen_ai.usage.output_tokens': 20,
  'gen_ai.usage.cache_read.input_tokens': 40,
  'switchyard.provider': 'house',
};

export interface Traced extends ServerProcess {
  readonly vendor: ScriptedVendor;
  readonly collector: Collector;
  chat(more?: object, headers?: Record<string, string>): ReturnType<typeof ask>;
  /** The spans that have come when those of so many requests are there. */
  spansOf(requests: number): Promise<readonly SentSpan[]>;
}

/** A server that sends to a collector, with a vendor, one that is down, and an agent with tools. */
export async function tracedServer(
  env: Record<string, string> = {},
  given: { readonly collector?: Collector; readonly fallback?: boolean } = {},
): Promise<Traced> {
  const vendor = await startVendor(answer);
  const broken = await startVendor((reply) => reply.json({ error: { message: 'down' } }, 503));
  const collector = given.collector ?? (await startCollector());
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-telemetry-'));
  const file = path.join(folder, 'switchyard.yaml');
  await writeFile(
    file,
    `providers:
  broken: { base_url: "${broken.baseUrl}", api_key: ${canaryKey} }
  house: { base_url: "${vendor.baseUrl}", api_key: ${canaryKey} }
models:
  who: { provider: house, model: m }
  either: { provider: broken, model: b, fallbacks: [who] }
default_model: who
prices:
  house/m: { prompt: 10, completion: 100 }
agents:
  helper:
    description: Helps.
    model: sandbox/parallel-tools
    instructions: Help.
    tools: [calculator]
`,
  );
  const running = await startServer({
    DATA_DIR: path.join(folder, 'data'),
    API_KEYS: tracedKey,
    SWITCHYARD_CONFIG: file,
    MAX_ATTEMPTS: '2',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-secret',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_METRIC_EXPORT_INTERVAL: '300',
    ...env,
  });
  onTestFinished(async () => {
    await running.end('SIGKILL');
    await Promise.all([vendor.close(), broken.close()]);
    await rm(folder, { recursive: true, force: true });
  });
  return {
    ...running,
    vendor,
    collector,
    chat: (more = {}, headers = {}) =>
      ask(`${running.url}/v1/chat`, { key: tracedKey, body: { message: 'Who asks?', ...more }, headers }),
    async spansOf(requests) {
      const ended = () => collector.spans.filter(({ kind }) => kind === server).length;
      await expect.poll(ended).toBeGreaterThanOrEqual(requests);
      return collector.spans;
    },
  };
}

export const only = (spans: readonly SentSpan[], kind: number) => spans.filter((span) => span.kind === kind);
