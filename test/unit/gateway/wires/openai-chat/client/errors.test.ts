import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../../../../generated/types.gen.ts';
import { ServiceError, type ServiceErrorOptions } from '../../../../../../src/contract/errors.ts';
import { openAiChatErrors } from '../../../../../../src/gateway/wires/openai-chat/client/errors.ts';
import { openAiChatWire } from '../../../../../../src/gateway/wires/openai-chat/client/wire.ts';
import { meta, sdkThatGets } from './sdk.ts';

const asked = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }] };
const reply = (code: ErrorCode, message = 'No.', options: ServiceErrorOptions = {}) =>
  openAiChatErrors.reply(new ServiceError(code, message, options), 'req_1');

describe('an error of Chat Completions', () => {
  test('has the four fields of OpenAI, and ours beside them', () => {
    expect(reply('invalid_request', 'messages[0] must be.', { param: 'messages[0]' })).toEqual({
      status: 400,
      body: {
        error: {
          message: 'messages[0] must be.',
          type: 'invalid_request_error',
          param: 'messages[0]',
          code: 'invalid_request',
          request_id: 'req_1',
          retryable: false,
        },
      },
      headers: {},
    });
  });

  test.each<[ErrorCode, string, ServiceErrorOptions, number, string, string]>([
    ['model_not_found', 'No.', {}, 404, 'invalid_request_error', 'model_not_found'],
    ['invalid_api_key', 'No.', {}, 401, 'invalid_request_error', 'invalid_api_key'],
    ['insufficient_scope', 'No.', {}, 403, 'invalid_request_error', 'insufficient_permissions'],
    ['rate_limited', 'No.', {}, 429, 'requests', 'rate_limit_exceeded'],
    ['rate_limited', 'No.', { retryable: false }, 429, 'insufficient_quota', 'insufficient_quota'],
    // Spent until another day.
    ['rate_limited', 'No.', { shouldRetry: false }, 429, 'insufficient_quota', 'insufficient_quota'],
    [
      'provider_rejected',
      'This model has a maximum context length of 8192 tokens.',
      { tooLong: true },
      400,
      'invalid_request_error',
      'context_length_exceeded',
    ],
    ['provider_overloaded', 'No.', {}, 503, 'server_error', 'server_is_overloaded'],
    ['provider_error', 'No.', {}, 502, 'server_error', 'server_error'],
    ['internal_error', 'No.', {}, 500, 'server_error', 'server_error'],
  ])('%s (%s, %j) is %i %s %s', (code, message, options, status, type, name) => {
    expect(reply(code, message, options)).toMatchObject({ status, body: { error: { type, code: name } } });
  });

  test('is what the SDK makes of such a reply', async () => {
    const { status, body } = reply('rate_limited');
    const thrown: unknown = await sdkThatGets(body, status)
      .chat.completions.create(asked)
      .catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(OpenAI.RateLimitError);
    expect(thrown).toMatchObject({ code: 'rate_limit_exceeded', type: 'requests' });
  });

  test('in a stream makes the SDK throw, with what came before it', async () => {
    const writer = openAiChatWire.read(asked).stream(meta);
    const error = new ServiceError('provider_stream_interrupted', 'It broke off.');
    const body =
      writer.start() + writer.take({ type: 'delta', content: 'Hel' }) + writer.fail(error, 'req_1');
    const stream = await sdkThatGets(body).chat.completions.create({ ...asked, stream: true });
    let text = '';
    const reading = (async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    })();
    await expect(reading).rejects.toMatchObject({ code: 'server_error', message: 'It broke off.' });
    expect(text).toBe('Hel');
  });

  test('the heartbeat is nothing to the SDK', async () => {
    const writer = openAiChatWire.read(asked).stream(meta);
    const end = { type: 'end', finishReason: 'stop', endReason: 'stop', usage: null } as const;
    const body = `${openAiChatErrors.ping}${writer.start()}${openAiChatErrors.ping}${writer.take(end)}`;
    const stream = sdkThatGets(body).chat.completions.stream(asked);
    expect((await stream.finalChatCompletion()).choices[0]?.finish_reason).toBe('stop');
  });
});
