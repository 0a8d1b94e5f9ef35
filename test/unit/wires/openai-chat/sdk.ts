import OpenAI from 'openai';
import type { AnswerPart, Completion, CompletionEvent, Ending } from '../../../../src/models/port.ts';
import { noTokens } from '../../../../src/models/token-usage.ts';
import type { AnswerMeta, StreamWriter } from '../../../../src/wires/wire.ts';

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

/** An answer in pieces, as adapters stream it. */
export function* eventsOf({ parts, ...ending }: Completion): Generator<CompletionEvent> {
  let index = 0;
  for (const part of parts) {
    if (part.type === 'text') {
      for (const content of halves(part.text)) yield { type: 'delta', content };
      for (const citation of part.citations ?? []) yield { type: 'citation', citation };
    } else if (part.type === 'refusal') {
      for (const content of halves(part.text)) yield { type: 'refusal_delta', content };
    } else if (part.type === 'thinking') {
      for (const content of halves(part.text)) yield { type: 'thinking_delta', content };
      yield { type: 'thinking', part };
    } else {
      const { id, name, custom } = part;
      for (const piece of ['', ...halves(part.arguments)])
        yield {
          type: 'tool_call_delta',
          index,
          id,
          name,
          arguments: piece,
          ...(custom && { custom }),
        };
      yield { type: 'tool_call', index, toolCall: part };
      index += 1;
    }
  }
  yield { type: 'end', ...ending };
}

function halves(text: string): string[] {
  const middle = text.length >> 1;
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
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
