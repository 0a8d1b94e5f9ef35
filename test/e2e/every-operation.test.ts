/** What holds for every operation, derived from the contract, so that a new operation is covered when it is added. */
import { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../generated/operations.gen.ts';
import {
  asksForKept,
  hasOpenQuery,
  isForAdmin,
  needsNoKey,
  takesApiKeyHeader,
} from '../../scripts/generate/document.ts';
import type { OperationId } from '../../src/contract/registry.ts';
import { isForeign, type OperationAt, operationsOf } from '../../src/contract/served/document.ts';
import { scopelessKey, type TestApp } from '../helpers/app.ts';
import { contract } from '../helpers/contract.ts';
import { type ExampleServer, startExampleServer, takesForm } from '../helpers/example-server.ts';
import { type Answer, type Ask, ask } from '../helpers/http.ts';
import { expectRefusal } from '../helpers/refusals.ts';
import { testEvery } from '../helpers/test-every.ts';
import { until } from '../helpers/vendor-gateway.ts';

let server: ExampleServer;
let app: TestApp;
beforeAll(async () => {
  server = await startExampleServer();
  ({ app } = server);
});
afterAll(() => app.close());

const all = operationsOf(contract);
const secured = all.filter(({ operation }) => !needsNoKey(operation));
const scoped = secured.filter(
  ({ operation }) => !isForAdmin(operation) && Object.values(operation.security[0] ?? {}).flat().length > 0,
);
const withBody = all.filter(({ operation }) => operation.requestBody && !takesForm(operation));
const withForm = all.filter(({ operation }) => takesForm(operation));
/** Those of our own interface, and those of foreign ones: what holds for these alone is in `every-foreign-operation.test.ts`. */
const own = all.filter(({ operation }) => !isForeign(operation));
const foreign = all.filter(({ operation }) => isForeign(operation));
const reading = all.filter(({ method }) => method === 'get');
const documents = all.filter(({ operation }) => operation.responses['304']);

/** The operations of the administrator, who has schemes of their own. */
const forAdmin = all.filter(({ operation }) => isForAdmin(operation));
/** What programs of this machine may read without a key; `operation.test.ts` shows who else may. */
const local = all.filter(({ operation }) => operation.security.some((by) => 'metricsAccess' in by));
const withKey = secured.filter((at) => !forAdmin.includes(at) && !local.includes(at));

/** An AI feature that only a language model can answer, of which the server of these tests has none. */
function needsModel({ id, operation }: OperationAt): boolean {
  if (id === 'useFeature') return true;
  const engines = operation['x-engines'];
  return engines !== undefined && !engines.includes('local');
}

function usesCookies({ id }: OperationAt): boolean {
  return operations[id as OperationId].cookies;
}

/** For where another server has the name. */
const pathOf = (at: OperationAt) => server.pathOf(at);

/** What two answers to the same question have in common. */
function outlineOf(answer: Answer) {
  const type = answer.headers['content-type'];
  const isJson = type?.startsWith('application/json');
  return { status: answer.status, type, of: isJson ? Object.keys(answer.json) : answer.text.length };
}

const validAsk = (at: OperationAt): Ask => server.askOf(at);

it('knows operations of our own interface and of foreign ones', () => {
  expect([own.length > 70, foreign.length > 10]).toEqual([true, true]);
});

describe('every operation', () => {
  testEvery('answers its own example', all, async (at) => {
    const answer = await ask(app.url + pathOf(at), validAsk(at));
    const { status, headers } = answer;
    const declared = Number(Object.keys(at.operation.responses)[0]);
    expect(status).toBe(needsModel(at) ? 400 : asksForKept(at) ? 404 : declared);
    if (asksForKept(at)) expectRefusal(at.operation, answer, 'not_found');
    if (needsModel(at)) expect(answer.error.code).toBe('model_required');
    expect(headers['x-request-id']).toMatch(/^req_[0-9A-Z]{26}$/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['access-control-allow-origin']).toBe(usesCookies(at) ? undefined : '*');
    expect(headers['x-powered-by']).toBeUndefined();
  });

  testEvery('answers 405 with Allow to another method', all, async (at) => {
    const { status, headers, error } = await ask(app.url + pathOf(at), { method: 'PUT' });
    expect(status).toBe(405);
    expect(error.code).toBe('method_not_allowed');
    expect(headers['allow']?.split(', ')).toContain(at.method.toUpperCase());
  });

  testEvery('answers OPTIONS with Allow, and a preflight with what a browser may send', all, async (at) => {
    const preflight = {
      origin: 'https://app.example',
      'access-control-request-method': at.method.toUpperCase(),
    };
    const { status, headers, text } = await ask(app.url + pathOf(at), {
      method: 'OPTIONS',
      headers: preflight,
    });
    expect(status).toBe(204);
    expect(text).toBe('');
    expect(headers['allow']).toContain(at.method.toUpperCase());
    if (usesCookies(at)) return expect(headers['access-control-allow-methods']).toBeUndefined();
    expect(headers['access-control-allow-methods']).toBe(headers['allow']);
    expect(headers['access-control-allow-headers']).toContain('authorization');
  });
});

testEvery(
  'an operation of our own refuses an unknown query parameter, naming it',
  own.filter(({ operation }) => !hasOpenQuery(operation)),
  async (at) => {
    const { status, error } = await ask(`${app.url}${pathOf(at)}?surprise=1`, validAsk(at));
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: 'invalid_request', param: 'surprise' });
  },
);

