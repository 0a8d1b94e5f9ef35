import OpenAI from 'openai';
import type { AnswerMeta, StreamWriter } from '../../../../../../src/gateway/wires/wire.ts';
import type { AnswerPart, Completion, Ending } from '../../../../../../src/model/port.ts';
import { noTokens } from '../../../../../../src/model/usage.ts';
import { eventsOf } from '../../../../../helpers/answer-events.ts';

export const usage = {
  ...noTokens,
  inputUncached: 21,
  cacheRead: 8,
  cacheWrite5m: 6,
  output: 11,
  reasoning: 3,
};

export const meta: AnswerMeta = {
  id: '01K2ABCDEFGHJKMNPQRSTVWXYZ',
  model: 'claude-sonnet-4-6',
  createdAt: 1_763_600_000,
  inputTokens: 35,
  usage: () => usage,
};

export function completion(parts: readonly AnswerPart[], ending: Partial<Ending> = {}): Completion {
  const finishReason =
    ending.finishReason ?? (parts.some(({ type }) => type === 'tool_call') ? 'tool_calls' : 'stop');
  return { parts, finishReason, endReason: finishReason, usage, ...ending };
}

/** The whole stream of an answer. */
export function written(writer: StreamWriter, answer: Completion): string {
  return writer.start() + [...eventsOf(answer)].map((event) => writer.take(event)).join('');
}

/** OpenAI's own client, which gets this body as its reply. */
export function sdkThatGets(body: string | object, status = 200): OpenAI {
  const streamed = typeof body === 'string';
  return new OpenAI({
    apiKey: 'sk-test',
    maxRetries: 0,
    fetch: () =>
      Promise.resolve(
        new Response(streamed ? body : JSON.stringify(body), {
          status,
          headers: { 'content-type': streamed ? 'text/event-stream' : 'application/json' },
        }),
      ),
  });
}
