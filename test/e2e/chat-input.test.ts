/** What `POST /v1/chat` refuses, and how it says so. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../helpers/app.ts';
import { ask } from '../helpers/http.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const chat = (body: unknown) => ask(`${app.url}/v1/chat`, { body });
const messages = [{ role: 'user', content: 'Hello' }];

describe('a field that is wrong is named', () => {
  const said = (...list: readonly object[]) => ({ messages: list.map((one) => ({ role: 'user', ...one })) });
  const rest = { model: 'm', messages };
  const table: [object, string, string][] = [
    [{ ...rest, messages: [] }, 'messages', 'messages must not be empty.'],
    [{ ...rest, messages: 'hi' }, 'messages', 'messages must be an array.'],
    [
      { ...rest, ...said({ role: 'robot', content: 'x' }) },
      'messages[0].role',
      'must be one of "system", "user", "assistant", "tool"',
    ],
    [{ ...rest, ...said({}) }, 'messages[0].content', 'is required'],
    [{ ...rest, ...said({ content: '' }) }, 'messages[0].content', 'must not be empty'],
    [{ ...rest, ...said({ content: 5 }) }, 'messages[0].content', 'must be a string'],
    [{ ...rest, ...said({ content: 'x' }, { content: 5 }) }, 'messages[1].content', 'must be a string'],
    [{ messages }, 'model', 'model is required.'],
    [{ ...rest, model: '' }, 'model', 'model must not be empty.'],
    [{ message: '' }, 'message', 'message must not be empty.'],
    [{ message: ['hi'] }, 'message', 'message must be a string.'],
    [{ ...rest, temperature: -0.1 }, 'temperature', 'temperature must be at least 0.'],
    [{ ...rest, temperature: 2.1 }, 'temperature', 'temperature must be at most 2.'],
    [{ ...rest, temperature: 'hot' }, 'temperature', 'temperature must be a number.'],
    [{ ...rest, temperature: null }, 'temperature', 'temperature must be a number.'],
    [{ ...rest, maxTokens: 0 }, 'maxTokens', 'maxTokens must be at least 1.'],
    [{ ...rest, maxTokens: -1 }, 'maxTokens', 'maxTokens must be at least 1.'],
    [{ ...rest, maxTokens: 1.5 }, 'maxTokens', 'maxTokens must be a whole number.'],
    [{ ...rest, maxTokens: 1e30 }, 'maxTokens', 'maxTokens must be at most 1000000.'],
    [{ message: 'hi', stream: 'yes' }, 'stream', 'stream must be true or false.'],
    [{ message: 'hi', top_k: 3 }, 'top_k', 'top_k is not a known field.'],
    [{ ...rest, ...said({ content: 'x', name: 'y' }) }, 'messages[0].name', 'is not a known field'],
    [{ message: 'hi', max_tokens: 3 }, 'max_tokens', 'is not a known field; did you mean maxTokens?'],
  ];

  it.each(table)('%j: %s %s', async (body, param, message) => {
    const { status, error } = await chat(body);
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: 'invalid_request',
      type: 'invalid_request_error',
      param,
      retryable: false,
    });
    expect(error.message).toContain(message);
    expect(error.details.map((detail) => detail.path)).toContain(param);
    expect(error.docs_url).toBe(`${app.url}/docs#/errors/invalid_request`);
  });

  it('with all others that are wrong', async () => {
    const { error } = await chat({
      model: '',
      messages: [{ role: 'robot', content: 5 }],
      temperature: 3,
      maxTokens: 0,
    });
    expect(error.details.map((detail) => detail.path).sort()).toEqual(
      ['maxTokens', 'messages[0].content', 'messages[0].role', 'model', 'temperature'].sort(),
    );
    expect(error.message).toContain('(and 4 more problems)');
  });
});

describe('maxTokens takes a whole number however JSON writes it', () => {
  it.each(['1', '2048', '2048.0', '1e3', '1E+3', '20.48e2', '1000000', '1e6'])('%s', async (number) => {
    const { status } = await chat(`{"model": "sandbox/echo", "message": "Hi", "maxTokens": ${number}}`);
    expect(status).toBe(200);
  });

  it.each(['1000001', '1e7', '1e300'])('up to the bound that is named: %s', async (number) => {
    const { status, error } = await chat(`{"message": "Hi", "maxTokens": ${number}}`);
    expect([status, error.message]).toEqual([400, 'maxTokens must be at most 1000000.']);
  });
});

describe('exactly one of messages and message', () => {
  it('neither', async () => {
    const { status, error } = await chat({ model: 'm' });
    expect(status).toBe(400);
    expect(error.message).toBe('Exactly one of "messages" and "message" is required.');
    expect(error.details.map((detail) => detail.path)).toEqual(['messages', 'message']);
  });

  it('both', async () => {
    const { status, error } = await chat({ model: 'm', messages, message: 'Hello' });
    expect(status).toBe(400);
    expect(error.message).toBe('"messages" and "message" exclude each other; send one of them.');
  });
});

describe('hostile bodies', () => {
  it.each(['__proto__', 'constructor', 'toString'])(
    'the field %s is unknown like any other',
    async (name) => {
      const { status, error } = await chat(`{"message":"hi","${name}":{"isAdmin":true}}`);
      expect(status).toBe(400);
      expect(error.param).toBe(name);
      expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    },
  );

  it.each(['__proto__', 'constructor', 'hasOwnProperty'])(
    'the model %s only names a model',
    async (model) => {
      const { status } = await chat({ model, message: 'hi' });
      expect(status).toBe(200);
    },
  );

  it('10,000 nested arrays are refused', async () => {
    const { status, error } = await chat(
      `{"model":"m","messages":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    );
    expect(status).toBe(400);
    expect(error.param).toBe('messages[0]');
  });

  it('a large body full of mistakes is answered with the first of them', async () => {
    const { status, error } = await chat({ model: 'm', messages: new Array(200_000).fill(1) });
    expect(status).toBe(400);
    expect(error.details.length).toBe(1);
  });

  it('a small body full of mistakes is answered with a bounded list', async () => {
    const { error } = await chat({ model: 'm', messages: new Array(500).fill(1) });
    expect(error.details.length).toBe(50);
  });

  it('duplicate keys: the last one counts', async () => {
    const { status, json } = await chat('{"message":"first","model":"sandbox/echo","message":"second"}');
    expect(status).toBe(200);
    expect(json.content).toBe('second');
  });

  it('lone surrogates survive', async () => {
    const { status, text } = await chat('{"message":"a\\ud800b","model":"sandbox/echo"}');
    expect(status).toBe(200);
    expect(JSON.parse(text).content).toBe('a\ud800b');
  });

  it('a body compressed with gzip is read, a compressed bomb is not', async () => {
    const { gzipSync } = await import('node:zlib');
    const headers = { 'content-encoding': 'gzip' };
    const fine = gzipSync(JSON.stringify({ message: 'hi', model: 'sandbox/echo' }));
    expect((await ask(`${app.url}/v1/chat`, { body: fine, headers })).status).toBe(200);
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, 32));
    expect((await ask(`${app.url}/v1/chat`, { body: bomb, headers })).status).toBe(413);
    const damaged = Buffer.concat([fine.subarray(0, 20), Buffer.from('garbage')]);
    for (const encoding of ['gzip', 'deflate', 'br']) {
      const { status, error } = await ask(`${app.url}/v1/chat`, {
        body: damaged,
        headers: { 'content-encoding': encoding },
      });
      expect([encoding, status, error.code]).toEqual([encoding, 400, 'malformed_request']);
    }
  });
});

describe('the key', () => {
  it.each([
    ['no scheme', 'test-key-with-all-scopes', 'missing_api_key'],
    ['another scheme', 'Basic dXNlcjpwYXNz', 'missing_api_key'],
    ['no value', 'Bearer ', 'missing_api_key'],
    ['two values', 'Bearer one two', 'missing_api_key'],
    ['wrong', 'Bearer wrong', 'invalid_api_key'],
  ])('%s', async (_name, authorization, code) => {
    const { status, error } = await ask(`${app.url}/v1/chat`, {
      key: null,
      headers: { authorization },
      body: { message: 'hi' },
    });
    expect(status).toBe(401);
    expect(error.code).toBe(code);
  });

  it('in the query is refused and not echoed', async () => {
    const { status, text } = await ask(`${app.url}/v1/chat?api_key=sk-canary-123456`, {
      key: null,
      body: { message: 'hi' },
    });
    expect(status).toBe(401);
    expect(text).not.toContain('canary');
  });
});