// Claude Code asks for `?beta=true`, and for `?limit=1000` where it lists models.
testEvery(
  'one with an open query answers the same to an unknown query parameter',
  all.filter(({ operation }) => hasOpenQuery(operation)),
  async (at) => {
    const asking = { ...validAsk(at), direct: true };
    const plain = await ask(app.url + pathOf(at), asking);
    expect(plain.status).toBe(asksForKept(at) ? 404 : 200);
    const other = await ask(`${app.url}${pathOf(at)}?surprise=1`, asking);
    expect(outlineOf(other)).toEqual(outlineOf(plain));
  },
);

testEvery(
  'an operation of our own answers 406 to an Accept header that excludes every reply',
  own,
  async (at) => {
    const { status, error } = await ask(app.url + pathOf(at), {
      ...validAsk(at),
      headers: { accept: 'image/png' },
    });
    expect(status).toBe(406);
    expect(error.code).toBe('not_acceptable');
  },
);

testEvery('one of a foreign interface answers the same to any Accept header', foreign, async (at) => {
  const plain = await ask(app.url + pathOf(at), { ...validAsk(at), direct: true });
  const asking = validAsk(at);
  const headers = { ...asking.headers, accept: 'image/png' };
  expect(plain.status).toBe(asksForKept(at) ? 404 : 200);
  const other = await ask(app.url + pathOf(at), { ...asking, headers, direct: true });
  expect(outlineOf(other)).toEqual(outlineOf(plain));
});

const secondNames = all.flatMap((at) =>
  (at.operation['x-also-known-as'] ?? []).map((name) => ({ id: `${at.id} ${name}`, name, at })),
);

it('the paths that the interface names without a version are second names', () => {
  expect(secondNames.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'createChat /chat',
      'runAgent /agents/{agent_id}/run',
      'runAgent /api/agents/{agent_id}/run',
      'listFeatures /ai',
      'listFeatures /api/ai',
      'useFeature /ai/{feature_id}',
      'useFeature /api/ai/{feature_id}',
      'keywords /ai/keywords',
      'runAssistant /agents/assistant/run',
    ]),
  );
});

describe('a second name', () => {
  const urlsOf = ({ name, at }: (typeof secondNames)[number]) =>
    [app.url + pathOf(at), app.url + pathOf({ ...at, path: name })] as const;

  testEvery('answers as the first does, and is the same operation', secondNames, async (named) => {
    const [first, second] = urlsOf(named);
    const asking = { ...validAsk(named.at), direct: true };
    const [one, other] = [await ask(first, asking), await ask(second, asking)];
    expect(outlineOf(other)).toEqual(outlineOf(one));
    expect(Object.keys(other.headers).sort()).toEqual(Object.keys(one.headers).sort());
    const line = () => app.log.find((entry) => entry['request_id'] === other.headers['x-request-id']);
    await until(() => line() !== undefined);
    expect(line()).toMatchObject({ operation: named.at.id });
  });

  testEvery('has the same guards', secondNames, async (named) => {
    const [first, second] = urlsOf(named);
    const { at } = named;
    for (const asking of [
      { ...validAsk(at), key: null },
      { ...validAsk(at), key: scopelessKey },
      { method: 'PUT' },
      { method: 'OPTIONS' },
    ]) {
      const [one, other] = [
        await ask(first, { ...asking, direct: true }),
        await ask(second, { ...asking, direct: true }),
      ];
      expect([other.status, other.headers['www-authenticate']]).toEqual([
        one.status,
        one.headers['www-authenticate'],
      ]);
      if (asking.method !== 'PUT' && asking.method !== 'OPTIONS') continue;
      expect(other.headers['allow']).toContain(at.method.toUpperCase());
    }
  });
});

