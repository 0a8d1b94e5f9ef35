/** Calls the server with the client that kubb makes for axios, and holds the answer against its zod schemas. */
import type { AxiosError } from 'axios';
import { createChat } from './client/openapi/clients/createChat';
import { createFactoryJob } from './client/openapi/clients/createFactoryJob';
import { getAgent } from './client/openapi/clients/getAgent';
import { getFactoryJob } from './client/openapi/clients/getFactoryJob';
import { streamChat } from './client/openapi/clients/streamChat';
import { streamFactoryJobEvents } from './client/openapi/clients/streamFactoryJobEvents';
import type { ChatRequest } from './client/openapi/types/ChatRequest';
import type { ErrorResponse } from './client/openapi/types/ErrorResponse';
import { chatResponseSchema } from './client/openapi/zod/chatResponseSchema';
import { factoryJobSchema } from './client/openapi/zod/factoryJobSchema';

declare const process: { env: Record<string, string> };

function expect(fits: boolean, value: unknown): void {
  if (!fits) throw new Error(`unexpected: ${JSON.stringify(value)}`);
}

const message: ChatRequest = { model: 'sandbox/echo', message: 'Hello' };
const messages: ChatRequest = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello again' }] };
// @ts-expect-error a chat has a message or messages, never both
export const both: ChatRequest = {
  model: 'gpt-4o',
  message: 'Hello',
  messages: [{ role: 'user', content: 'Hello' }],
};

async function main(): Promise<void> {
  const config = {
    baseURL: process.env.SERVER_URL,
    headers: { Authorization: `Bearer ${process.env.API_KEY}`, 'X-API-Key': process.env.API_KEY },
  };
  for (const [body, content] of [
    [message, 'Hello'],
    [messages, 'Hello again'],
  ] as const) {
    const { data: answer } = await createChat(body, undefined, config);
    expect(answer.content === content && answer.usage.total_tokens > 0, answer);
    chatResponseSchema.parse(answer);
  }

  const { data: stream } = await streamChat({ model: 'sandbox/echo', message: 'Hello' }, undefined, config);
  expect(stream.startsWith('event: start\n') && stream.includes('event: end\n'), stream);

  const { data: job } = await createFactoryJob({ prompt: 'a packing list' }, undefined, config);
  await streamFactoryJobEvents(job.id, undefined, undefined, config);
  const { data: built } = await getFactoryJob(job.id, undefined, config);
  expect(built.status === 'succeeded' && Number(built.artifact?.bytes) > 0, built);
  factoryJobSchema.parse(built);

  const failure = (await getAgent('nobody', config).catch((error) => error)) as AxiosError<ErrorResponse>;
  expect(failure.response?.status === 404 && failure.response.data.error.code === 'not_found', failure);
}

main();
