/** What the mock vendor answers, byte for byte in the form of OpenAI, Anthropic and Google; prepared before a run. */

import { ANSWER, ANSWER_PIECES, FINISH_REASON, USAGE } from '../answer.ts';

/** How a request is known, and the pieces in which its answer is sent. */
export interface PreparedAnswer {
  /** How its target begins. */
  readonly target: string;
  /** What stands in it; empty: anything. */
  readonly text: string;
  readonly pieces: readonly string[];
}

/** What a prompt says that wants an answer of a mebibyte. */
export const LONG_MARK = 'as long as a book';

const longPiece = `${'All work and no play makes a long answer. '.repeat(97)}\n`;
/** The pieces of the long answer: 256 of 4 KiB. */
export const LONG_PIECES: readonly string[] = Array.from({ length: 256 }, () => longPiece.slice(0, 4_096));

/** The headers OpenAI sends with every answer; parsing them is part of a proxy's work. */
const HEADERS = {
  'openai-organization': 'bench',
  'openai-processing-ms': '412',
  'openai-version': '2020-10-01',
  'x-ratelimit-limit-requests': '10000',
  'x-ratelimit-limit-tokens': '30000000',
  'x-ratelimit-remaining-requests': '9999',
  'x-ratelimit-remaining-tokens': '29999950',
  'x-ratelimit-reset-requests': '6ms',
  'x-ratelimit-reset-tokens': '0s',
  'x-request-id': 'req_6f0c2d9ab14e4f7d8c35e9017ab2d468',
};

function head(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...HEADERS, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`;
}

/** OpenAI indents its JSON answers by two and ends them with a newline. */
function jsonAnswer(body: object): string[] {
  const text = `${JSON.stringify(body, null, 2)}\n`;
  const length = String(Buffer.byteLength(text));
  return [head({ 'content-type': 'application/json', 'content-length': length }) + text];
}

/** Each event is a chunk of the encoding and a write of its own, as tokens come from a model, but without the waiting. */
function streamAnswer(events: readonly string[]): string[] {
  const chunks = events.map((event) => `${Buffer.byteLength(event).toString(16)}\r\n${event}\r\n`);
  const [first = '', ...rest] = chunks;
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
  return [head({ ...headers, 'transfer-encoding': 'chunked' }) + first, ...rest, '0\r\n\r\n'];
}

const openAi = {
  id: 'chatcmpl-CkQ3v8mXr2Lb7TzNf5WdYp1HsJc4u',
  created: 1_765_180_800,
  model: 'gpt-4o-2024-08-06',
  service_tier: 'default',
  system_fingerprint: 'fp_a7d06e42a7',
};

const openAiReply = {
  ...openAi,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: ANSWER, refusal: null, annotations: [] },
      logprobs: null,
      finish_reason: FINISH_REASON,
    },
  ],
  usage: USAGE,
};

/** Chunks say `usage: null` only when usage was asked for; then a last one without choices has it. */
function openAiEvents(pieces: readonly string[], includeUsage: boolean): string[] {
  const chunk = (rest: object) =>
    `data: ${JSON.stringify({ ...openAi, object: 'chat.completion.chunk', ...rest })}\n\n`;
  const choice = (delta: object, finish: string | null, index: number) =>
    chunk({
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(includeUsage && { usage: null }),
      obfuscation: 'q8VbT3xNzR5mKd0'.slice(index % 15),
    });
  return [
    choice({ role: 'assistant', content: '', refusal: null }, null, 0),
    ...pieces.map((content, index) => choice({ content }, null, index + 1)),
    choice({}, FINISH_REASON, pieces.length + 1),
    ...(includeUsage ? [chunk({ choices: [], usage: USAGE, obfuscation: '' })] : []),
    'data: [DONE]\n\n',
  ];
}

const anthropicReply = {
  id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [{ type: 'text', text: ANSWER }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: {
    input_tokens: USAGE.prompt_tokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: USAGE.completion_tokens,
    service_tier: 'standard',
  },
};

function anthropicEvents(): string[] {
  const event = (type: string, rest: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
  const { usage } = anthropicReply;
  const begun = { ...anthropicReply, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  return [
    event('message_start', { message: begun }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...ANSWER_PIECES.map((text) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    ),
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: USAGE.completion_tokens },
    }),
    event('message_stop', {}),
  ];
}

const geminiUsage = {
  promptTokenCount: USAGE.prompt_tokens,
  candidatesTokenCount: USAGE.completion_tokens,
  totalTokenCount: USAGE.total_tokens,
};

const geminiReply = (text: string, last: boolean) => ({
  candidates: [
    { content: { parts: [{ text }], role: 'model' }, ...(last && { finishReason: 'STOP' }), index: 0 },
  ],
  usageMetadata: geminiUsage,
  modelVersion: 'gemini-2.5-flash',
  responseId: 'mAB2aYnGJtqnkdUP5cS8sAY',
});

const geminiEvents = () =>
  ANSWER_PIECES.map(
    (text, index) => `data: ${JSON.stringify(geminiReply(text, index === ANSWER_PIECES.length - 1))}\r\n\r\n`,
  );

const models = {
  object: 'list',
  data: [{ id: 'gpt-4o', object: 'model', created: openAi.created, owned_by: 'system' }],
};

const STREAM = '"stream":true';
const USAGE_WANTED = '"include_usage":true';

/** In the order in which they are tried. */
export const PREPARED_ANSWERS: readonly PreparedAnswer[] = [
  ...['/v1/chat/completions', '/chat/completions'].flatMap((target) => [
    { target, text: LONG_MARK, pieces: streamAnswer(openAiEvents(LONG_PIECES, true)) },
    { target, text: USAGE_WANTED, pieces: streamAnswer(openAiEvents(ANSWER_PIECES, true)) },
    { target, text: STREAM, pieces: streamAnswer(openAiEvents(ANSWER_PIECES, false)) },
    { target, text: '', pieces: jsonAnswer(openAiReply) },
  ]),
  { target: '/v1/models', text: '', pieces: jsonAnswer(models) },
  { target: '/v1/messages', text: STREAM, pieces: streamAnswer(anthropicEvents()) },
  { target: '/v1/messages', text: '', pieces: jsonAnswer(anthropicReply) },
  { target: '/v1beta/models/', text: ':streamGenerateContent', pieces: streamAnswer(geminiEvents()) },
  { target: '/v1beta/models/', text: ':generateContent', pieces: jsonAnswer(geminiReply(ANSWER, true)) },
];
