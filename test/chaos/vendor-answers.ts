import { readFileSync } from 'node:fs';
import type { VendorCall } from './evidence.ts';
import type { VendorLine } from './vendor.ts';

/** What the vendor of the suite answers on each wire, and where it goes wrong when it is told to. */

export type Wire = 'openai' | 'anthropic' | 'gemini';

/** `gemini` is Gemini's OpenAI-compatible address: the same wire under another path and key. */
export const wires: readonly Wire[] = ['openai', 'anthropic', 'gemini'];

export interface Answer {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly prompt: number;
  readonly completion: number;
}

/** Head and body of a whole answer, as it goes over the wire. */
export function answerBytes(wire: Wire, stream: boolean, answer: Answer): Buffer {
  const body = wire === 'anthropic' ? anthropic(answer, stream) : openai(answer, stream);
  if (!stream) return reply(200, body);
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
  const chunks = body.match(/[\s\S]*?\n\n/g) ?? [];
  const chunked = chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`);
  return Buffer.from(`${head}${chunked.join('')}0\r\n\r\n`);
}

/**
 * Where the answer is over for whoever reads it: of a stream, after the event that tells why the model has stopped. What
 * comes after that, usage and end marks, some vendors leave out.
 */
export function endOf(bytes: Buffer): number {
  for (const mark of ['"finish_reason":"stop"', '"stop_reason":"end_turn"']) {
    const at = bytes.indexOf(mark);
    const end = at < 0 ? -1 : bytes.indexOf('\n\n', at);
    if (end >= 0) return end + 2;
  }
  return bytes.length;
}

export function reply(status: number, body: string, headers = ''): Buffer {
  return Buffer.from(
    `HTTP/1.1 ${status} Status\r\ncontent-type: application/json\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function openai({ id, model, text, prompt, completion }: Answer, stream: boolean): string {
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
  if (!stream) {
    const message = { role: 'assistant', content: text, refusal: null };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
    return JSON.stringify({ id, object: 'chat.completion', created: 1_763_600_000, model, choices, usage });
  }
  const chunk = (fields: object) =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1_763_600_000, model, ...fields })}\n\n`;
  const delta = (content: object, finish: string | null = null) =>
    chunk({ choices: [{ index: 0, delta: content, finish_reason: finish }] });
  return [
    delta({ role: 'assistant', content: '' }),
    ...pieces(text).map((content) => delta({ content })),
    delta({}, 'stop'),
    chunk({ choices: [], usage }),
    'data: [DONE]\n\n',
  ].join('');
}

function anthropic({ id, model, text, prompt, completion }: Answer, stream: boolean): string {
  const message = { id, type: 'message', role: 'assistant', model };
  if (!stream) {
    const content = [{ type: 'text', text }];
    const usage = { ...cachedIn(prompt), output_tokens: completion };
    return JSON.stringify({ ...message, content, stop_reason: 'end_turn', stop_sequence: null, usage });
  }
  const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const events: { type: string; [field: string]: unknown }[] = [
    {
      type: 'message_start',
      message: {
        ...message,
        content: [],
        stop_reason: null,
        usage: { ...cachedIn(prompt), output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...pieces(text).map((piece) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: piece },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: completion } },
    { type: 'message_stop' },
  ];
  return events.map(event).join('');
}

/** A prompt in the vendor's classes: of one that is long enough some is read from the cache, and some written to it. */
function cachedIn(prompt: number) {
  if (prompt < 6) return { input_tokens: prompt };
  return {
    input_tokens: prompt - 6,
    cache_read_input_tokens: 1,
    cache_creation_input_tokens: 5,
    cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 3 },
  };
}

function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,16}/g) ?? [];
}

/** What the vendor is told to do, in the prompt itself: `vendor=<act>` or `vendor=<act>@<number>`. */
export const acts = [
  'good',
  /** Ends the connection after so many bytes of the answer, head included. */
  'cut',
  /** The same by a reset. */
  'reset',
  /** Sends nothing more after so many bytes. */
  'stall',
  /** One byte is turned into another. */
  'garbage',
  /** An error reply with this status. */
  'status',
  /** An informational reply that nobody asked for goes before the answer. */
  'continue',
  /** JSON so many levels deep. */
  'deep',
  /** One piece at a time, with so many milliseconds between. */
  'slow',
  /** A text of so many bytes. */
  'big',
  /** `content` is a number. */
  'number',
  /** `finish_reason` is null, as some vendors have it in a whole answer, which counts. */
  'unfinished',
] as const;

export type Act = (typeof acts)[number];

/**
 * What reached the vendor, from its log.
 * @param start the byte from which it is read
 * @param offset what is added to the vendor's clock to get this process's
 */
export function readVendorLog(file: string, start: number, offset: number): VendorCall[] {
  const calls = new Map<number, { -readonly [Field in keyof VendorCall]: VendorCall[Field] }>();
  for (const text of readFileSync(file).toString('utf8', start).split('\n')) {
    if (text === '') continue;
    const line = JSON.parse(text) as VendorLine;
    const at = line.at + offset;
    if (line.type === 'came') {
      const usage = { prompt: line.prompt, completion: line.completion };
      calls.set(line.call, { id: line.id, from: at, to: null, whole: false, usage });
      continue;
    }
    const call = calls.get(line.call);
    if (!call) continue;
    call.to ??= at;
    call.whole ||= line.whole;
    if (line.garbled) call.usage = null;
  }
  return [...calls.values()].filter(({ id }) => id !== '');
}

/** What has to be added to `process.hrtime` in milliseconds, which all processes share, to get `performance.now()`. */
export function clockOffset(): number {
  return performance.now() - Number(process.hrtime.bigint()) / 1e6;
}
