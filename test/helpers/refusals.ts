/** What an operation is expected to say when it refuses, each in the form of the interface that it is one of. */
import { expect } from 'vitest';
import { errorCodes } from '../../generated/error-codes.gen.ts';
import type { ErrorCode } from '../../generated/types.gen.ts';
import type { Operation } from '../../src/contract/served/document.ts';
import type { Answer } from './http.ts';

/** The names that OpenAI has for our codes: of its `type` and its `code`. Any other is a bad request under our own name. */
const openAi: Partial<Record<ErrorCode, readonly [type: string, code: string, status?: number]>> = {
  model_not_found: ['invalid_request_error', 'model_not_found', 404],
  missing_api_key: ['invalid_request_error', 'invalid_api_key'],
  invalid_api_key: ['invalid_request_error', 'invalid_api_key'],
  insufficient_scope: ['invalid_request_error', 'insufficient_permissions'],
  rate_limited: ['requests', 'rate_limit_exceeded'],
  provider_rate_limited: ['requests', 'rate_limit_exceeded'],
  provider_overloaded: ['server_error', 'server_is_overloaded'],
  internal_error: ['server_error', 'server_error'],
  storage_unavailable: ['server_error', 'server_error'],
  provider_error: ['server_error', 'server_error'],
  provider_total_timeout: ['server_error', 'server_error'],
  provider_first_byte_timeout: ['server_error', 'server_error'],
};

const anthropicTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  415: 'invalid_request_error',
  429: 'rate_limit_error',
  500: 'api_error',
  502: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

const googleStatuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

export interface Refusal {
  /** What there is to read. */
  readonly message: string;
  /** The field that was wrong. */
  readonly param: string | null;
}

/** Holds an error reply against the one form that its interface has for it. */
export function expectRefusal(operation: Operation, answer: Answer, code: ErrorCode): Refusal {
  const requestId = answer.headers['x-request-id'];
  expect(requestId).toMatch(/^req_[0-9A-Z]{26}$/);
  expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
  const refusal = forms[operation['x-wire'] ?? 'own'](answer, code, requestId ?? '');
  expect(refusal.message.length).toBeGreaterThan(10);
  return refusal;
}

type Form = (answer: Answer, code: ErrorCode, requestId: string) => Refusal;

const forms: Readonly<Record<NonNullable<Operation['x-wire']> | 'own', Form>> = {
  own({ status, error }, code, requestId) {
    const { status: expected, type } = errorCodes[code];
    expect([status, error]).toEqual([
      expected,
      expect.objectContaining({ code, type, request_id: requestId }),
    ]);
    return error;
  },

  // https://github.com/openai/openai-openapi, `ErrorResponse`: all four fields are required.
  openai({ status, json }, code, requestId) {
    const [type, name, own] = openAi[code] ?? ['invalid_request_error', code];
    expect([status, json]).toEqual([
      own ?? errorCodes[code].status,
      {
        error: {
          message: expect.any(String),
          type,
          param: json.error.param === null ? null : expect.any(String),
          code: name,
          request_id: requestId,
          retryable: expect.any(Boolean),
        },
      },
    ]);
    return json.error;
  },

  // https://docs.anthropic.com/en/api/errors
  anthropic({ status, headers, json }, code, requestId) {
    const ours = code === 'model_not_found' ? 404 : errorCodes[code].status;
    const expected = ours === 503 ? 529 : ours;
    expect([status, headers['request-id'], json]).toEqual([
      expected,
      requestId,
      {
        type: 'error',
        error: {
          type: anthropicTypes[expected],
          message: expect.any(String),
          code,
          param: json.error.param === null ? null : expect.any(String),
          retryable: expect.any(Boolean),
        },
        request_id: requestId,
      },
    ]);
    return json.error;
  },

  // https://www.jsonrpc.org/specification#error_object
  mcp({ status, json }, code, requestId) {
    expect([status, json]).toEqual([
      errorCodes[code].status,
      { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: expect.any(Number) }) },
    ]);
    expect(json.error.data).toMatchObject({ code, request_id: requestId, retryable: expect.any(Boolean) });
    return { message: json.error.message, param: json.error.data.param };
  },

  // https://cloud.google.com/apis/design/errors
  gemini({ status, json }, code, requestId) {
    const expected = code === 'model_not_found' ? 404 : errorCodes[code].status;
    expect([status, json]).toEqual([
      expected,
      {
        error: {
          code: expected,
          message: expect.any(String),
          status: googleStatuses[expected],
          details: expect.any(Array),
        },
      },
    ]);
    const details = new Map<string, Record<string, unknown>>(
      json.error.details.map((detail: { '@type': string }) => [detail['@type'].split('.').at(-1), detail]),
    );
    expect(details.get('ErrorInfo')).toMatchObject({ reason: code.toUpperCase(), domain: 'switchyard' });
    expect(details.get('RequestInfo')).toMatchObject({ requestId });
    const { fieldViolations: [violation] = [] } = (details.get('BadRequest') ?? {}) as {
      fieldViolations?: { field: string }[];
    };
    return { message: json.error.message, param: violation?.field ?? null };
  },
};
