import { ApiError, type GenerateContentResponse, GoogleGenAI, type Part } from '@google/genai';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../../../../src/contract/errors.ts';
import { geminiArrayErrors, geminiErrors } from '../../../../../../src/gateway/wires/gemini/client/errors.ts';
import { geminiArrayWire, geminiWire } from '../../../../../../src/gateway/wires/gemini/client/wire.ts';
import { readReply } from '../../../../../../src/gateway/wires/gemini/vendor/answer-reader.ts';
import {
  createGeminiDecoder,
  geminiCall,
} from '../../../../../../src/gateway/wires/gemini/vendor/request.ts';
import type { AnswerMeta } from '../../../../../../src/gateway/wires/wire.ts';
import type { AnswerPart, Completion, CompletionEvent, EndReason } from '../../../../../../src/model/port.ts';
import { noTokens, type TokenUsage } from '../../../../../../src/model/usage.ts';
import { geminiJson, geminiText } from '../../../../../helpers/vendor-fixtures.ts';

const input = { inputUncached: 20, cacheRead: 5, cacheWrite5m: 2 };
const usage: TokenUsage = { ...noTokens, ...input, output: 30, reasoning: 10 };
const meta: AnswerMeta = {
  id: '01JD000000000000000000TEST',
  model: 'claude-sonnet-4-6',
  createdAt: 1_763_600_000,
  inputTokens: 27,
  usage: () => usage,
};
const body = { contents: [{ parts: [{ text: 'Hi' }] }] };
const shownBody = { ...body, generationConfig: { thinkingConfig: { includeThoughts: true } } };

function completion(parts: AnswerPart[], endReason: EndReason = 'stop'): Completion {
  return { parts, finishReason: 'stop', endReason, usage: null };
}

const answered = (parts: AnswerPart[], endReason?: EndReason, request = body) =>
  geminiWire.read(request).answer(completion(parts, endReason), meta);

/** What the parts mean as a stream. */
function eventsOf(parts: AnswerPart[], endReason: EndReason = 'stop'): CompletionEvent[] {
  let index = 0;
  const events = parts.flatMap((part): CompletionEvent[] => {
    if (part.type === 'text') return [...part.text].map((content) => ({ type: 'delta', content }));
    if (part.type === 'refusal') return [{ type: 'refusal_delta', content: part.text }];
    if (part.type === 'thinking')
      return [
        { type: 'thinking_delta', content: part.text },
        { type: 'thinking', part },
      ];
    const { id, name, arguments: text } = part;
    index += 1;
    return [
      { type: 'tool_call_delta', index: index - 1, id, name, arguments: text },
      { type: 'tool_call', index: index - 1, toolCall: part },
    ];
  });
  return [...events, { type: 'end', finishReason: 'stop', endReason, usage: null }];
}

function streamed(events: readonly CompletionEvent[], request: object = body, wire = geminiWire): string {
  const writer = wire.read({ ...request }).stream(meta);
  return writer.start() + events.map((event) => writer.take(event)).join('');
}

/** The data of each event of a stream. */
function dataOf(stream: string): string[] {
  const events = stream.split('\r\n\r\n').filter(Boolean);
  return events.map((event) => event.slice('data: '.length));
}

/** Google's own client, to which every request gives this reply. */
function clientOf(reply: () => Response): GoogleGenAI {
  return new GoogleGenAI({
    apiKey: 'k',
    httpOptions: { baseUrl: 'http://127.0.0.1:9', fetch: async () => reply() },
  });
}

const asked = { model: 'claude-sonnet-4-6', contents: 'Hi' };

/** What Google's client makes of a stream that comes in small pieces. */
async function readStream(text: string): Promise<GenerateContentResponse[]> {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, n) =>
    bytes.subarray(n * 7, n * 7 + 7),
  );
  const client = clientOf(() => new Response(ReadableStream.from(pieces) as ReadableStream));
  const chunks: GenerateContentResponse[] = [];
  for await (const chunk of await client.models.generateContentStream(asked)) chunks.push(chunk);
  return chunks;
}

const sealed = {
  wire: 'anthropic',
  provider: 'anthropic',
  model: 'claude-sonnet-4-6',
  value: { type: 'thinking', thinking: 'Hm', signature: 'EqoB==' },
} as const;
const thinking = { type: 'thinking', text: 'Hm', sealed } as const;
const text = { type: 'text', text: 'Grüße 𝒳' } as const;
const call = (id: string, args = '{"n":1}') =>
  ({ type: 'tool_call', id, name: 'look', arguments: args }) as const;

