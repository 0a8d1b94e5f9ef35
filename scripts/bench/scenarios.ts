/**
 * What is measured. A scenario is a name, a request, and a reader that judges the answer; request
 * and reader come in two dialects, ours (which the floor speaks too) and OpenAI's (for a peer).
 * To measure one more thing, add an entry to `SCENARIOS`.
 */

import { ANSWER, USAGE } from './answer.ts';

export type Dialect = 'switchyard' | 'openai';

export interface Reader {
  /** What is wrong with a complete answer; undefined when it is whole and right. */
  readonly fault: (answer: string) => string | undefined;
  /** Text that only stands in an answer once its first piece of content has arrived. */
  readonly firstDelta?: string;
}

export interface Dialogue {
  readonly path: string;
  /** Made anew for each request; without it all requests are the same. */
  readonly fresh?: (number: number) => {
    readonly body: object;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly body: (model: string) => object;
  readonly reader: Reader;
}

export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** Requests in flight at a time, each on a connection of its own. */
  readonly connections: number;
  readonly dialects: Readonly<Partial<Record<Dialect, Dialogue>>>;
  /** Whether only Switchyard does this, so that there is nothing to compare with. */
  readonly alone?: boolean;
}

const MESSAGES = [
  { role: 'system', content: 'You explain software to busy people. Be brief and concrete.' },
  { role: 'user', content: 'What does an AI gateway do, and what does it cost per request?' },
];

/** Short enough to lie within the first piece of any stream. */
const FIRST_WORDS = 'A gateway';

const EVENT = /^(?:event: (.*)\n)?(?:id: .*\n)?data: (.*)$/gm;

const ourBody = (model: string) => ({
  model,
  messages: MESSAGES,
  temperature: 0.7,
  maxTokens: 400,
});

const openAiBody = (model: string) => ({
  model,
  messages: MESSAGES,
  temperature: 0.7,
  max_completion_tokens: 400,
});

const contentFault = (content: unknown) =>
  content === ANSWER ? undefined : `content is not what the vendor sent: ${String(content)}`;

interface OurReply {
  readonly content?: unknown;
  readonly usage?: { readonly total_tokens?: number };
}

function ourJsonFault(answer: string): string | undefined {
  const reply = JSON.parse(answer) as OurReply;
  const total = reply.usage?.total_tokens;
  if (total !== USAGE.total_tokens) return `usage.total_tokens is ${total}`;
  return contentFault(reply.content);
}

function ourStreamFault(answer: string): string | undefined {
  let content = '';
  let last = '';
  for (const { event, data } of eventsIn(answer)) {
    if (event === 'delta') content += (JSON.parse(data) as { content: string }).content;
    last = event;
  }
  return last === 'end' ? contentFault(content) : `the stream ended with "${last}"`;
}

interface OpenAiReply {
  readonly choices: readonly {
    readonly message?: { readonly content: string };
    readonly delta?: { readonly content?: string };
  }[];
}

function openAiJsonFault(answer: string): string | undefined {
  const reply = JSON.parse(answer) as OpenAiReply;
  return contentFault(reply.choices[0]?.message?.content);
}

function openAiStreamFault(answer: string): string | undefined {
  let content = '';
  let last = '';
  for (const { data } of eventsIn(answer)) {
    if (data !== '[DONE]') {
      const chunk = JSON.parse(data) as OpenAiReply;
      content += chunk.choices[0]?.delta?.content ?? '';
    }
    last = data;
  }
  return last === '[DONE]' ? contentFault(content) : `the stream ended with ${last}`;
}

/** The server-sent events of a whole answer; comments (heartbeats) are passed over. */
function* eventsIn(answer: string): Generator<{ event: string; data: string }> {
  for (const [, event = '', data = ''] of answer.matchAll(EVENT)) yield { event, data };
}

export const CHAT_AS_JSON = {
  name: 'chat-json',
  title: 'Chat answered as JSON',
  connections: 16,
  dialects: {
    switchyard: {
      path: '/v1/chat',
      body: ourBody,
      reader: { fault: ourJsonFault },
    },
    openai: {
      path: '/chat/completions',
      body: openAiBody,
      reader: { fault: openAiJsonFault },
    },
  },
} as const satisfies Scenario;

export const CHAT_AS_STREAM: Scenario = {
  name: 'chat-stream',
  title: 'Chat answered as a stream',
  connections: 8,
  dialects: {
    switchyard: {
      path: '/v1/chat',
      body: (model) => ({ ...ourBody(model), stream: true }),
      reader: { fault: ourStreamFault, firstDelta: FIRST_WORDS },
    },
    openai: {
      path: '/chat/completions',
      body: (model) => ({
        ...openAiBody(model),
        stream: true,
        stream_options: { include_usage: true },
      }),
      reader: { fault: openAiStreamFault, firstDelta: FIRST_WORDS },
    },
  },
};

interface BuildEvent {
  readonly seq: number | null;
  readonly final?: true;
  readonly type: string;
}

function buildFault(answer: string): string | undefined {
  const events = [...eventsIn(answer)].map(({ data }) => JSON.parse(data) as BuildEvent);
  const stored = events.filter(({ seq }) => seq !== null);
  if (stored.some(({ seq }, index) => seq !== index + 1)) return 'the events have gaps';
  const last = events.at(-1);
  return last?.type === 'job.succeeded' ? undefined : `the stream ended with "${last?.type}"`;
}

const PROMPTS = [
  'an expense tracker',
  'kanban board',
  'a quiz about rivers',
  'pomodoro timer',
  'portfolio for Ana',
];

/** Each build comes from another address, as the demo lets one address have 3 in 5 minutes. */
export const DEMO_BUILD: Scenario = {
  name: 'demo-build',
  title: 'Builds of the demo; first byte: the first event, first delta: the plan',
  connections: 4,
  alone: true,
  dialects: {
    switchyard: {
      path: '/api/factory/public-demo',
      body: () => ({}),
      fresh: (number) => ({
        body: { prompt: `${PROMPTS[number % PROMPTS.length]} ${number}` },
        headers: { 'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` },
      }),
      reader: { fault: buildFault, firstDelta: '"plan.ready"' },
    },
  },
};

/** Builds come last: what they leave in memory is no part of what chat takes. */
export const SCENARIOS: readonly Scenario[] = [CHAT_AS_JSON, CHAT_AS_STREAM, DEMO_BUILD];
