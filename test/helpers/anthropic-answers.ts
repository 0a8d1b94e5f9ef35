import Anthropic from '@anthropic-ai/sdk';
import type { Message } from '@anthropic-ai/sdk/resources/messages/messages';
import { anthropicWire } from '../../src/gateway/wires/anthropic/client/read.ts';
import type { AnswerMeta } from '../../src/gateway/wires/wire.ts';
import type { SealedThinking } from '../../src/model/parts.ts';
import type { AnswerPart, Completion, CompletionEvent, EndReason } from '../../src/model/port.ts';
import { noTokens } from '../../src/model/usage.ts';

const usage = {
  ...noTokens,
  inputUncached: 20,
  cacheRead: 2048,
  cacheWrite5m: 3,
  cacheWrite1h: 4,
  output: 50,
  reasoning: 8,
};
export const meta: AnswerMeta = {
  id: '01JAZ0000000000000000000AB',
  model: 'gpt-6',
  createdAt: 1_763_600_000,
  inputTokens: 2075,
  usage: () => usage,
};

/** A request whose client asked for thinking. */
export const plain = {
  model: 'gpt-6',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
} as const;
export const asked = anthropicWire.read({ ...plain, thinking: { type: 'adaptive' } });

export const sealed = (value: SealedThinking['value'], wire: SealedThinking['wire'] = 'openai-responses') =>
  ({ wire, provider: 'openai', model: 'gpt-6', value }) satisfies SealedThinking;
export const ended = (endReason: EndReason) =>
  ({ finishReason: endReason === 'tool_calls' ? 'tool_calls' : 'stop', endReason, usage: null }) as const;

export function answer(
  parts: readonly AnswerPart[],
  endReason: EndReason = 'stop',
  request = asked,
): Message {
  return request.answer({ parts, ...ended(endReason) }, meta) as Message;
}

export function written(events: readonly CompletionEvent[], request = asked): string {
  const writer = request.stream(meta);
  return writer.start() + events.map((event) => writer.take(event)).join('');
}

/** What the official client makes of a stream. */
export async function readBySdk(sse: string): Promise<Message> {
  const fetch = async () => new Response(sse, { headers: { 'content-type': 'text/event-stream' } });
  const client = new Anthropic({ apiKey: 'sk-test', fetch, maxRetries: 0 });
  const read = await client.messages.stream({ ...plain, messages: [] }).finalMessage();
  // A field of the client's own.
  const { parsed_output: _, ...message } = JSON.parse(JSON.stringify(read));
  return message;
}

/** The events of a whole answer, with its texts in two pieces each. */
export function eventsOf({ parts, ...end }: Completion): CompletionEvent[] {
  let index = 0;
  const events = parts.flatMap((part): CompletionEvent[] => {
    if (part.type === 'tool_call') return callEvents(part, index++);
    if (part.type === 'thinking')
      return [
        ...halves(part.text).map((content) => ({ type: 'thinking_delta', content }) as const),
        { type: 'thinking', part },
      ];
    const type = part.type === 'text' ? 'delta' : 'refusal_delta';
    const citations = part.type === 'text' ? (part.citations ?? []) : [];
    return [
      ...citations.map((citation) => ({ type: 'citation', citation }) as const),
      ...halves(part.text).map((content) => ({ type, content }) as const),
    ];
  });
  return [...events, { type: 'end', ...end }];
}

export function callEvents(
  toolCall: Extract<AnswerPart, { type: 'tool_call' }>,
  index: number,
): CompletionEvent[] {
  const { id, name } = toolCall;
  const pieces = ['', ...halves(toolCall.arguments)];
  return [
    ...pieces.map((piece) => ({ type: 'tool_call_delta', index, id, name, arguments: piece }) as const),
    { type: 'tool_call', index, toolCall },
  ];
}

const halves = (text: string) =>
  [text.slice(0, text.length / 2), text.slice(text.length / 2)].filter(Boolean);

export const message = {
  id: 'msg_01JAZ0000000000000000000AB',
  type: 'message',
  role: 'assistant',
  model: 'gpt-6',
  container: null,
  diagnostics: null,
  stop_sequence: null,
  stop_details: null,
};
export const usageOnWire = {
  input_tokens: 20,
  cache_creation_input_tokens: 7,
  cache_read_input_tokens: 2048,
  cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 4 },
  output_tokens: 50,
  output_tokens_details: { thinking_tokens: 8 },
  server_tool_use: null,
  inference_geo: null,
  service_tier: null,
  speed: null,
};

export const reasoning = { type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAAA/+=' };
export const parts: readonly AnswerPart[] = [
  { type: 'thinking', text: 'I look.', sealed: sealed(reasoning) },
  { type: 'thinking', text: '', sealed: sealed(reasoning) },
  {
    type: 'text',
    text: 'Let me look.',
    citations: [{ url: 'https://example.org', title: 'Example', citedText: 'Look!' }],
  },
  { type: 'tool_call', id: 'call_1', name: 'Read', arguments: '{"file_path":"/repo/ä"}' },
  { type: 'tool_call', id: 'functions.Bash:0', name: 'Bash', arguments: '{}' },
];

/** The events of calls, mixed; each call begins after the one before it. */
export function takingTurns(calls: CompletionEvent[][], picks: Iterator<number>): CompletionEvent[] {
  const mixed = calls.map((events) => events[0] as CompletionEvent);
  const left = calls.map((events) => events.slice(1));
  while (left.some((events) => events.length > 0)) {
    const [next] = left[picks.next().value % left.length]?.splice(0, 1) ?? [];
    if (next) mixed.push(next);
  }
  return mixed;
}