describe('an answer on the Gemini wire', () => {
  test('has every field that the vendor has', () => {
    expect(answered([text])).toEqual({
      candidates: [
        { content: { parts: [{ text: 'Grüße 𝒳' }], role: 'model' }, finishReason: 'STOP', index: 0 },
      ],
      usageMetadata: {
        promptTokenCount: 27,
        candidatesTokenCount: 20,
        totalTokenCount: 57,
        cachedContentTokenCount: 5,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 27 }],
        candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: 20 }],
        thoughtsTokenCount: 10,
      },
      modelVersion: 'claude-sonnet-4-6',
      responseId: meta.id,
    });
  });

  test.each<[EndReason, string]>([
    ['stop', 'STOP'],
    ['stop_sequence', 'STOP'],
    ['tool_calls', 'STOP'],
    ['length', 'MAX_TOKENS'],
    ['context_window', 'MAX_TOKENS'],
    ['refusal', 'SAFETY'],
    ['content_filter', 'SAFETY'],
    ['pause', 'OTHER'],
  ])('that ended by %s ends with %s', (endReason, finishReason) => {
    expect(answered([text], endReason)).toMatchObject({ candidates: [{ finishReason }] });
    expect(streamed(eventsOf([text], endReason))).toContain(`"finishReason":"${finishReason}"`);
  });

  test('shows a refusal as text', () => {
    expect(answered([{ type: 'refusal', text: 'I will not.' }], 'refusal')).toMatchObject({
      candidates: [{ content: { parts: [{ text: 'I will not.' }] }, finishReason: 'SAFETY' }],
    });
  });

  test('does not show a call whose arguments are none as if it were one', () => {
    const calls = [call('a', '[1]'), call('b'), call('c', 'null')];
    const others = [{ functionCall: { id: 'b' } }, { functionCall: { id: 'c', args: {} } }];
    expect(answered(calls, 'tool_calls')).toMatchObject({
      candidates: [
        {
          content: { parts: others },
          finishReason: 'MALFORMED_FUNCTION_CALL',
          finishMessage: expect.stringContaining('look'),
        },
      ],
    });
    expect(answered([call('b'), call('a', '{"n":')], 'length')).toMatchObject({
      candidates: [{ content: { parts: others.slice(0, 1) }, finishReason: 'MAX_TOKENS' }],
    });
  });

  test('tells what it rests on in bytes', () => {
    const citation = { url: 'https://x.example', title: 'X', citedText: '𝒳', start: 6, end: 8 };
    expect(answered([{ ...text, citations: [citation] }])).toMatchObject({
      candidates: [
        {
          groundingMetadata: {
            groundingChunks: [{ web: { uri: 'https://x.example', title: 'X' } }],
            groundingSupports: [
              { segment: { startIndex: 8, endIndex: 12, text: '𝒳' }, groundingChunkIndices: [0] },
            ],
          },
        },
      ],
    });
  });

  test('is what Google’s client takes it for', async () => {
    const answer = answered([thinking, text, call('a'), call('b')], 'stop', shownBody);
    const client = clientOf(() => Response.json(answer));
    const read = await client.models.generateContent(asked);
    expect(read.functionCalls).toEqual(['a', 'b'].map((id) => ({ id, name: 'look', args: { n: 1 } })));
    expect(read.candidates?.[0]?.content?.parts?.[0]).toEqual({ text: 'Hm', thought: true });
    expect(read.usageMetadata?.thoughtsTokenCount).toBe(10);
    expect(read.responseId).toBe(meta.id);
  });
});

