#!/usr/bin/env bash
# The Vercel AI SDK's provider for xAI, on the Responses interface: a whole answer that `max_output_tokens` cut short ends as `other`,
# while the same answer as a stream ends as `length`, since the whole one is judged by its `status`, `incomplete`, and not by its
# `incomplete_details`. An item of reasoning without `status`, which OpenAI leaves out of its own, makes a whole answer unreadable
# ("Invalid JSON response").
#
# Seen with @ai-sdk/xai 5.0.12, ai 7.0.173, Node.js 26.12.1, 2026-11-29.
# Expected output: for each answer how it ended.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --no-audit --no-fund --prefix . ai@7.0.173 @ai-sdk/xai@5.0.12
cat >ask.mjs <<'EOS'
import { createServer } from 'node:http';
import { createXai } from '@ai-sdk/xai';
import { generateText, streamText } from 'ai';

const text = { type: 'output_text', text: 'Once upon', annotations: [], logprobs: [] };
const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'incomplete', content: [text] };
const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [message] };
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'A tale.' }] };
const whole = { status: 'completed', incomplete_details: null, output: [reasoning, { ...message, status: 'completed' }] };
const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };

let answer = cut;
const server = createServer(async (request, reply) => {
  let body = '';
  for await (const piece of request) body += piece;
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'grok-4', usage, ...answer };
  if (!JSON.parse(body).stream) return reply.setHeader('content-type', 'application/json').end(JSON.stringify(response));
  const item = { ...message, content: [] };
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: text.text },
    { type: 'response.output_item.done', output_index: 0, item: message },
    { type: 'response.incomplete', response },
  ];
  reply.setHeader('content-type', 'text/event-stream');
  reply.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));

const xai = createXai({ baseURL: `http://127.0.0.1:${server.address().port}/v1`, apiKey: 'any' });
const asked = { model: xai.responses('grok-4'), prompt: 'Tell me a tale.', maxOutputTokens: 2, maxRetries: 0 };
console.log('cut short, whole:', (await generateText(asked)).finishReason);
console.log('cut short, stream:', await streamText(asked).finishReason);
answer = whole;
const ended = async () => {
  try {
    return (await generateText(asked)).finishReason;
  } catch (error) {
    return error.message;
  }
};
console.log('reasoning without status:', await ended());
reasoning.status = 'completed';
console.log('reasoning with status:', await ended());
server.close();
server.closeAllConnections();
EOS
cat >expected <<'EOS'
cut short, whole: other
cut short, stream: length
reasoning without status: Invalid JSON response
reasoning with status: stop
EOS
node ask.mjs | tee seen
diff expected seen || { echo 'CHANGED' && exit 1; }
