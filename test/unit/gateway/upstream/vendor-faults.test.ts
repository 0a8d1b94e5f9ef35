/** What vendors say when they do not answer, as they have been seen to say it, and what is made of it. */
import { describe, expect, test } from 'vitest';
import type { ProviderError } from '../../../../src/gateway/upstream/provider-error.ts';
import { errorOfObject, errorOfReply } from '../../../../src/gateway/upstream/vendor-errors.ts';
import { namedFaults, replyFaults } from '../../../../src/gateway/upstream/vendor-faults.ts';

const vendor = { id: 'v', apiKey: null };

function told({ code, worthRetrying, outage, tooLong }: ProviderError) {
  return { code, again: worthRetrying, outage, tooLong };
}

const cannot = { code: 'provider_rejected', again: false, outage: false, tooLong: false };
const tooLong = { ...cannot, tooLong: true };
const failed = { code: 'provider_error', again: true, outage: true, tooLong: false };

const llama = (code: number, message: string, type = 'server_error') => ({ error: { code, message, type } });

describe('a reply that a client has earned is no outage', () => {
  test.each<[number, object, object, string]>([
    [
      500,
      llama(500, 'image input is not supported - hint: you may need to provide the mmproj'),
      cannot,
      'llama.cpp #15377, 2025-08-17',
    ],
    [500, llama(500, 'audio input is not supported'), cannot, 'llama.cpp, seen 2026-11-27'],
    [
      501,
      llama(501, 'This server does not support embeddings', 'not_supported_error'),
      cannot,
      'llama.cpp, seen 2026-11-27',
    ],
    [
      500,
      llama(500, 'Failed to parse messages: Unsupported content part type: "image_url"'),
      cannot,
      'llama.cpp #12947, 2025-04-15',
    ],
    [500, llama(500, 'Unsupported param: tools'), cannot, 'llama.cpp #10920, 2024-12-20'],
    [
      500,
      llama(500, '\n------------\nError: Jinja Exception: roles must alternate'),
      cannot,
      'llama.cpp #19851, 2026-02-24',
    ],
    [
      500,
      { error: { message: 'this model does not support embeddings', type: 'api_error' } },
      cannot,
      'Ollama, chunkhound #41, 2025-09-30',
    ],
    [
      500,
      { error: 'this model is missing data required for image input' },
      cannot,
      'Ollama, model/model.go, 2026-11-27',
    ],
    [
      500,
      llama(500, 'endpoint disabled for this model by API configuration', ''),
      cannot,
      'LocalAI #1617, 2024-02-08',
    ],
    [
      404,
      { error: { code: 404, message: 'No endpoints found that support image input' } },
      cannot,
      'OpenRouter, openclaw #99079, 2026-07-02',
    ],
    [500, llama(500, 'Bad', 'invalid_request_error'), cannot, 'OpenAI error codes, 2026-11-27'],
    [500, llama(500, 'Context size has been exceeded.'), tooLong, 'llama.cpp #19774, 2026-02-21'],
    [
      500,
      llama(500, 'input is too large to process. increase the physical batch size'),
      tooLong,
      'llama.cpp #11105, 2025-01-06',
    ],
    [500, llama(500, 'Too big', 'exceed_context_size_error'), tooLong, 'llama.cpp #15780, 2025-09-03'],
    [400, llama(400, 'Too big', 'exceed_context_size_error'), tooLong, 'llama.cpp, seen 2026-11-27'],
    [
      400,
      { error: { code: 'context_length_exceeded', message: 'No.' } },
      tooLong,
      'OpenAI error codes, 2026-11-27',
    ],
    [
      400,
      { object: 'error', message: "This model's maximum context length is 8 tokens." },
      tooLong,
      'vLLM, kon #91, 2026-06-16',
    ],
    [
      400,
      { error: { message: 'The input token count (9) exceeds the maximum number of tokens allowed (8).' } },
      tooLong,
      'Gemini API, tokens, 2026-11-27',
    ],
    [
      500,
      { error: 'the input length exceeds the context length' },
      tooLong,
      'Ollama, open-notebook #350, 2025-12-24',
    ],
  ])('%i %j is %j (%s)', (status, body, expected) => {
    expect(told(errorOfReply(vendor, 'm', status, {}, JSON.stringify(body)))).toEqual(expected);
  });
});

describe('a reply of a vendor that has failed stays an outage', () => {
  test.each<[number, object | string]>([
    [500, llama(500, 'Compute error.')],
    [500, llama(500, 'The model does not support us any longer.')],
    [500, { error: { message: 'The server had an error', type: 'server_error', code: null } }],
    [502, '<html>does not support images</html>'],
    [500, {}],
    [504, { error: { code: 504, message: 'Deadline expired' } }],
  ])('%i %j', (status, body) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    expect(told(errorOfReply(vendor, 'm', status, {}, text))).toEqual(failed);
  });
});

test.each([
  [{ code: 'invalid_api_key', type: 'invalid_request_error' }, 'provider_credentials_refused'],
  [{ code: 'model_not_found', type: 'invalid_request_error' }, 'model_not_found'],
  [{ code: 'rate_limit_exceeded', type: 'tokens' }, 'provider_rate_limited'],
  [{ code: 500, type: 'not_supported_error' }, 'provider_rejected'],
  [{ code: 503 }, 'provider_overloaded'],
  [{}, 'provider_error'],
])('the error %j in a stream is %s: its code says more than its type', (error, code) => {
  expect(errorOfObject(vendor, 'm', { message: 'No.', ...error }).code).toBe(code);
});

test('a prompt that is too long is told from other refusals in a stream, too', () => {
  const error = { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' };
  expect(told(errorOfObject(vendor, 'm', error))).toEqual(tooLong);
  expect(told(errorOfObject(vendor, 'm', { ...error, message: 'No.' }))).toEqual(cannot);
});

test('each line says where it is told', () => {
  for (const { source } of [...replyFaults, ...namedFaults]) expect(source).toMatch(/RFC|https:|seen|vLLM/);
});
