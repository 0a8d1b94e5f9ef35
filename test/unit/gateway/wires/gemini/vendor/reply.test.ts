import { describe, expect, test } from 'vitest';
import { errorOfObject, errorOfReply } from '../../../../../../src/gateway/upstream/vendor-errors.ts';
import { readBatchEmbedContents } from '../../../../../../src/gateway/wires/gemini/client/embeddings.ts';
import { readReply } from '../../../../../../src/gateway/wires/gemini/vendor/answer-reader.ts';
import {
  embeddingsRequest,
  readEmbeddings,
} from '../../../../../../src/gateway/wires/gemini/vendor/embeddings.ts';
import { noTokens } from '../../../../../../src/model/usage.ts';
import { errorBy, geminiJson } from '../../../../../helpers/vendor-fixtures.ts';

const vendor = { id: 'gemini', apiKey: null };

function read(file: string, custom: string[] = []) {
  return readReply(vendor, 'gemini-3-flash-preview', new Set(custom), geminiJson(file));
}

function sealed(value: object, text = '') {
  const by = { wire: 'gemini', provider: 'gemini', model: 'gemini-3-flash-preview' };
  return { type: 'thinking', text, sealed: { ...by, value } };
}

describe('a reply of generateContent', () => {
  test('gives parallel calls with their ids, the signature on the first alone', () => {
    const thoughtSignature = 'Es8CCswCAb4CallSignature/+==';
    expect(read('reply-parallel-calls.json')).toEqual({
      parts: [
        sealed({ functionCall: { name: 'get_weather' }, thoughtSignature }),
        {
          type: 'tool_call',
          id: 'gp737npz',
          name: 'get_weather',
          arguments: '{"city":"Paris","days":2}',
          extraContent: { google: { thought_signature: thoughtSignature } },
        },
        { type: 'tool_call', id: 'kq81vv0x', name: 'get_weather', arguments: '{"city":"Rome"}' },
      ],
      finishReason: 'tool_calls',
      endReason: 'tool_calls',
      usage: { ...noTokens, inputUncached: 252, output: 73, reasoning: 55 },
    });
  });

  test('gives thoughts as thinking, and the signature of a text behind it', () => {
    expect(read('reply-text-signed.json').parts).toEqual([
      { type: 'thinking', text: '**Weighing it**\n\nTwo is even.', sealed: null },
      { type: 'text', text: 'Yes, two is prime.' },
      sealed({ text: 'Yes, two is prime.', thoughtSignature: 'AY89a18iOcFus5wTextSignature' }),
    ]);
  });

  test('is not blocked where the reason for it is the default', () => {
    // https://github.com/vercel/ai/blob/main/packages/google/CHANGELOG.md
    const answer = {
      candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
      promptFeedback: { blockReason: 'BLOCK_REASON_UNSPECIFIED' },
    };
    expect(readReply(vendor, 'm', new Set(), answer).endReason).toBe('stop');
  });

  test('makes up ids where there are none', () => {
    const { parts, endReason } = read('reply-no-ids.json');
    expect(parts).toEqual([
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_call', id: expect.stringMatching(/^call_\w{26}$/), name: 'now', arguments: '{}' },
      { type: 'tool_call', id: expect.stringMatching(/^call_\w{26}$/), name: 'now', arguments: '{}' },
    ]);
    const ids = parts.map((part) => (part.type === 'tool_call' ? part.id : part.type));
    expect(new Set(ids).size).toBe(3);
    expect(endReason).toBe('tool_calls');
  });

  test('says that the prompt was blocked, and is no empty answer', () => {
    expect(read('reply-blocked.json')).toEqual({
      parts: [{ type: 'refusal', text: 'The provider blocked the prompt (PROHIBITED_CONTENT).' }],
      finishReason: 'content_filter',
      endReason: 'content_filter',
      usage: { ...noTokens, inputUncached: 11 },
    });
  });

  test('puts each token into one class: cache, thoughts, own tools, sound and pictures', () => {
    expect(read('reply-cache.json').usage).toEqual({
      ...noTokens,
      inputUncached: 2400 - 2048 + 100,
      cacheRead: 2048,
      output: 160,
      reasoning: 120,
      audioIn: 42,
      imageIn: 258,
    });
  });

  test('gives what it rests on as citations, in characters', () => {
    const { parts } = read('reply-grounding.json');
    const text = 'Größe: Spain won Euro 2024. ⚽ Final in Berlin.';
    const spain = { citedText: 'Spain won Euro 2024.', start: 7, end: 27 };
    const final = { citedText: 'Final in Berlin.', start: 30, end: 46 };
    expect(parts).toEqual([
      {
        type: 'text',
        text,
        citations: [
          { url: 'https://example.org/a', title: 'a.example', ...spain },
          { url: 'https://example.org/b', title: 'b.example', ...spain },
          { url: 'https://example.org/b', title: 'b.example', ...final },
        ],
      },
    ]);
    expect(text.slice(spain.start, spain.end)).toBe(spain.citedText);
    expect(text.slice(final.start, final.end)).toBe(final.citedText);
  });

  test('unwraps the text of a custom tool', () => {
    const reply = {
      candidates: [
        {
          content: { parts: [{ functionCall: { name: 'patch', args: { input: '*** Begin\n+x' } } }] },
          finishReason: 'STOP',
        },
      ],
    };
    const { parts } = readReply(vendor, 'gemini-2.5-pro', new Set(['patch']), reply);
    expect(parts).toMatchObject([{ name: 'patch', arguments: '*** Begin\n+x', custom: true }]);
  });

  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['SPII', 'content_filter'],
    ['CONTINUATION', 'pause'],
    ['SOMETHING_NEW', 'stop'],
  ])('that ends with %s ends by %s', (finishReason, endReason) => {
    const reply = { candidates: [{ content: { parts: [{ text: 'So' }] }, finishReason }] };
    expect(readReply(vendor, 'gemini-2.5-pro', new Set(), reply)).toMatchObject({
      parts: [{ type: 'text', text: 'So' }],
      endReason,
      usage: null,
    });
  });

  test('whose tokens went into thinking has come to its length, without an error', () => {
    const reply = {
      candidates: [{ content: { role: 'model' }, finishReason: 'MAX_TOKENS', index: 0 }],
      usageMetadata: { promptTokenCount: 4, totalTokenCount: 104, thoughtsTokenCount: 100 },
    };
    expect(readReply(vendor, 'gemini-2.5-pro', new Set(), reply)).toEqual({
      parts: [],
      finishReason: 'length',
      endReason: 'length',
      usage: { ...noTokens, inputUncached: 4, output: 100, reasoning: 100 },
    });
  });

  test.each(['OTHER', 'LANGUAGE', 'SOMETHING_NEW'])('that is empty by %s was withheld', (finishReason) => {
    const reply = { candidates: [{ finishReason, finishMessage: 'No.' }] };
    expect(readReply(vendor, 'gemini-2.5-pro', new Set(), reply)).toMatchObject({
      parts: [{ type: 'refusal', text: 'No.' }],
      endReason: 'content_filter',
    });
  });

  test('in which the model wrote no valid call is an error that is worth another attempt, and no outage', async () => {
    const reply = { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'print(x' }] };
    const error = await errorBy(() => readReply(vendor, 'gemini-2.5-pro', new Set(), reply));
    expect(error).toMatchObject({ code: 'provider_invalid_response', worthRetrying: true, outage: false });
    expect(error.message).not.toContain('print(x');
  });

  test.each([
    ['tells no reason', { candidates: [{ content: { parts: [{ text: 'So' }] } }] }],
    [
      'comes as a stream in one array',
      [
        { candidates: [{ content: { parts: [{ text: 'S' }] } }] },
        { candidates: [{ content: { parts: [{ text: 'o' }] }, finishReason: 'STOP' }] },
      ],
    ],
  ])('that %s is an answer', (_, reply) => {
    const completion = readReply({ id: 'gemini', apiKey: null }, 'm', new Set(), reply);
    expect(completion).toMatchObject({ parts: [{ type: 'text', text: 'So' }], endReason: 'stop' });
  });

  test.each([
    ['no candidates', { usageMetadata: {} }],
    ['a candidate that is none', { candidates: ['x'] }],
    ['a list of parts that is none', { candidates: [{ content: { parts: 'x' }, finishReason: 'STOP' }] }],
    ['a part that is none', { candidates: [{ content: { parts: [null] }, finishReason: 'STOP' }] }],
    ['a text that is none', { candidates: [{ content: { parts: [{ text: 3 }] }, finishReason: 'STOP' }] }],
    ['neither an answer nor a reason', { candidates: [{ content: { parts: [] } }] }],
    ['a reason that is none', { candidates: [{ finishReason: 3 }] }],
    [
      'a call without name',
      { candidates: [{ content: { parts: [{ functionCall: {} }] }, finishReason: 'STOP' }] },
    ],
    [
      'arguments that are no object',
      {
        candidates: [
          { content: { parts: [{ functionCall: { name: 'f', args: [1] } }] }, finishReason: 'STOP' },
        ],
      },
    ],
  ])('with %s is refused', async (_, reply) => {
    const error = await errorBy(() => readReply(vendor, 'gemini-2.5-pro', new Set(), reply));
    expect(error.code).toBe('provider_invalid_response');
  });
});

