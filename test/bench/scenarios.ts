/**
 * What is measured. A scenario is a request in one or several dialects, and a reader that judges an answer: ours, which
 * the floor speaks too, and those of the vendors, for the native lanes and for peers. To measure one more thing, add an
 * entry to `SCENARIOS`.
 */

import { ANSWER, USAGE } from './answer.ts';
import { LONG_MARK, LONG_PIECES } from './vendor/answers.ts';

export type Dialect = 'switchyard' | 'openai' | 'anthropic' | 'gemini' | 'mcp';

export interface Dialogue {
  readonly path: (model: string) => string;
  readonly body: (model: string) => object;
  /** What is wrong with a complete answer; undefined when it is whole and right. */
  readonly fault: (answer: string) => string | undefined;
}

export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** Requests in flight at a time, each on a connection of its own. */
  readonly connections: number;
  readonly dialects: Readonly<Partial<Record<Dialect, Dialogue>>>;
  /** With how many keys in turn, on Switchyard; 1 if left out. */
  readonly keys?: number;
  /** At how many connections latencies are measured besides; none if left out. */
  readonly crowds?: readonly number[];
  /** Requests a second at which latencies are measured besides (open loop); none if left out. */
  readonly pace?: number;
}

interface Message {
  readonly role: string;
  readonly content: string;
}

const SHORT: readonly Message[] = [
  { role: 'system', content: 'You explain software to busy people. Be brief and concrete.' },
  { role: 'user', content: 'What does an AI gateway do, and what does it cost per request?' },
];

const LONG_ANSWER: readonly Message[] = [{ role: 'user', content: `Write an answer ${LONG_MARK}.` }];

/** 200 messages of 240 characters, as a coding agent sends them late in its work. */
const CONVERSATION: readonly Message[] = Array.from({ length: 200 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `${index}: ${'The quick brown fox jumps over the lazy dog, and does so again. '.repeat(4)}`.slice(
    0,
    240,
  ),
}));

const EVENT = /^(?:event: (.*)\r?\n)?(?:id: .*\r?\n)?data: (.*)$/gm;

/** The server-sent events of a whole answer; comments (heartbeats) are passed over. */
function* eventsIn(answer: string): Generator<{ event: string; data: string }> {
  for (const [, event = '', data = ''] of answer.matchAll(EVENT)) yield { event, data };
}

const different = (content: unknown, expected: string) =>
  content === expected
    ? undefined
    : `the content is not what the vendor sent, but ${JSON.stringify(String(content).slice(0, 100))}`;

type Messages = readonly Message[];

function ours(messages: Messages, stream: boolean, expected = ANSWER): Dialogue {
  return {
    path: () => '/v1/chat',
    body: (model) => ({ model, messages, temperature: 0.7, maxTokens: 400, ...(stream && { stream }) }),
    fault(answer) {
      if (!stream) {
        const { content, usage } = JSON.parse(answer);
        return usage?.total_tokens === USAGE.total_tokens
          ? different(content, expected)
          : 'the usage is wrong';
      }
      const events = [...eventsIn(answer)];
      const deltas = events
        .filter(({ event }) => event === 'delta')
        .map(({ data }) => JSON.parse(data).content);
      const last = events.at(-1)?.event;
      return last === 'end' ? different(deltas.join(''), expected) : `the stream ended with ${last}`;
    },
  };
}

function openAi(messages: Messages, stream: boolean, expected = ANSWER): Dialogue {
  return {
    path: () => '/v1/chat/completions',
    body: (model) => ({
      model,
      messages,
      temperature: 0.7,
      max_completion_tokens: 400,
      ...(stream && { stream, stream_options: { include_usage: true } }),
    }),
    fault(answer) {
      if (!stream) return different(JSON.parse(answer).choices[0]?.message?.content, expected);
      const events = [...eventsIn(answer)].map(({ data }) => data);
      if (events.pop() !== '[DONE]') return 'the stream has no end';
      const deltas = events.map((data) => JSON.parse(data).choices[0]?.delta?.content ?? '');
      return different(deltas.join(''), expected);
    },
  };
}

function anthropic(messages: Messages, stream: boolean): Dialogue {
  const [{ content: system } = { content: '' }, ...rest] = messages;
  return {
    path: () => '/v1/messages',
    body: (model) => ({ model, max_tokens: 400, system, messages: rest, ...(stream && { stream }) }),
    fault(answer) {
      if (!stream) return different(JSON.parse(answer).content[0]?.text, ANSWER);
      const events = [...eventsIn(answer)].map(({ data }) => JSON.parse(data));
      if (events.at(-1)?.type !== 'message_stop') return 'the stream has no end';
      return different(events.map(({ delta }) => delta?.text ?? '').join(''), ANSWER);
    },
  };
}

function gemini(messages: Messages, stream: boolean): Dialogue {
  const parts = messages.map(({ content }) => ({ role: 'user', parts: [{ text: content }] }));
  return {
    path: (model) =>
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: () => ({ contents: parts, generationConfig: { maxOutputTokens: 400 } }),
    fault(answer) {
      const replies = stream
        ? [...eventsIn(answer)].map(({ data }) => JSON.parse(data))
        : [JSON.parse(answer)];
      const text = replies.map(({ candidates }) => candidates[0].content.parts[0].text).join('');
      return different(text, ANSWER);
    },
  };
}

/** A call of a tool that takes and gives as much text as a chat. */
const toolCall: Dialogue = {
  path: () => '/mcp/tools',
  body: (name) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: { messages: SHORT, temperature: 0.7 } },
  }),
  fault(answer) {
    const { id, result } = JSON.parse(answer.replace(/^event: message\ndata: /, ''));
    return id === 1 ? different(result?.content[0]?.text, ANSWER) : 'the id is not that of the request';
  },
};

const all = (messages: Messages, stream: boolean) => ({
  switchyard: ours(messages, stream),
  openai: openAi(messages, stream),
  anthropic: anthropic(messages, stream),
  gemini: gemini(messages, stream),
});

const few = (messages: Messages, stream: boolean, expected?: string) => ({
  switchyard: ours(messages, stream, expected),
  openai: openAi(messages, stream, expected),
});

export const CHAT_AS_JSON = {
  name: 'json',
  title: 'Chat answered as JSON',
  connections: 32,
  crowds: [1, 4, 32],
  pace: 200,
  dialects: { ...all(SHORT, false), mcp: toolCall },
} as const satisfies Scenario;

export const SCENARIOS: readonly Scenario[] = [
  CHAT_AS_JSON,
  {
    name: 'stream',
    title: 'Chat answered as a stream',
    connections: 32,
    crowds: [1, 4, 32],
    pace: 100,
    dialects: all(SHORT, true),
  },
  {
    name: 'conversation',
    title: 'Conversations of 200 messages, 48 KB',
    connections: 32,
    dialects: few(CONVERSATION, false),
  },
  {
    name: 'long-stream',
    title: 'Streams of 1 MiB',
    connections: 8,
    dialects: few(LONG_ANSWER, true, LONG_PIECES.join('')),
  },
  {
    name: 'keys',
    title: '10,000 keys in turn',
    connections: 32,
    keys: 10_000,
    dialects: { switchyard: ours(SHORT, false) },
  },
  {
    name: 'connections',
    title: 'JSON over 512 connections',
    connections: 512,
    dialects: { switchyard: ours(SHORT, false), openai: openAi(SHORT, false) },
  },
];
