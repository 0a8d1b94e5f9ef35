import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../../../../src/contract/errors.ts';
import { anthropicErrors } from '../../../../../../src/gateway/wires/anthropic/client/errors.ts';
import { asked, meta, plain, readBySdk } from '../../../../../helpers/anthropic-answers.ts';

describe('errors', () => {
  const id = '01JAZREQUEST';

  test.each([
    ['invalid_request', 400, 'invalid_request_error'],
    ['provider_rejected', 400, 'invalid_request_error'],
    ['invalid_api_key', 401, 'authentication_error'],
    ['insufficient_scope', 403, 'permission_error'],
    ['not_found', 404, 'not_found_error'],
    ['model_not_found', 404, 'not_found_error'],
    ['method_not_allowed', 405, 'invalid_request_error'],
    ['payload_too_large', 413, 'request_too_large'],
    ['rate_limited', 429, 'rate_limit_error'],
    ['internal_error', 500, 'api_error'],
    ['provider_error', 502, 'api_error'],
    ['provider_overloaded', 529, 'overloaded_error'],
    ['buffers_full', 529, 'overloaded_error'],
    ['provider_idle_timeout', 504, 'timeout_error'],
  ] as const)('%s is %i %s', (code, status, type) => {
    const error = new ServiceError(code, 'It went wrong.');
    const body = {
      type: 'error',
      error: { type, message: 'It went wrong.', code, param: null, retryable: error.retryable },
      request_id: id,
    };
    expect(anthropicErrors.reply(error, id)).toEqual({ status, body, headers: { 'request-id': id } });
    expect(anthropicErrors.event(error, id)).toBe(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
  });

  test('name the field', () => {
    const error = new ServiceError('invalid_request', 'Broken.', { param: 'messages[0].content' });
    expect(anthropicErrors.reply(error, id).body).toMatchObject({
      error: { message: 'messages[0].content: Broken.', param: 'messages[0].content' },
    });
  });

  test('are what the official client throws', async () => {
    const error = new ServiceError('provider_overloaded', 'Overloaded.');
    const { status, body, headers } = anthropicErrors.reply(error, id);
    const fetch = async () => new Response(JSON.stringify(body), { status, headers });
    const client = new Anthropic({ apiKey: 'sk-test', fetch, maxRetries: 0 });
    const thrown = await client.messages.create({ ...plain, messages: [] }).catch((reason) => reason);
    expect(thrown).toBeInstanceOf(Anthropic.APIError);
    expect(thrown).toMatchObject({ status: 529, type: 'overloaded_error', requestID: id });
  });

  test('end a stream that broke off, pings before it or not', async () => {
    const writer = asked.stream(meta);
    const error = new ServiceError('provider_stream_interrupted', 'Broken off.');
    const sse =
      anthropicErrors.ping +
      writer.start() +
      writer.take({ type: 'delta', content: 'Hi' }) +
      anthropicErrors.ping +
      writer.fail(error, id);
    const thrown = await readBySdk(sse).catch((reason) => reason);
    expect(thrown).toBeInstanceOf(Anthropic.APIError);
    expect(thrown).toMatchObject({ type: 'api_error', error: { request_id: id } });
  });
});
