import { describe, expect, test } from 'vitest';
import { errorOfObject, errorOfReply } from '../../../../../../src/gateway/upstream/vendor-errors.ts';
import { geminiJson } from '../../../../../helpers/wire-fixtures.ts';

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
    ['no delay', { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: 'soon' }] }],
    ['a day', { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '-5s' }] }],
  ])('with details that are %s is an error all the same', (_, more) => {
    const error = read(429, { error: { code: 429, message: 'Slow', status: 'RESOURCE_EXHAUSTED', ...more } });
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