describe('errors', () => {
  const vendor = { id: 'gemini', apiKey: null };

  function read(status: number, reply: object, headers = {}) {
    return errorOfReply(vendor, 'gemini-2.5-flash', status, headers, JSON.stringify(reply));
  }

  describe('an error of Gemini', () => {
    test('that names a delay is waited for so long, as there is no header', () => {
      expect(read(429, geminiJson('error-rate.json'))).toMatchObject({
        code: 'provider_rate_limited',
        waitMs: 34_074,
        worthRetrying: true,
      });
      expect(read(429, geminiJson('error-rate.json'), { 'retry-after': '2' }).waitMs).toBe(2000);
    });

    test('that names a delay in a stream says so too', () => {
      const { error } = geminiJson('error-rate.json');
      expect(errorOfObject(vendor, 'gemini-2.5-flash', error)).toMatchObject({
        code: 'provider_rate_limited',
        waitMs: 34_074,
      });
    });

    test('about a quota for the day is not asked again in a moment', () => {
      expect(read(429, geminiJson('error-quota.json'))).toMatchObject({
        code: 'provider_rate_limited',
        worthRetrying: false,
        shouldRetry: false,
      });
    });

    test.each([
      ['no list', { details: 'x' }],
      ['no objects', { details: [null, 3] }],
      [
        'no delay',
        { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: 'soon' }] },
      ],
      ['a day', { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '-5s' }] }],
    ])('with details that are %s is an error all the same', (_, more) => {
      const error = read(429, {
        error: { code: 429, message: 'Slow', status: 'RESOURCE_EXHAUSTED', ...more },
      });
      expect(error).toMatchObject({ code: 'provider_rate_limited', waitMs: null });
    });

    test.each([
      [400, 'INVALID_ARGUMENT', 'Invalid value at contents', 'provider_rejected'],
      [
        400,
        'INVALID_ARGUMENT',
        'API key not valid. Please pass a valid API key.',
        'provider_credentials_refused',
      ],
      [403, 'PERMISSION_DENIED', 'Denied', 'provider_credentials_refused'],
      [404, 'NOT_FOUND', 'models/x is not found for API version v1beta', 'model_not_found'],
      [500, 'INTERNAL', 'Internal', 'provider_error'],
      [503, 'UNAVAILABLE', 'The model is overloaded.', 'provider_overloaded'],
    ])('%i %s %s', (code, status, message, ours) => {
      expect(read(code, { error: { code, message, status } }).code).toBe(ours);
    });
  });
});

