/** What holds for every operation, derived from the contract, so that a new operation is covered when it is added. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../generated/operations.gen.ts';
import { examplesOf, type OperationAt, operationsOf } from '../../scripts/generate/document.ts';
import type { Handlers, OperationId } from '../../src/contract/registry.ts';
import { createApplication } from '../../src/http/application.ts';
import { bearerAuth } from '../../src/http/authenticate.ts';
import { listen, serve } from '../../src/http/listen.ts';
import { createRouter } from '../../src/http/router.ts';
import { createLog } from '../../src/observe/log.ts';
import { recordingCheck, scopelessKey, startApp, type TestApp } from '../helpers/app.ts';
import { contract } from '../helpers/contract.ts';
import { type Ask, ask } from '../helpers/http.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const all = operationsOf(contract);
const secured = all.filter(({ operation }) => operation.security.length > 0);
const withBody = all.filter(({ operation }) => operation.requestBody);
const reading = all.filter(({ method }) => method === 'get');
const documents = all.filter(({ operation }) => operation.responses['304']);

/** A request that the contract accepts, made from its examples. */
function validAsk({ method, operation }: OperationAt): Ask {
  const media = operation.requestBody?.content['application/json'];
  const body = media ? examplesOf(contract, media)[0]?.[2] : undefined;
  return { method: method.toUpperCase(), ...(body === undefined ? {} : { body }) };
}

