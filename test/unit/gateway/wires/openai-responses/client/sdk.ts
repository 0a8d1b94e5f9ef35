import OpenAI from 'openai';
import type { ResponseStreamEvent, Response as SdkResponse } from 'openai/resources/responses/responses';
import { openAiResponsesWire } from '../../../../../../src/gateway/wires/openai-responses/client/wire.ts';
import type { AnswerMeta, Body } from '../../../../../../src/gateway/wires/wire.ts';
import type { AnswerPart, Completion, CompletionEvent } from '../../../../../../src/model/port.ts';
import { noTokens, tokenUsage } from '../../../../../../src/model/usage.ts';

export const id = '01JD8Z0000000000000000TEST';

export const usage = tokenUsage({
  ...noTokens,
  inputUncached: 20,
  cacheRead: 30,
  cacheWrite5m: 5,
  output: 9,
  reasoning: 4,
});

export const meta: AnswerMeta = {
  id,
  model: 'claude-sonnet-4-6',
  createdAt: 1_763_800_000,
  inputTokens: 50,
  usage: () => usage,
};

export function completion(parts: readonly AnswerPart[], more: Partial<Completion> = {}): Completion {
  return { parts, finishReason: 'stop', endReason: 'stop', usage, ...more };
}

/** The bytes of a streamed answer to a request. */
export function written(body: Body, events: Iterable<CompletionEvent>, given: AnswerMeta = meta): string {
  const writer = openAiResponsesWire.read(body).stream(given);
  return writer.start() + [...events].map((event) => writer.take(event)).join('');
}

/** The parsed events of a stream; checks that each is named as its type and that they are numbered. */
export function parsed(sse: string): ResponseStreamEvent[] {
  const blocks = sse.split('\n\n');
  if (blocks.pop() !== '') throw new Error('The stream does not end with a blank line.');
  return blocks.map((block, index) => {
    const [, name, data] = /^event: (\S+)\ndata: ([^\n\r]*)$/.exec(block) ?? [];
    const event = JSON.parse(data ?? 'null') as ResponseStreamEvent;
    if (event.type !== name || event.sequence_number !== index)
      throw new Error(`Event ${index} is wrong: ${block}`);
    return event;
  });
}

/** What the official SDK makes of a stream. */
export async function bySdk(sse: string): Promise<SdkResponse> {
  const client = new OpenAI({
    apiKey: 'none',
    baseURL: 'http://vendor.test/v1',
    maxRetries: 0,
    fetch: async () => new Response(sse, { headers: { 'content-type': 'text/event-stream' } }),
  });
  return await client.responses.stream({ model: 'any', input: 'any' }).finalResponse();
}
