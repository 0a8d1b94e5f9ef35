/** Calls the server with the endpoints that the code generator of RTK Query adds to the API that is made here. */
import { configureStore } from '@reduxjs/toolkit';
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';
import type { ChatRequest } from './client/openapi';

declare const process: { env: Record<string, string> };

function expect(fits: boolean, value: unknown): void {
  if (!fits) throw new Error(`unexpected: ${JSON.stringify(value)}`);
}

export const api = createApi({
  endpoints: () => ({}),
  baseQuery: fetchBaseQuery({
    baseUrl: process.env.SERVER_URL,
    // Its endpoints have headers of their own, which replace `headers` of the base.
    prepareHeaders: (headers) => {
      headers.set('Authorization', `Bearer ${process.env.API_KEY}`);
      headers.set('X-API-Key', `${process.env.API_KEY}`);
    },
    responseHandler: 'content-type',
  }),
});

const message: ChatRequest = { model: 'sandbox/echo', message: 'Hello' };
const messages: ChatRequest = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello again' }] };
// @ts-expect-error a chat has a message or messages, never both
export const both: ChatRequest = {
  model: 'gpt-4o',
  message: 'Hello',
  messages: [{ role: 'user', content: 'Hello' }],
};

async function main(): Promise<void> {
  // Only now, as what is made imports the API from here.
  const { endpoints } = (await import('./client/openapi')).made;
  const { dispatch } = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (middleware) => middleware().concat(api.middleware),
  });
  for (const [chatRequest, content] of [
    [message, 'Hello'],
    [messages, 'Hello again'],
  ] as const) {
    const answer = await dispatch(endpoints.createChat.initiate({ chatRequest })).unwrap();
    expect(answer.content === content && answer.usage.total_tokens > 0, answer);
  }

  const chatStreamRequest = { model: 'sandbox/echo', message: 'Hello' };
  const stream = await dispatch(endpoints.streamChat.initiate({ chatStreamRequest })).unwrap();
  expect(stream.startsWith('event: start\n') && stream.includes('event: end\n'), stream);

  const jobRequest = { prompt: 'a packing list' };
  const { id: jobId } = await dispatch(endpoints.createFactoryJob.initiate({ jobRequest })).unwrap();
  await dispatch(endpoints.streamFactoryJobEvents.initiate({ jobId })).unwrap();
  const built = await dispatch(endpoints.getFactoryJob.initiate({ jobId })).unwrap();
  expect(built.status === 'succeeded' && Number(built.artifact?.bytes) > 0, built);

  const { error } = await dispatch(endpoints.getAgent.initiate({ agentId: 'nobody' }));
  const failure = error as { status: number; data: { error: { code: string } } };
  expect(failure.status === 404 && failure.data.error.code === 'not_found', failure);
}

main();
