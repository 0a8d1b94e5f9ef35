/**
 * The mock vendor: `POST /v1/chat/completions` as OpenAI answers it, byte for byte in form,
 * at no cost to speak of: every reply is prepared before the first request arrives.
 *
 * Alone: `node scripts/bench/vendor.ts [port]`
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { ANSWER, ANSWER_PIECES, FINISH_REASON, USAGE } from './answer.ts';
import { readText, serve } from './serve.ts';

interface ChatRequest {
  readonly model?: unknown;
  readonly messages?: unknown;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
}

const ID = 'chatcmpl-CkQ3v8mXr2Lb7TzNf5WdYp1HsJc4u';
const CREATED = 1_765_180_800;
const MODEL = 'gpt-4o-2024-08-06';
const FINGERPRINT = 'fp_a7d06e42a7';

/** The headers OpenAI sends with every answer; parsing them is part of a proxy's work. */
const HEADERS = {
  'openai-organization': 'bench',
  'openai-processing-ms': '412',
  'openai-version': '2020-10-01',
  'x-ratelimit-limit-requests': '10000',
  'x-ratelimit-limit-tokens': '30000000',
  'x-ratelimit-remaining-requests': '9999',
  'x-ratelimit-remaining-tokens': '29999950',
  'x-ratelimit-reset-requests': '6ms',
  'x-ratelimit-reset-tokens': '0s',
  'x-request-id': 'req_6f0c2d9ab14e4f7d8c35e9017ab2d468',
} as const;

/** OpenAI indents its JSON answers by two and ends them with a newline. */
const COMPLETION = Buffer.from(
  `${JSON.stringify(
    {
      id: ID,
      object: 'chat.completion',
      created: CREATED,
      model: MODEL,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: ANSWER, refusal: null, annotations: [] },
          logprobs: null,
          finish_reason: FINISH_REASON,
        },
      ],
      usage: USAGE,
      service_tier: 'default',
      system_fingerprint: FINGERPRINT,
    },
    null,
    2,
  )}\n`,
);

const JSON_HEADERS = {
  ...HEADERS,
  'content-type': 'application/json',
  'content-length': COMPLETION.length,
};
const STREAM_HEADERS = {
  ...HEADERS,
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
};

/** Chunks say `usage: null` only when usage was asked for; then a last one without choices has it. */
function eventsOf(includeUsage: boolean): readonly Buffer[] {
  const usage = includeUsage ? { usage: null } : {};
  const chunk = (rest: object) => {
    const envelope = { id: ID, object: 'chat.completion.chunk', created: CREATED, model: MODEL };
    const tier = { service_tier: 'default', system_fingerprint: FINGERPRINT };
    return `data: ${JSON.stringify({ ...envelope, ...tier, ...rest })}\n\n`;
  };
  const choice = (delta: object, finishReason: string | null, index: number) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
    return chunk({ choices, ...usage, obfuscation: 'q8VbT3xNzR5mKd0'.slice(index % 15) });
  };
  const events = [
    choice({ role: 'assistant', content: '', refusal: null }, null, 0),
    ...ANSWER_PIECES.map((content, piece) => choice({ content }, null, piece + 1)),
    choice({}, FINISH_REASON, ANSWER_PIECES.length + 1),
    ...(includeUsage ? [chunk({ choices: [], usage: USAGE, obfuscation: '' })] : []),
    'data: [DONE]\n\n',
  ];
  return events.map((event) => Buffer.from(event));
}

const EVENTS = eventsOf(false);
const EVENTS_WITH_USAGE = eventsOf(true);

/** One write to the socket per event, as tokens arrive from a model, but without the waiting. */
async function stream(events: readonly Buffer[], response: ServerResponse): Promise<void> {
  response.writeHead(200, STREAM_HEADERS);
  for (const event of events) {
    if (response.destroyed) return;
    response.write(event);
    // Node joins what one turn of the event loop writes; a turn each keeps the events apart.
    await setImmediate();
  }
  response.end();
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const error = { message, type: 'invalid_request_error', param: null, code: null };
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify({ error }, null, 2)}\n`);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await readText(request);
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    return refuse(response, 404, `Invalid URL (${request.method} ${request.url})`);
  }
  if (!request.headers.authorization?.startsWith('Bearer ')) {
    return refuse(response, 401, "You didn't provide an API key.");
  }
  const body = JSON.parse(text) as ChatRequest;
  if (typeof body.model !== 'string' || !Array.isArray(body.messages)) {
    return refuse(response, 400, "Missing required parameter: 'model' or 'messages'.");
  }
  if (body.stream) {
    return stream(body.stream_options?.include_usage ? EVENTS_WITH_USAGE : EVENTS, response);
  }
  response.writeHead(200, JSON_HEADERS).end(COMPLETION);
}

serve(
  (request, response) => {
    answer(request, response).catch((error: Error) => refuse(response, 400, error.message));
  },
  Number(process.argv[2] ?? 0),
);