describe.each(all)('$id', (at) => {
  it('answers its own example', async () => {
    const { status, headers } = await ask(app.url + at.path, validAsk(at));
    expect(status).toBe(200);
    expect(headers['x-request-id']).toMatch(/^req_[0-9A-Z]{26}$/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('refuses an unknown query parameter, naming it', async () => {
    const { status, error } = await ask(`${app.url}${at.path}?surprise=1`, validAsk(at));
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: 'invalid_request', param: 'surprise' });
  });

  it('answers 406 to an Accept header that excludes every reply', async () => {
    const { status, error } = await ask(app.url + at.path, {
      ...validAsk(at),
      headers: { accept: 'image/png' },
    });
    expect(status).toBe(406);
    expect(error.code).toBe('not_acceptable');
  });

  it('answers 405 with Allow to another method', async () => {
    const { status, headers, error } = await ask(app.url + at.path, { method: 'DELETE' });
    expect(status).toBe(405);
    expect(error.code).toBe('method_not_allowed');
    expect(headers['allow']?.split(', ')).toContain(at.method.toUpperCase());
  });

  it('answers OPTIONS with Allow, and a preflight with what a browser may send', async () => {
    const preflight = {
      origin: 'https://app.example',
      'access-control-request-method': at.method.toUpperCase(),
    };
    const { status, headers, text } = await ask(app.url + at.path, { method: 'OPTIONS', headers: preflight });
    expect(status).toBe(204);
    expect(text).toBe('');
    expect(headers['allow']).toContain(at.method.toUpperCase());
    expect(headers['access-control-allow-methods']).toBe(headers['allow']);
    expect(headers['access-control-allow-headers']).toContain('authorization');
  });
});

describe.each(secured)('$id, which needs a key,', (at) => {
  it('answers 401 with a challenge without one', async () => {
    const { status, headers, error } = await ask(app.url + at.path, { ...validAsk(at), key: null });
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer realm="switchyard"');
    expect(error.code).toBe('missing_api_key');
  });

  it('answers 401 to one that is not known', async () => {
    const { status, headers, error } = await ask(app.url + at.path, {
      ...validAsk(at),
      key: 'not-a-key-of-ours',
    });
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
    expect(error.code).toBe('invalid_api_key');
  });

  it('answers 403 to one without its scope', async () => {
    const { status, error } = await ask(app.url + at.path, { ...validAsk(at), key: scopelessKey });
    expect(status).toBe(403);
    expect(error.code).toBe('insufficient_scope');
  });
});

describe.each(withBody)('$id, which takes a body,', (at) => {
  const url = () => app.url + at.path;

  it('answers 415 to a body that is not JSON', async () => {
    const { status, error } = await ask(url(), { body: 'hello', headers: { 'content-type': 'text/plain' } });
    expect(status).toBe(415);
    expect(error.code).toBe('unsupported_media_type');
  });

  it('answers 415 to an unknown content encoding', async () => {
    const { status, error } = await ask(url(), { body: '{}', headers: { 'content-encoding': 'unknown' } });
    expect(status).toBe(415);
    expect(error.code).toBe('unsupported_media_type');
  });

  it('answers 400 to a missing and to an empty body', async () => {
    for (const asking of [{ method: 'POST' }, { body: '' }, { body: '   ' }] satisfies Ask[]) {
      const { status, error } = await ask(url(), asking);
      expect(status).toBe(400);
      expect(error.code).toBe('missing_body');
    }
  });

  it.each(['{', '{"a":NaN}', "{'a':1}", 'hello', '[1,2'])(
    'answers 400 to the broken JSON %s',
    async (body) => {
      const { status, error } = await ask(url(), { body });
      expect(status).toBe(400);
      expect(error.code).toBe('malformed_json');
    },
  );

  it.each(['null', '[]', '"text"', '5'])('answers 400 to %s, which is no object', async (body) => {
    const { status, error } = await ask(url(), { body });
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: 'invalid_request', message: 'The body must be an object.' });
  });

  it('answers 413 to a body that is too large, announced or not', async () => {
    const limit = operations[at.id as OperationId].body?.maxBytes ?? 0;
    const body = JSON.stringify({ padding: 'x'.repeat(limit) });
    const announced = await ask(url(), { body });
    expect([announced.status, announced.error.code]).toEqual([413, 'payload_too_large']);
    const response = await fetch(url(), {
      method: 'POST',
      headers: { authorization: 'Bearer test-key-with-all-scopes', 'content-type': 'application/json' },
      body: new Blob([body]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
  });
});

describe.each(reading)('$id, which only reads,', (at) => {
  it('answers HEAD like GET, without the body', async () => {
    const get = await ask(app.url + at.path);
    const head = await ask(app.url + at.path, { method: 'HEAD' });
    expect(head.status).toBe(get.status);
    expect(head.text).toBe('');
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });
});

describe.each(documents)('$id, which is a document,', (at) => {
  it('answers 304 to its own ETag and the document to another', async () => {
    const { headers } = await ask(app.url + at.path);
    const again = await ask(app.url + at.path, { headers: { 'if-none-match': headers['etag'] ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
    const other = await ask(app.url + at.path, { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });
});

describe('a failure of ours', () => {
  const secret = 'a message with an internal detail';
  const failing = async (asking: { inHandler: boolean }) => {
    const fail = async () => {
      throw new Error(secret);
    };
    const reception = await listen('127.0.0.1', 0);
    const publicUrl = `http://127.0.0.1:${reception.port}`;
    const verify = asking.inHandler ? async () => ({ keyId: 'k', scopes: new Set(['chat']) }) : fail;
    const router = await createRouter({
      pages: [],
      authenticate: { bearerAuth: bearerAuth(verify) },
    });
    const handlers = Object.fromEntries(
      Object.keys(operations).map((id) => [id, fail]),
    ) as unknown as Handlers;
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => lines.push(line) });
    const stream = { heartbeatMs: 1000, writeTimeoutMs: 1000 };
    const running = new Set<never>();
    const application = createApplication({
      router,
      handlers,
      replyCheck: recordingCheck,
      log,
      publicUrl,
      stream,
      running,
    });
    const lifecycle = { draining: false, startedAt: 0 };
    const listener = serve(reception, application.callback(), { lifecycle, running, publicUrl });
    return { url: publicUrl, lines, close: () => listener.drain(0) };
  };

  it.each(all)(
    'inside the handler of $id is a 500 that shows nothing of it and is logged with its cause',
    async (at) => {
      const server = await failing({ inHandler: true });
      const { status, text, error } = await ask(server.url + at.path, validAsk(at));
      expect(status).toBe(500);
      expect(error).toMatchObject({ code: 'internal_error', type: 'api_error', retryable: true });
      expect(text).not.toContain(secret);
      expect(text).not.toContain('at ');
      expect(server.lines.some((line) => line.includes(secret) && line.includes(error.request_id))).toBe(
        true,
      );
      await server.close();
    },
  );

  it.each(secured)('while $id checks the key is a 500, never a 401', async (at) => {
    const server = await failing({ inHandler: false });
    const { status, text, error } = await ask(server.url + at.path, validAsk(at));
    expect(status).toBe(500);
    expect(error.code).toBe('internal_error');
    expect(text).not.toContain(secret);
    await server.close();
  });
});
