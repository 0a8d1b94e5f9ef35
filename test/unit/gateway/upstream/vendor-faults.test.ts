/** What vendors say when they do not answer, as they have been seen to say it, and what is made of it. */
import { describe, expect, test } from 'vitest';
import type { ProviderError } from '../../../../src/gateway/upstream/provider-error.ts';
import { errorOfObject, errorOfReply } from '../../../../src/gateway/upstream/vendor-errors.ts';
import { vendorFaults, verdicts } from '../../../../src/gateway/upstream/verdicts.ts';

const vendor = { id: 'v', apiKey: null };

function told({ code, worthRetrying, outage, tooLong }: ProviderError) {
  return { code, again: worthRetrying, outage, tooLong };
}

const cannot = { code: 'provider_rejected', again: false, outage: false, tooLong: false };
const tooLong = { ...cannot, tooLong: true };
const failed = { code: 'provider_error', again: true, outage: true, tooLong: false };

const llama = (code: number, message: string, type = 'server_error') => ({ error: { code, message, type } });

/** What was said, and where and when that was seen; the status where it is not the code of the error. */
type Seen = [body: object, source: string, status?: number];

const cannots: readonly Seen[] = [
  [
    llama(500, 'image input is not supported - hint: you may need to provide the mmproj'),
    'llama.cpp #15377, 2025-08-17',
  ],
  [llama(500, 'audio input is not supported'), 'llama.cpp, seen 2026-11-27'],
  [
    llama(501, 'This server does not support embeddings', 'not_supported_error'),
    'llama.cpp, seen 2026-11-27',
  ],
  [
    llama(500, 'Failed to parse messages: Unsupported content part type: "image_url"'),
    'llama.cpp #12947, 2025-04-15',
  ],
  [llama(500, 'Unsupported param: tools'), 'llama.cpp #10920, 2024-12-20'],
  [
    llama(500, '\n------------\nError: Jinja Exception: roles must alternate'),
    'llama.cpp #19851, 2026-02-24',
  ],
  [
    { error: { message: 'this model does not support embeddings', type: 'api_error' } },
    'Ollama, chunkhound #41, 2025-09-30',
  ],
  [{ error: 'this model is missing data required for image input' }, 'Ollama, model/model.go, 2026-11-27'],
  [llama(500, 'endpoint disabled for this model by API configuration', ''), 'LocalAI #1617, 2024-02-08'],
  [
    { error: { code: 404, message: 'No endpoints found that support image input' } },
    'OpenRouter, openclaw #99079, 2026-07-02',
  ],
  [llama(500, 'Bad', 'invalid_request_error'), 'OpenAI error codes, 2026-11-27'],
];

const vllm = { object: 'error', message: "This model's maximum context length is 8 tokens." };
const gemini = 'The input token count (9) exceeds the maximum number of tokens allowed (8).';
const tooLongs: readonly Seen[] = [
  [llama(500, 'Context size has been exceeded.'), 'llama.cpp #19774, 2026-02-21'],
  [
    llama(500, 'input is too large to process. increase the physical batch size'),
    'llama.cpp #11105, 2025-01-06',
  ],
  [llama(500, 'Too big', 'exceed_context_size_error'), 'llama.cpp #15780, 2025-09-03'],
  [llama(400, 'Too big', 'exceed_context_size_error'), 'llama.cpp, seen 2026-11-27'],
  [{ error: { code: 'context_length_exceeded', message: 'No.' } }, 'OpenAI error codes, 2026-11-27', 400],
  [vllm, 'vLLM, kon #91, 2026-06-16', 400],
  [{ error: { message: gemini } }, 'Gemini API, tokens, 2026-11-27', 400],
  [{ error: 'the input length exceeds the context length' }, 'Ollama, open-notebook #350, 2025-12-24'],
  ...(
    [
      ["This model's maximum prompt length is 8 but the request contains 9 tokens.", 'xAI, cline #3120'],
      ['Invalid request: Your request exceeded model token limit: 8 (requested: 9)', 'Kimi, pi'],
      ['Input length 9 exceeds the maximum allowed input length of 8 tokens.', 'Poolside, pi #4943'],
      ['Input length (9 tokens) exceeds the maximum allowed length (8 tokens).', 'SGLang'],
      ['The decoder prompt (length 9) is longer than the maximum model length of 8.', 'vLLM'],
      ['<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 8]', 'Qwen'],
      ['Please reduce the length of the messages or completion.', 'Groq, Cerebras'],
      ['prompt token count of 9 exceeds the limit of 8', 'Copilot, pi'],
      ['tokens in request more than max tokens allowed', 'opencode #27519'],
      ['Messages have 9 tokens, which exceeds the max limit of 8 tokens.', 'Perplexity'],
      ['`inputs` must have less than 8 tokens. Given: 9', 'TGI'],
      ['Prompt exceeds max length', 'Z.ai'],
    ] as const
  ).map(([message, source]): Seen => [{ error: { message } }, source, 400]),
  [{ error: { code: '1261', message: 'Prompt 超长' } }, 'Z.ai, error codes', 400],
];