describe('a stream on the Gemini wire', () => {
  test('is these bytes', () => {
    const about = `"modelVersion":"claude-sonnet-4-6","responseId":"${meta.id}"`;
    expect(streamed(eventsOf([{ type: 'text', text: 'ab' }]))).toBe(
      [
        `data: {"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"},"index":0}],${about}}`,
        `data: {"candidates":[{"content":{"parts":[{"text":"b"}],"role":"model"},"index":0}],${about}}`,
        'data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}],' +
          '"usageMetadata":{"promptTokenCount":27,"candidatesTokenCount":20,"totalTokenCount":57,' +
          '"cachedContentTokenCount":5,"promptTokensDetails":[{"modality":"TEXT","tokenCount":27}],' +
          `"candidatesTokensDetails":[{"modality":"TEXT","tokenCount":20}],"thoughtsTokenCount":10},${about}}`,
        '',
      ].join('\r\n\r\n'),
    );
  });

  test('is taken by Google’s client, with the same answer as a whole one', async () => {
    const parts = [thinking, text, call('a'), call('b')];
    const chunks = await readStream(streamed(eventsOf(parts, 'tool_calls'), shownBody));
    const all = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
    expect(all.filter((part) => part.thought).map((part) => part.text)).toEqual(['Hm']);
    const said = all.filter((part) => part.text !== undefined && !part.thought);
    expect(said.map((part) => part.text).join('')).toBe('Grüße 𝒳');
    expect(all.flatMap((part) => part.functionCall ?? [])).toEqual(
      ['a', 'b'].map((id) => ({ id, name: 'look', args: { n: 1 } })),
    );
    expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP');
    expect(chunks.filter((chunk) => chunk.usageMetadata)).toHaveLength(1);
    expect(chunks.at(-1)?.usageMetadata?.totalTokenCount).toBe(57);
    expect(chunks.every((chunk) => chunk.responseId === meta.id)).toBe(true);
  });

  test('goes into the history of a chat of Google’s client and comes back with its signatures', async () => {
    const bodies: string[] = [];
    const replies = [streamed(eventsOf([thinking, call('a')], 'tool_calls')), streamed(eventsOf([text]))];
    const client = new GoogleGenAI({
      apiKey: 'k',
      httpOptions: {
        baseUrl: 'http://127.0.0.1:9',
        fetch: async (_, init) => {
          bodies.push(String(init?.body));
          return new Response(replies[bodies.length - 1]);
        },
      },
    });
    const chat = client.chats.create({ model: 'claude-sonnet-4-6' });
    for await (const _ of await chat.sendMessageStream({ message: 'Hi' }));
    const response = { functionResponse: { id: 'a', name: 'look', response: { output: 'seen' } } };
    for await (const _ of await chat.sendMessageStream({ message: [response] }));
    const { messages } = geminiWire.read(JSON.parse(bodies[1] ?? '')).call;
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(messages[1]?.content.slice(0, 2)).toEqual([{ type: 'thinking', text: '', sealed }, call('a')]);
  });

  test('shows no thoughts that were not asked for, and keeps their signature', () => {
    const stream = streamed(eventsOf([thinking, text]));
    expect(stream).not.toContain('Hm');
    expect(stream.match(/"thoughtSignature"/g)).toHaveLength(1);
    expect(stream).toMatch(
      /^data: \{"candidates":\[\{"content":\{"parts":\[\{"text":"G","thoughtSignature":"c3kx/,
    );
  });

  test('without alt=sse is one JSON array, whose elements are the same', () => {
    const events = eventsOf([thinking, text, call('a')]);
    const array = streamed(events, shownBody, geminiArrayWire);
    const elements: unknown[] = JSON.parse(array);
    expect(elements).toEqual(dataOf(streamed(events, shownBody)).map((data) => JSON.parse(data)));
    expect(array.split('\r\n')).toHaveLength(elements.length);
  });
});

describe('a failure on the Gemini wire', () => {
  const error = new ServiceError('provider_overloaded', 'The provider is overloaded.');
  const details = [{ path: 'contents[0].role', code: 'enum', message: 'must be user or model' }];
  const invalid = new ServiceError('invalid_request', 'contents[0].role must be user or model.', { details });

  test('has the vendor’s form', () => {
    expect(geminiErrors.reply(invalid, 'req_1')).toEqual({
      status: 400,
      headers: {},
      body: {
        error: {
          code: 400,
          message: 'contents[0].role must be user or model.',
          status: 'INVALID_ARGUMENT',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
              reason: 'INVALID_REQUEST',
              domain: 'switchyard',
              metadata: { retryable: 'false' },
            },
            { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: 'req_1' },
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [{ field: 'contents[0].role', description: 'must be user or model' }],
            },
          ],
        },
      },
    });
  });

  test.each([
    ['invalid_api_key', 401, 'UNAUTHENTICATED'],
    ['insufficient_scope', 403, 'PERMISSION_DENIED'],
    ['model_not_found', 404, 'NOT_FOUND'],
    ['payload_too_large', 413, 'INVALID_ARGUMENT'],
    ['rate_limited', 429, 'RESOURCE_EXHAUSTED'],
    ['internal_error', 500, 'INTERNAL'],
    ['provider_error', 502, 'UNAVAILABLE'],
    ['provider_overloaded', 503, 'UNAVAILABLE'],
    ['provider_first_byte_timeout', 504, 'DEADLINE_EXCEEDED'],
  ] as const)('%s is %i %s', (code, status, name) => {
    const reply = geminiErrors.reply(new ServiceError(code, 'No.'), 'r');
    expect(reply).toMatchObject({ status, body: { error: { code: status, status: name, message: 'No.' } } });
  });

  test('says when to come back', () => {
    const limited = new ServiceError('rate_limited', 'Slow down.', { retryAfter: 34 });
    expect(JSON.stringify(geminiErrors.reply(limited, 'r').body)).toContain('"retryDelay":"34s"');
  });

  test('is an error of Google’s client, before the stream and within it', async () => {
    const { status, body: told } = geminiErrors.reply(error, 'r');
    const before = clientOf(() => Response.json(told, { status }));
    const refused = { status: 503, name: 'ApiError' };
    await expect(before.models.generateContent(asked)).rejects.toMatchObject(refused);
    const writer = geminiWire.read(body).stream(meta);
    const begun = writer.take({ type: 'delta', content: 'Half' });
    await expect(readStream([begun, writer.fail(error, 'r')].flat().join(''))).rejects.toThrow(ApiError);
    await expect(readStream([geminiErrors.event(error, 'r')].flat().join(''))).rejects.toThrow(ApiError);
  });

  test('closes an array, begun or not', () => {
    const writer = geminiArrayWire.read(body).stream(meta);
    const begun = writer.take({ type: 'delta', content: 'Half' });
    expect(JSON.parse(`${begun}${geminiArrayErrors.ping}${writer.fail(error, 'r')}`)).toMatchObject([
      { candidates: [{ content: { parts: [{ text: 'Half' }] } }] },
      { error: { code: 503, status: 'UNAVAILABLE' } },
    ]);
    expect(JSON.parse(`${geminiArrayErrors.event(error, 'r')}`)).toMatchObject([{ error: { code: 503 } }]);
  });

  test('pings are no events to Google’s client', async () => {
    const { ping } = geminiErrors;
    const stream = streamed(eventsOf([text]));
    const pinged = `${ping}${stream.replaceAll('\r\n\r\n', `\r\n\r\n${ping}${ping}`)}`;
    expect(pinged).not.toBe(stream);
    expect(await readStream(pinged)).toEqual(await readStream(stream));
  });
});

describe('an answer of Gemini that goes to a client of Gemini and comes back', () => {
  const vendor = { id: 'gemini', apiKey: null };
  const model = 'gemini-3-flash-preview';
  const results = {
    role: 'user',
    parts: ['gp737npz', 'kq81vv0x', 'a1', 'b2'].map((id) => ({
      functionResponse: { id, name: 'get_weather', response: { output: 'x' } },
    })),
  };

  /** The parts that the vendor is sent after the client has got these. */
  function sentBack(parts: unknown): unknown {
    const ids = JSON.stringify(parts);
    const answers = results.parts.filter(({ functionResponse: { id } }) => ids.includes(`"${id}"`));
    const contents = [
      ...body.contents,
      { role: 'model', parts },
      answers.length > 0 ? { ...results, parts: answers } : { role: 'user', parts: [{ text: 'And?' }] },
    ];
    const call = { ...geminiWire.read({ contents }).call, model, temperatureRange: null };
    const { request, warnings } = geminiCall(call, { provider: 'gemini', baseUrl: 'https://x' });
    expect(warnings).toEqual([]);
    return request.contents[1]?.parts;
  }

  test.each(['reply-parallel-calls.json', 'reply-text-signed.json'])('has the same parts: %s', (file) => {
    const reply = geminiJson(file) as { candidates: [{ content: { parts: object[] } }] };
    const answer = geminiWire.read(shownBody).answer(readReply(vendor, model, new Set(), reply), meta);
    const { parts } = (answer as typeof reply).candidates[0].content;
    expect(parts).toEqual(reply.candidates[0].content.parts);
    expect(sentBack(parts)).toEqual(parts);
  });

  test.each(['stream-thinking.sse', 'stream-calls.sse'])('has the same parts in a stream: %s', (file) => {
    const partsOf = (stream: string) =>
      dataOf(stream).flatMap((data) => JSON.parse(data).candidates[0].content.parts as Part[]);
    const decoder = createGeminiDecoder(vendor, model, new Set());
    const events: CompletionEvent[] = [];
    for (const data of dataOf(geminiText(file)))
      decoder.take({ data, event: undefined, id: undefined }, (one) => events.push(one));
    decoder.completed((one) => events.push(one));
    const written = partsOf(streamed(events, shownBody));
    // The last event of ours has a part of its own.
    const parts = written.filter((part) => JSON.stringify(part) !== '{"text":""}');
    expect(parts).toEqual(partsOf(geminiText(file)));
    expect(sentBack(parts)).toEqual(joined(parts));
  });
});

/** The parts with unsigned pieces of the same kind as one. */
function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    const same = last?.text && part.text && !last.thoughtSignature && !part.thoughtSignature;
    if (same && last.thought === part.thought)
      all[all.length - 1] = { ...last, text: `${last.text}${part.text}` };
    else all.push(part);
  }
  return all;
}