describe('an operation that needs a key', () => {
  testEvery('answers 401 with a challenge without one', withKey, async (at) => {
    const answer = await ask(app.url + pathOf(at), { ...validAsk(at), key: null });
    expectRefusal(at.operation, answer, 'missing_api_key');
    const scheme = takesApiKeyHeader(at.operation) ? 'ApiKey' : 'Bearer';
    // Clients of MCP get the address of the metadata.
    const more = at.operation['x-wire'] === 'mcp' ? /^, resource_metadata="http[^"]+"$/ : /^$/;
    const [challenge = '', after] = (answer.headers['www-authenticate'] ?? '').split(/(?<="switchyard")/);
    expect([challenge, after ?? '']).toEqual([`${scheme} realm="switchyard"`, expect.stringMatching(more)]);
  });

  testEvery('answers 401 to one that is not known', withKey, async (at) => {
    const answer = await ask(app.url + pathOf(at), { ...validAsk(at), key: 'not-a-key-of-ours' });
    expectRefusal(at.operation, answer, 'invalid_api_key');
    const challenge = takesApiKeyHeader(at.operation) ? 'ApiKey realm' : 'error="invalid_token"';
    expect(answer.headers['www-authenticate']).toContain(challenge);
  });
});

testEvery('an operation that needs a scope answers 403 to one without its scope', scoped, async (at) => {
  const answer = await ask(app.url + pathOf(at), { ...validAsk(at), key: scopelessKey });
  expectRefusal(at.operation, answer, 'insufficient_scope');
});

/** JSON objects that are too large, by the limit, which many operations have in common. */
const largeBodies = new Map<number, Buffer>();
afterAll(() => largeBodies.clear());

function tooLarge(limit: number): Buffer {
  const body = largeBodies.get(limit) ?? Buffer.from(JSON.stringify({ padding: 'x'.repeat(limit) }));
  largeBodies.set(limit, body);
  return body;
}

function* inPieces(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536);
}