describe.each<[object, readonly Seen[]]>([
  [cannot, cannots],
  [tooLong, tooLongs],
])('a reply that a client has earned is no outage: %j', (expected, replies) => {
  test.each<Seen>(replies)('%j (%s)', (body, _source, given) => {
    const { code } = Object(Object(body).error);
    const status = given ?? (typeof code === 'number' ? code : 500);
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

// https://github.com/vercel/ai/blob/main/packages/google/CHANGELOG.md
test.each([
  ['INVALID_ARGUMENT', 'provider_rejected'],
  ['RESOURCE_EXHAUSTED', 'provider_rate_limited'],
  ['UNAVAILABLE', 'provider_overloaded'],
  ['INTERNAL', 'provider_error'],
])('the status %s in a stream is %s without its number', (status, code) => {
  expect(errorOfObject(vendor, 'm', { message: 'No.', status }).code).toBe(code);
});

const missing = { loc: ['body', 'messages'], msg: 'Field required', type: 'missing' };
const raw = JSON.stringify({ error: { message: 'prompt is too long: 9 tokens' } });
test.each<[object, string]>([
  // https://docs.mistral.ai/api
  [{ object: 'error', message: { detail: [missing] } }, 'body.messages: Field required'],
  // https://fastapi.tiangolo.com/tutorial/handling-errors
  [{ detail: [missing, { msg: 'Bad' }] }, 'body.messages: Field required; Bad'],
  [{ errors: [{ message: 'Bad' }] }, 'Bad'],
  [{ error: { error: { message: 'Bad' } } }, 'Bad'],
  // https://openrouter.ai/docs/api/reference/errors-and-debugging
  [
    { error: { message: 'Provider returned error', metadata: { raw } } },
    'Provider returned error: prompt is too long: 9 tokens',
  ],
  [{ error: { message: 'Provider returned error', metadata: { raw: '<html>' } } }, 'Provider returned error'],
])('the words of %j are told: %s', (body, words) => {
  const error = errorOfReply(vendor, 'm', 400, {}, JSON.stringify(body));
  expect(error.message).toBe(`The provider "v" refused the request: ${words}`);
  expect(error.tooLong).toBe(words.includes('too long'));
});

test.each<[number, object, string]>([
  [401, { error: { message: 'Bad key' } }, 'The provider "v" refused the credentials of this server.'],
  // https://api-docs.deepseek.com/quick_start/error_codes
  [
    402,
    { error: { message: 'Insufficient Balance' } },
    'The account of this server at the provider "v" has no credit left.',
  ],
  [
    403,
    { detail: 'Not in your country' },
    'The provider "v" does not allow this server what was asked for; the server\'s log has its reason.',
  ],
])('a %i is about this server, not about the request: %j', (status, body, message) => {
  const error = errorOfReply(vendor, 'm', status, {}, JSON.stringify(body));
  expect(error).toMatchObject({ code: 'provider_credentials_refused', message });
});

test('a prompt that is too long is told from other refusals in a stream, too', () => {
  const error = { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' };
  expect(told(errorOfObject(vendor, 'm', error))).toEqual(tooLong);
  expect(told(errorOfObject(vendor, 'm', { ...error, message: 'No.' }))).toEqual(cannot);
});

test('each line says what it means, and where it is told', () => {
  const { reply, named } = vendorFaults();
  for (const { verdict, source, status, names, words, ...odd } of [...reply, ...named]) {
    expect(verdicts).toHaveProperty(verdict);
    expect(source).toMatch(/RFC|https:|seen|vLLM/);
    expect(odd).toEqual({});
  }
});
