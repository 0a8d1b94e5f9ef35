/**
 * The floor: the least that any gateway in plain Node has to do for a chat. It reads the request,
 * builds the vendor's, parses the vendor's answer and writes ours; it checks, limits, logs and
 * retries nothing. What Switchyard reaches is quoted as a share of this.
 *
 * Alone: `node test/bench/floor.ts http://127.0.0.1:<vendor port> <port>`
 */

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Dispatcher, Pool } from 'undici';

/** As many as Switchyard keeps to one vendor. */
const VENDOR_CONNECTIONS = 64;

/** Idle connections live longer than any pause in a run, so that no pool meets a closing one. */
const KEEP_ALIVE_MS = 120_000;

interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly stream?: boolean;
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
}

interface Completion {
  readonly model: string;
  readonly choices: readonly [{ message: { content: string }; finish_reason: string }];
  readonly usage: Usage;
}

interface CompletionChunk {
  readonly model: string;
  readonly choices: readonly {
    readonly delta: { readonly role?: string; readonly content?: string };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: Usage | null;
}

const vendor = new Pool(process.argv[2] ?? 'http://127.0.0.1:9000', {
  connections: VENDOR_CONNECTIONS,
});
const vendorHeaders = { 'content-type': 'application/json', authorization: 'Bearer sk-bench' };

function askVendor(chat: ChatRequest): Promise<Dispatcher.ResponseData> {
  const body = JSON.stringify({
    model: chat.model,
    messages: chat.messages,
    temperature: chat.temperature ?? 0.7,
    max_completion_tokens: chat.maxTokens ?? 2048,
    ...(chat.stream && { stream: true, stream_options: { include_usage: true } }),
  });
  const path = '/v1/chat/completions';
  return vendor.request({ method: 'POST', path, headers: vendorHeaders, body });
}

const ourUsage = (usage: Usage) => ({
  prompt_tokens: usage.prompt_tokens,
  completion_tokens: usage.completion_tokens,
  total_tokens: usage.prompt_tokens + usage.completion_tokens,
  prompt_tokens_details: { cached_tokens: usage.prompt_tokens_details.cached_tokens },
  completion_tokens_details: { reasoning_tokens: usage.completion_tokens_details.reasoning_tokens },
  source: 'provider',
});

function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => resolve(Buffer.concat(chunks).toString()));
    request.once('error', reject);
  });
}

const newId = () => `chat-${randomUUID()}`;

async function replyWithJson(vendorReply: Dispatcher.ResponseData, response: ServerResponse) {
  const completion = (await vendorReply.body.json()) as Completion;
  const [choice] = completion.choices;
  const reply = JSON.stringify({
    id: newId(),
    model: completion.model,
    provider: 'openai',
    content: choice.message.content,
    finish_reason: choice.finish_reason,
    usage: ourUsage(completion.usage),
    warnings: [],
  });
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(reply),
  });
  response.end(reply);
}

async function replyWithEvents(vendorReply: Dispatcher.ResponseData, response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const send = (type: string, fields: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);

  let finishReason: string | null = null;
  const translate = (chunk: CompletionChunk) => {
    const choice = chunk.choices[0];
    finishReason = choice?.finish_reason ?? finishReason;
    if (choice?.delta.role)
      send('start', { id: newId(), model: chunk.model, provider: 'openai', warnings: [] });
    if (choice?.delta.content) send('delta', { content: choice.delta.content });
    if (chunk.usage) send('end', { finish_reason: finishReason, usage: ourUsage(chunk.usage) });
  };

  let text = '';
  for await (const piece of vendorReply.body.setEncoding('utf8')) {
    const events = (text + piece).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      if (event !== 'data: [DONE]') translate(JSON.parse(event.slice('data: '.length)));
    }
  }
  response.end();
}

async function chat(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const ask = JSON.parse(await readText(request)) as ChatRequest;
  const vendorReply = await askVendor(ask);
  await (ask.stream ? replyWithEvents : replyWithJson)(vendorReply, response);
}

const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
  chat(request, response).catch(() => response.destroy());
});
server.listen(Number(process.argv[3] ?? 0), '127.0.0.1');
