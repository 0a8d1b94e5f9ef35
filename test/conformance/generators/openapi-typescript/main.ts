/** Calls the server with openapi-fetch and the types that openapi-typescript makes. */
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

declare const process: { env: Record<string, string> };

function expect(fits: boolean, value: unknown): void {
  if (!fits) throw new Error(`unexpected: ${JSON.stringify(value)}`);
}

type ChatRequest = components['schemas']['ChatRequest'];
const message: ChatRequest = { model: 'sandbox/echo', message: 'Hello' };
const messages: ChatRequest = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello again' }] };
// @ts-expect-error a chat has a message or messages, never both
export const both: ChatRequest = {
  model: 'gpt-4o',
  message: 'Hello',
  messages: [{ role: 'user', content: 'Hello' }],
};

// Fields with a default may be left out.
const prompt = 'a packing list';
export const leftOut: [
  components['schemas']['JobRequest'],
  components['schemas']['DemoRequest'],
  components['schemas']['KeyRotation'],
  components['schemas']['SignupApproval'],
  components['schemas']['CreateTenantRequest'],
] = [{ prompt }, { prompt }, {}, {}, { id: 'acme', plan: 'free' }];

const client = createClient<paths>({
  baseUrl: process.env.SERVER_URL,
  headers: { Authorization: `Bearer ${process.env.API_KEY}` },
});

for (const [body, content] of [
  [message, 'Hello'],
  [messages, 'Hello again'],
] as const) {
  const { data, error } = await client.POST('/v1/chat', { body });
  if (!data) throw new Error(error.error.message);
  // Each of these is a type error where the reply is a union with a stream.
  expect(data.id.startsWith('chat-') && data.content === content && data.usage.total_tokens > 0, data);
}

const { data: stream } = await client.POST('/v1/chat/stream', {
  body: { message: 'Hello' },
  parseAs: 'stream',
});
if (!stream) throw new Error('no stream');
let text = '';
for await (const piece of stream.pipeThrough(new TextDecoderStream())) text += piece;
expect(text.startsWith('event: start\n') && text.includes('event: end\n'), text);
const last = text.trimEnd().split('\ndata: ').at(-1) ?? '';
const event = JSON.parse(last) as components['schemas']['ChatStreamEvent'];
expect(event.type === 'end' && event.usage.total_tokens > 0, event);

const headers = { 'X-API-Key': process.env.API_KEY };
const { data: job } = await client.POST('/api/v1/factory/jobs', { body: { prompt }, headers });
if (!job) throw new Error('no build');
const params = { path: { job_id: job.id } };
await client.GET('/api/v1/factory/jobs/{job_id}/events', { params, headers, parseAs: 'text' });
const { data: built } = await client.GET('/api/v1/factory/jobs/{job_id}', { params, headers });
expect(built?.status === 'succeeded' && Number(built.artifact?.bytes) > 0, built);

const { error, response } = await client.GET('/v1/agents/{agent_id}', {
  params: { path: { agent_id: 'nobody' } },
});
expect(response.status === 404 && error?.error.code === 'not_found', error);
