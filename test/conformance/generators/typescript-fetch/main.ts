/** Calls the server with the client that OpenAPI Generator makes for TypeScript. */
import {
  AgentsApi,
  ChatApi,
  type ChatRequest,
  Configuration,
  ErrorCode,
  ErrorResponseFromJSON,
  FactoryJobsApi,
  JobStatus,
  ResponseError,
} from './client';

declare const process: { env: Record<string, string> };

function expect(fits: boolean, value: unknown): void {
  if (!fits) throw new Error(`unexpected: ${JSON.stringify(value)}`);
}

// @ts-expect-error a chat has a message or messages, never both
export const both: ChatRequest = {
  model: 'gpt-4o',
  message: 'Hello',
  messages: [{ role: 'user', content: 'Hello' }],
};

async function main(): Promise<void> {
  const configuration = new Configuration({ accessToken: process.env.API_KEY, apiKey: process.env.API_KEY });
  const chat = new ChatApi(configuration);

  const message = { model: 'sandbox/echo', message: 'Hello' };
  const answer = await chat.createChat({ chatRequest: message });
  expect(answer.content === 'Hello' && answer.usage.totalTokens > 0, answer);

  const messages = [{ role: 'user' as const, content: 'Hello again' }];
  const second = await chat.createChat({ chatRequest: { model: 'sandbox/echo', messages } });
  expect(second.content === 'Hello again', second);

  const stream = await chat.streamChat({ chatStreamRequest: message });
  expect(stream.startsWith('event: start\n') && stream.includes('event: end\n'), stream);

  const builds = new FactoryJobsApi(configuration);
  const { id: jobId } = await builds.createFactoryJob({ jobRequest: { prompt: 'a packing list' } });
  await builds.streamFactoryJobEvents({ jobId });
  const { status, artifact } = await builds.getFactoryJob({ jobId });
  expect(status === JobStatus.JOB_STATUS_SUCCEEDED && Number(artifact?.bytes) > 0, status);

  const failure: unknown = await new AgentsApi(configuration)
    .getAgent({ agentId: 'nobody' })
    .catch((error) => error);
  if (!(failure instanceof ResponseError)) throw failure;
  const { error } = ErrorResponseFromJSON(await failure.response.json());
  expect(failure.response.status === 404 && error.code === ErrorCode.NotFound, error);
}

main();