describe('an operation that takes a body', () => {
  /** Where an operation is asked, and as whom. */
  function askedOf(at: OperationAt) {
    const { method = 'POST', key = null, keyAs = 'bearer' } = validAsk(at);
    return { url: app.url + pathOf(at), asking: { method, key, keyAs } };
  }

  testEvery('answers 415 to a body that is not JSON', withBody, async (at) => {
    const { url, asking } = askedOf(at);
    // A foreign interface takes any text for JSON, as its clients do not all name a type.
    const type = isForeign(at.operation) ? 'multipart/form-data; boundary=x' : 'text/plain';
    const headers = { 'content-type': type };
    const answer = await ask(url, { ...asking, body: 'hello', headers });
    expectRefusal(at.operation, answer, 'unsupported_media_type');
  });

  testEvery('answers 415 to an unknown content encoding', withBody, async (at) => {
    const { url, asking } = askedOf(at);
    const headers = { 'content-encoding': 'unknown' };
    const answer = await ask(url, { ...asking, body: '{}', headers });
    expectRefusal(at.operation, answer, 'unsupported_media_type');
  });

  testEvery('answers 400 to a missing and to an empty body', withBody, async (at) => {
    const { url, asking } = askedOf(at);
    for (const empty of [{}, { body: '' }, { body: '   ' }] satisfies Ask[]) {
      expectRefusal(at.operation, await ask(url, { ...asking, ...empty }), 'missing_body');
    }
  });

  testEvery('answers 400 to broken JSON', withBody, async (at) => {
    const { url, asking } = askedOf(at);
    for (const body of ['{', '{"a":NaN}', "{'a':1}", 'hello', '[1,2']) {
      expectRefusal(at.operation, await ask(url, { ...asking, body }), 'malformed_json');
    }
  });

  testEvery('answers 400 to JSON that is no object', withBody, async (at) => {
    const { url, asking } = askedOf(at);
    for (const body of ['null', '[]', '"text"', '5']) {
      const answer = await ask(url, { ...asking, body });
      const { message, param } = expectRefusal(at.operation, answer, 'invalid_request');
      expect([body, message, param]).toEqual([body, 'The body must be an object.', null]);
    }
  });

  testEvery('answers 413 to a body that is too large, announced or not', withBody, async (at) => {
    const { url, asking } = askedOf(at);
    const limit = operations[at.id as OperationId].body?.maxBytes ?? 0;
    const body = tooLarge(limit);
    const announced = await ask(url, { ...asking, body });
    expectRefusal(at.operation, announced, 'payload_too_large');
    const { method, key, keyAs } = asking;
    const response = await request(url, {
      method: method as Dispatcher.HttpMethod,
      headers: {
        ...(keyAs === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': String(key) }),
        'content-type': 'application/json',
      },
      // A stream has no length to announce.
      body: Readable.from(inPieces(body)),
    });
    expect(response.statusCode).toBe(413);
    await response.body.dump();
  });
});

describe('an operation that takes a form', () => {
  const urlOf = (at: OperationAt) => app.url + pathOf(at);
  const typeOf = ({ headers }: Ask) => headers?.['content-type'] ?? '';

  testEvery('answers 400 to a missing and to an empty body', withForm, async (at) => {
    const asking = validAsk(at);
    const { body: _, ...none } = asking;
    for (const other of [
      { ...none, headers: {} },
      { ...asking, body: '' },
    ]) {
      expectRefusal(at.operation, await ask(urlOf(at), other), 'missing_body');
    }
  });

  testEvery(
    'answers 415 to a body that is no form and to an unknown content encoding',
    withForm,
    async (at) => {
      const asking = validAsk(at);
      const { headers: _, body: __, ...bare } = asking;
      for (const other of [
        { ...bare, body: '{}' },
        { ...bare, body: 'hello', headers: { 'content-type': 'text/plain' } },
        { ...asking, headers: { 'content-type': typeOf(asking), 'content-encoding': 'unknown' } },
      ]) {
        expectRefusal(at.operation, await ask(urlOf(at), other), 'unsupported_media_type');
      }
    },
  );

  const broken: readonly [string, (boundary: string) => string][] = [
    ['a form of spaces', () => '   '],
    ['a form that is a text', () => 'hello'],
    ['half a form', (boundary) => `--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\nhalf`],
  ];
  for (const [name, bodyWith] of broken) {
    testEvery(`answers 400 to ${name}`, withForm, async (at) => {
      const asking = validAsk(at);
      const body = bodyWith(typeOf(asking).split('boundary=')[1] ?? '');
      expectRefusal(at.operation, await ask(urlOf(at), { ...asking, body }), 'malformed_request');
    });
  }

  testEvery('answers 413 to a form that is too large, announced or not', withForm, async (at) => {
    const limit = operations[at.id as OperationId].body?.maxBytes ?? 0;
    const body = Buffer.alloc(limit + 1);
    expectRefusal(at.operation, await ask(urlOf(at), { ...validAsk(at), body }), 'payload_too_large');
  });
});

testEvery('an operation that only reads answers HEAD like GET, without the body', reading, async (at) => {
  const get = await ask(app.url + pathOf(at), { ...validAsk(at), direct: true });
  const head = await ask(app.url + pathOf(at), { ...validAsk(at), method: 'HEAD' });
  expect(head.status).toBe(get.status);
  expect(head.text).toBe('');
  expect(head.headers['content-type']).toBe(get.headers['content-type']);
  // The metrics are another text each time.
  const length = local.includes(at) ? expect.any(String) : get.headers['content-length'];
  expect(head.headers['content-length']).toEqual(length);
});

testEvery('a document answers 304 to its own ETag and the document to another', documents, async (at) => {
  const { headers } = await ask(app.url + pathOf(at), validAsk(at));
  const conditional = (etag: string) => ({ ...validAsk(at), headers: { 'if-none-match': etag } });
  const again = await ask(app.url + pathOf(at), conditional(headers['etag'] ?? ''));
  expect([again.status, again.text]).toEqual([304, '']);
  const other = await ask(app.url + pathOf(at), conditional('"other"'));
  expect(other.status).toBe(200);
});
