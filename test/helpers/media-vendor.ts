import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI, { APIError, toFile } from 'openai';
import type { Batch } from 'openai/resources/batches';
import { expect, onTestFinished } from 'vitest';
import { appForThisTest, type TestApp, type TestAppOptions, testKey } from './app.ts';
import { providerOf } from './vendor-gateway.ts';

/** A request to a vendor that takes forms. */
export interface MediaRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Read by another parser than the server's. */
  form(): Promise<FormData>;
}

export interface MediaVendor {
  /** `http://127.0.0.1:port/v1` */
  readonly baseUrl: string;
  readonly requests: readonly MediaRequest[];
}

export type MediaScript = (request: MediaRequest, response: ServerResponse, index: number) => void;

/** A vendor of pictures and sound, which reads each request to its end first and is stopped when the test is over. */
export async function mediaVendorFor(script: MediaScript): Promise<MediaVendor> {
  const requests: MediaRequest[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { url = '', method = '', headers } = req;
    const request: MediaRequest = {
      method,
      path: url,
      headers,
      body,
      form: () =>
        new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData(),
    };
    requests.push(request);
    script(request, res, requests.length - 1);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };
}

export function replyJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** A file that batches are made of: a line for each request. */
export const batchLines = (url: string, ...bodies: object[]) =>
  bodies.map((body, n) => JSON.stringify({ custom_id: `c${n}`, method: 'POST', url, body })).join('\n');

const over = ['completed', 'failed', 'cancelled', 'expired'];

/** Begins a batch of a text that the sandbox keeps. */
export async function beginBatch(
  client: OpenAI,
  text: string,
  { endpoint = '/v1/chat/completions', ...options }: { endpoint?: string; headers?: object } = {},
): Promise<Batch> {
  const file = await client.files.create(
    { file: await toFile(Buffer.from(text), 'in.jsonl'), purpose: 'batch' },
    { query: { provider: 'sandbox' } },
  );
  const batch = { input_file_id: file.id, endpoint: endpoint as never, completion_window: '24h' as const };
  return client.batches.create(batch, options as object);
}

/** A batch when it has ended. */
export async function endOf(client: OpenAI, id: string, timeout = 60_000): Promise<Batch> {
  let batch: Batch | undefined;
  const status = async () => {
    batch = await client.batches.retrieve(id);
    return over.includes(batch.status);
  };
  await expect.poll(status, { timeout, interval: 100 }).toBe(true);
  return batch as Batch;
}

/** The results in a file; none without one. */
export async function resultsIn(client: OpenAI, fileId: string | null | undefined) {
  if (!fileId) return [];
  const text = await (await client.files.content(fileId)).text();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BatchResultLine);
}

export interface BatchResultLine {
  readonly custom_id: string;
  readonly response: { readonly status_code: number; readonly body: Record<string, unknown> } | null;
  readonly error: { readonly code: string } | null;
}

export interface HoldingVendor extends MediaVendor {
  /** What it was asked, in order. */
  readonly asked: readonly string[];
  /** Answers what waits, and from now on at once. */
  release(): void;
}

/** A vendor of chats that answers those at once whose text begins with `now`, and all others on command. */
export async function holdingVendor(): Promise<HoldingVendor> {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  let held = true;
  const vendor = await mediaVendorFor((request, response) => {
    const { messages } = JSON.parse(String(request.body)) as { messages: { content: string }[] };
    const text = messages[0]?.content ?? '';
    asked.push(text);
    const answer = () =>
      replyJson(response, {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: 'gpt-4o',
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: `To ${text}` } }],
        usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
      });
    if (held && !text.startsWith('now')) waiting.push(answer);
    else answer();
  });
  return {
    ...vendor,
    asked,
    release() {
      held = false;
      for (const answer of waiting.splice(0)) answer();
    },
  };
}

/** Requests for chats, with these texts. */
export const chats = (...texts: string[]) =>
  batchLines(
    '/v1/chat/completions',
    ...texts.map((content) => ({ model: 'gpt-4o', messages: [{ role: 'user', content }] })),
  );

/** The official client of OpenAI, which asks once. */
export const clientOf = ({ url }: { readonly url: string }, apiKey = testKey): OpenAI =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });

/** How the server refuses. Throws where it does not. */
export async function refusalOf(promise: Promise<unknown>): Promise<APIError> {
  const thrown: unknown = await promise.then(
    (value) => new Error(`It did not fail but gave ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (thrown instanceof APIError) return thrown;
  throw thrown;
}

/** The tokens of prompts that the tenant of the test keys has used today. */
export async function promptTokens({ url }: { readonly url: string }): Promise<number> {
  const reply = await fetch(`${url}/v1/usage`, { headers: { authorization: `Bearer ${testKey}` } });
  const { total } = (await reply.json()) as { total: { prompt_tokens: number } };
  return total.prompt_tokens;
}

/** Models of a vendor that has all of OpenAI's interface. */
const mediaPatterns = ['gpt-*', 'whisper-*', 'tts-*', 'omni-moderation-*'];

/** A server before such a vendor, and a client of it. */
export async function mediaVendor(script: MediaScript, options: TestAppOptions = {}, maxAttempts = 1) {
  const vendor = await mediaVendorFor(script);
  const app = await appForThisTest({
    ...options,
    models: {
      providers: [
        providerOf('openai', vendor.baseUrl, {
          speaks: ['openai-chat', 'openai-responses'],
          patterns: mediaPatterns,
        }),
      ],
      aliases: { ears: 'openai/gpt-4o-transcribe', eyes: 'openai/gpt-image-1' },
      maxAttempts,
    },
  });
  return { vendor, app, client: clientOf(app) };
}

/** What the server keeps of a request. */
export async function requestOf(app: TestApp, requestId: string | null | undefined) {
  const reply = await fetch(`${app.url}/v1/requests/${requestId}`, {
    headers: { authorization: `Bearer ${testKey}` },
  });
  return (await reply.json()) as Record<string, unknown>;
}

export async function contentOf(part: File | string | null | undefined): Promise<Buffer> {
  return part instanceof File ? Buffer.from(await part.arrayBuffer()) : Buffer.alloc(0);
}

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