describe('embeddings', () => {
  const vendor = { id: 'gemini', apiKey: null };

  describe('vectors of Gemini', () => {
    test('are asked for all at once', () => {
      const request = embeddingsRequest('gemini-embedding-001', ['a', 'b'], 256);
      expect(request).toEqual({
        requests: [
          {
            model: 'models/gemini-embedding-001',
            content: { parts: [{ text: 'a' }] },
            outputDimensionality: 256,
          },
          {
            model: 'models/gemini-embedding-001',
            content: { parts: [{ text: 'b' }] },
            outputDimensionality: 256,
          },
        ],
      });
      expect(readBatchEmbedContents({ ...request })).toEqual({ texts: ['a', 'b'], dimensions: 256 });
      expect(embeddingsRequest('tunedModels/x', ['a']).requests[0]).toEqual({
        model: 'tunedModels/x',
        content: { parts: [{ text: 'a' }] },
      });
    });

    test('are read in their order', () => {
      const embeddings = [{ values: [0.1, -2e-7] }, { values: [1, 0] }];
      expect(readEmbeddings(vendor, { embeddings, usageMetadata: { promptTokenCount: 2 } }, 2)).toEqual({
        vectors: [
          [0.1, -2e-7],
          [1, 0],
        ],
        promptTokens: 2,
      });
      expect(readEmbeddings(vendor, { embeddings }, 2).promptTokens).toBeNull();
    });

    test.each([
      ['no list', {}],
      ['too few', { embeddings: [{ values: [1] }] }],
      ['no numbers', { embeddings: [{ values: [1] }, { values: ['x'] }] }],
      ['an empty one', { embeddings: [{ values: [1] }, { values: [] }] }],
      ['null', null],
    ])('are refused with %s', async (_, reply) => {
      expect((await errorBy(() => readEmbeddings(vendor, reply, 2))).code).toBe('provider_invalid_response');
    });
  });
});
