/** Calls the server with the clients that orval makes of fetch and axios, and holds the answers against the zod schemas that it makes. */
import type { AxiosError } from 'axios';
import {
  createChatNow,
  createFactoryJobNow,
  getAgentNow,
  getFactoryJobNow,
  streamChatNow,
  streamFactoryJobEventsNow,
} from './client/openapi/axios-functions';
import {
  createChat,
  createFactoryJob,
  getAgent,
  getFactoryJob,
  streamChat,
  streamFactoryJobEvents,
} from './client/openapi/fetch';
import type { ChatRequest, ErrorResponse } from './client/openapi/model';
import { CreateChatResponse, GetFactoryJobResponse } from './client/openapi/zod';

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
  const options = {
    headers: { Authorization: `Bearer ${process.env.API_KEY}`, 'X-API-Key': `${process.env.API_KEY}` },
  };
  for (const [body, content] of [
    [message, 'Hello'],
    [messages, 'Hello again'],
  ] as const) {
    const answer = await createChat(body, options);
    if (answer.status !== 200) throw new Error(answer.data.error.message);
    expect(answer.data.content === content && answer.data.usage.total_tokens > 0, answer.data);
    CreateChatResponse.parse(answer.data);
    const { data } = await createChatNow(body, options);
    expect(data.content === content && data.usage.total_tokens > 0, data);
    CreateChatResponse.parse(data);
  }

  const stream = await streamChat({ model: 'sandbox/echo', message: 'Hello' }, options);
  if (stream.status !== 200) throw new Error(stream.data.error.message);
  expect(stream.data.startsWith('event: start\n') && stream.data.includes('event: end\n'), stream.data);
  const { data } = await streamChatNow({ model: 'sandbox/echo', message: 'Hello' }, options);
  expect(data.startsWith('event: start\n') && data.includes('event: end\n'), data);

  const accepted = await createFactoryJob({ prompt: 'a packing list' }, options);
  if (accepted.status !== 202) throw new Error(accepted.data.error.message);
  await streamFactoryJobEvents(accepted.data.id, {}, options);
  const build = await getFactoryJob(accepted.data.id, options);
  if (build.status !== 200) throw new Error(`unexpected: ${build.status}`);
  const { data: job } = await createFactoryJobNow({ prompt: 'a packing list' }, options);
  await streamFactoryJobEventsNow(job.id, {}, options);
  for (const built of [build.data, (await getFactoryJobNow(job.id, options)).data]) {
    expect(built.status === 'succeeded' && Number(built.artifact?.bytes) > 0, built);
    GetFactoryJobResponse.parse(built);
  }

  const missing = await getAgent('nobody', options);
  if (missing.status !== 404) throw new Error(`unexpected: ${missing.status}`);
  expect(missing.data.error.code === 'not_found', missing.data);
  const failure = (await getAgentNow('nobody', options).catch((error) => error)) as AxiosError<ErrorResponse>;
  expect(failure.response?.status === 404 && failure.response.data.error.code === 'not_found', failure);
}

main();
