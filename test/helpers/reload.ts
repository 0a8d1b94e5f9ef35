import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { ScriptedVendor, VendorReply, VendorScript } from '../lib/vendor.ts';
import { ask } from './http.ts';
import { startServer } from './server-process.ts';
import { canaryKey } from './vendor-gateway.ts';

export const key = 'key-of-the-tests-of-reloads';
export const adminPassword = 'a password of tests';

/** Answers each chat with its own name; a stream stops in its middle until released. */
export function vendorNamed(name: string, middle: Promise<void> = Promise.resolve()): VendorScript {
  return async (reply) => {
    if (reply.request.json['stream'] === true) return streamOf(reply, name, middle);
    reply.json({
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: name }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });
  };
}

async function streamOf(reply: VendorReply, name: string, middle: Promise<void>): Promise<void> {
  const piece = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  reply.eventStream();
  reply.chunk(piece({ role: 'assistant', content: `${name} begins` }));
  await middle;
  reply.chunk(piece({ content: ` and ${name} ends` }));
  reply.chunk(piece({}, 'stop'));
  reply.chunk('data: [DONE]\n\n');
  reply.lastChunk();
}

interface Setup {
  readonly url: string;
  readonly log: () => string;
  write(text: string): Promise<void>;
  remove(): Promise<void>;
  writeKey(text: string): Promise<void>;
  signal(): void;
  reload(): ReturnType<typeof ask>;
  shown(): ReturnType<typeof ask>;
  chat(): Promise<string>;
}

/** A server in a process of its own, with that text as its configuration file and more settings. */
export async function serverWith(text: string | null, more: Record<string, string> = {}): Promise<Setup> {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-reload-'));
  const file = path.join(folder, 'switchyard.yaml');
  const keyFile = path.join(folder, 'vendor-key');
  if (text !== null) await writeFile(file, text);
  await writeFile(keyFile, `${canaryKey}\n`);
  const server = await startServer({
    DATA_DIR: path.join(folder, 'data'),
    API_KEYS: key,
    ADMIN_PASSWORD: adminPassword,
    VENDOR_KEY_FILE: keyFile,
    ...(text !== null && { SWITCHYARD_CONFIG: file }),
    ...more,
  });
  onTestFinished(async () => {
    await server.end('SIGTERM');
    await rm(folder, { recursive: true });
  });
  const { url } = server;
  return {
    url,
    log: server.output,
    write: (changed) => writeFile(file, changed),
    remove: () => rm(file),
    writeKey: (changed) => writeFile(keyFile, changed),
    signal: () => void process.kill(server.pid, 'SIGHUP'),
    reload: () => ask(`${url}/api/admin/config/reload`, { method: 'POST', key: adminPassword }),
    shown: () => ask(`${url}/api/admin/config`, { key: adminPassword }),
    async chat() {
      const { status, json } = await ask(`${url}/v1/chat`, { key, body: { message: 'Who?' } });
      return status === 200 ? json.content : `${status} ${JSON.stringify(json)}`;
    },
  };
}

/** A configuration file with one model, of that vendor. */
export function fileFor(vendor: Pick<ScriptedVendor, 'baseUrl'>, more = ''): string {
  return `providers:
  house: { base_url: "${vendor.baseUrl}", api_key: "\${VENDOR_KEY}" }
models:
  who: { provider: house, model: m }
default_model: who
${more}`;
}
