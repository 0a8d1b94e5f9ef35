/** How clients of each interface ask for a text and read the answer, as far as the checks with real models need it. */
import type { Ask } from '../helpers/http.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies of other people's interfaces, whose shape their SDKs know.
type Json = any;

/** What is asked for, at temperature 0. */
export interface Asked {
  readonly text: string;
  readonly maxTokens: number;
  /** A JSON Schema that the answer has to follow. */
  readonly schema?: object;
}

export interface Read {
  readonly text: string;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

export interface ModelClient {
  readonly name: string;
  path(model: string, streamed: boolean): string;
  body(model: string, asked: Asked, streamed: boolean): object;
  read(reply: Json): Read;
  /** Of the events of a stream. */
  readStream(events: readonly Json[]): Read;
  /** What a whole stream ends with, and one that broke off does not. */
  readonly end: RegExp;
  /** What an error looks like, as the status of a reply or in a stream. */
  readonly error: RegExp;
  /** By what clients know that a conversation is too long. */
  readonly tooLong: RegExp;
}

const joined = (pieces: readonly unknown[]) => pieces.filter((piece) => typeof piece === 'string').join('');
const openAiUsage = (usage: Json) => ({
  promptTokens: usage?.prompt_tokens ?? null,
  completionTokens: usage?.completion_tokens ?? null,
});
const inAndOut = (usage: Json) => ({
  promptTokens: usage?.input_tokens ?? null,
  completionTokens: usage?.output_tokens ?? null,
});
const schemaFormat = (schema: object | undefined) =>
  schema && {
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
  };
const user = (text: string) => [{ role: 'user', content: text }];
const streaming = { stream: true, stream_options: { include_usage: true } };

const own: ModelClient = {
  name: 'chat',
  path: (_, streamed) => (streamed ? '/v1/chat/stream' : '/v1/chat'),
  body: (model, { text, maxTokens, schema }) => ({
    model,
    messages: user(text),
    temperature: 0,
    maxTokens,
    ...schemaFormat(schema),
  }),
  read: ({ content, usage }) => ({ text: content, ...openAiUsage(usage) }),
  readStream: (events) => ({
    text: joined(events.map(({ type, content }) => type === 'delta' && content)),
    ...openAiUsage(events.find(({ type }) => type === 'end')?.usage),
  }),
  end: /"type":"end"/,
  error: /"error":\{"code":"\w+"/,
  tooLong: /exceeds the available context size/,
};

const chatCompletions: ModelClient = {
  name: 'chat completions',
  path: () => '/v1/chat/completions',
  body: (model, { text, maxTokens, schema }, streamed) => ({
    model,
    messages: user(text),
    temperature: 0,
    max_tokens: maxTokens,
    ...schemaFormat(schema),
    ...(streamed && streaming),
  }),
  read: ({ choices, usage }) => ({ text: choices[0].message.content, ...openAiUsage(usage) }),
  readStream: (events) => ({
    text: joined(events.map(({ choices }) => choices?.[0]?.delta?.content)),
    ...openAiUsage(events.findLast(({ usage }) => usage)?.usage),
  }),
  end: /data: \[DONE\]/,
  error: /"error":\{/,
  tooLong: /"context_length_exceeded"/,
};

const completions: ModelClient = {
  ...chatCompletions,
  name: 'completions',
  path: () => '/v1/completions',
  body: (model, { text, maxTokens }, streamed) => ({
    model,
    prompt: text,
    temperature: 0,
    max_tokens: maxTokens,
    ...(streamed && streaming),
  }),
  read: ({ choices, usage }) => ({ text: choices[0].text, ...openAiUsage(usage) }),
  readStream: (events) => ({
    text: joined(events.map(({ choices }) => choices?.[0]?.text)),
    ...openAiUsage(events.findLast(({ usage }) => usage)?.usage),
  }),
};

const responses: ModelClient = {
  name: 'responses',
  path: () => '/v1/responses',
  body: (model, { text, maxTokens, schema }, streamed) => ({
    model,
    input: text,
    temperature: 0,
    max_output_tokens: maxTokens,
    store: false,
    ...(schema && { text: { format: { type: 'json_schema', name: 'answer', strict: true, schema } } }),
    stream: streamed,
  }),
  read: ({ output, usage }) => ({
    text: joined(output.flatMap(({ content = [] }: Json) => content.map((part: Json) => part.text))),
    ...inAndOut(usage),
  }),
  readStream: (events) => ({
    text: joined(events.map(({ type, delta }) => type === 'response.output_text.delta' && delta)),
    ...inAndOut(events.find(({ type }) => /^response\.(completed|incomplete)$/.test(type))?.response.usage),
  }),
  end: /"type":"response\.(completed|incomplete)"/,
  error: /"error":\{|"type":"response\.failed"/,
  tooLong: /"context_length_exceeded"/,
};

const messages: ModelClient = {
  name: 'messages',
  path: () => '/v1/messages',
  body: (model, { text, maxTokens, schema }, streamed) => ({
    model,
    messages: user(text),
    temperature: 0,
    max_tokens: maxTokens,
    ...(schema && { output_config: { format: { type: 'json_schema', schema } } }),
    stream: streamed,
  }),
  read: ({ content, usage }) => ({ text: joined(content.map(({ text }: Json) => text)), ...inAndOut(usage) }),
  readStream: (events) => ({
    text: joined(events.map(({ delta }) => delta?.text)),
    ...inAndOut({
      ...events.find(({ type }) => type === 'message_start')?.message.usage,
      ...events.find(({ type }) => type === 'message_delta')?.usage,
    }),
  }),
  end: /"type":"message_stop"/,
  error: /"type":"error".*"error":\{|"error":\{.*"type":"error"/s,
  tooLong: /prompt is too long/i,
};

const gemini: ModelClient = {
  name: 'gemini',
  path: (model, streamed) =>
    `/v1beta/models/${model}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: (_, { text, maxTokens, schema }) => ({
    contents: [{ role: 'user', parts: [{ text }] }],
    generationConfig: {
      temperature: 0,
      maxOutputTokens: maxTokens,
      ...(schema && { responseMimeType: 'application/json', responseJsonSchema: schema }),
    },
  }),
  read: (reply) => gemini.readStream([reply]),
  readStream: (events) => {
    const usage = events.findLast(({ usageMetadata }) => usageMetadata)?.usageMetadata;
    const parts = events.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
    return {
      text: joined(parts.map(({ text }) => text)),
      promptTokens: usage?.promptTokenCount ?? null,
      completionTokens: usage?.candidatesTokenCount ?? null,
    };
  },
  end: /"finishReason":/,
  error: /"error":\{"code":\d+/,
  tooLong: /input token count .*exceeds the maximum number of tokens allowed/i,
};

export const modelClients: readonly ModelClient[] = [
  own,
  chatCompletions,
  completions,
  responses,
  messages,
  gemini,
];

/** What the events of a stream hold, but for the mark of its end. */
export function eventsIn(text: string): Json[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => JSON.parse(line.slice(5)));
}

export function requestOf(client: ModelClient, model: string, asked: Asked, streamed: boolean): Ask {
  return { body: client.body(model, asked, streamed), direct: true };
}
