/**
 * What holds for every operation of a foreign interface, beside what `every-operation.test.ts` shows of all: their clients send
 * keys, bodies and questions in ways of their own. Derived from the contract, so that a new operation is covered when it is added.
 */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asksForKept, examplePath } from '../../scripts/generate/document.ts';
import { isForeign, type OperationAt, operationsOf, resolve } from '../../src/contract/served/document.ts';
import { startApp, type TestApp, testKey } from '../helpers/app.ts';
import { contract } from '../helpers/contract.ts';
import { exampleBody, uploadExampleFile } from '../helpers/example-server.ts';
import { type Answer, type Ask, ask } from '../helpers/http.ts';
import { expectRefusal } from '../helpers/refusals.ts';
import { testEvery } from '../helpers/test-every.ts';
import { providerOf } from '../helpers/vendor-gateway.ts';
import { type ScriptedVendor, startVendor, type VendorReply } from '../lib/vendor.ts';

let app: TestApp;
/** The file that the examples make a batch of. */
let fileId: string;
beforeAll(async () => {
  app = await startApp();
  fileId = await uploadExampleFile(app.url);
});
afterAll(() => app.close());

const foreign = operationsOf(contract).filter(({ operation }) => isForeign(operation));
const withJson = foreign.filter(({ operation }) => operation.requestBody?.content['application/json']);
/** Whether a call of a tool comes as a stream its server decides. */
const streaming = foreign.filter(
  ({ operation }) =>
    operation['x-wire'] !== 'mcp' && operation.responses['200']?.content?.['text/event-stream'] !== undefined,
);
/** What a model answers: it is named in the body or in the path. Whoever counts tokens asks a model for nothing. */
const counting = withJson.filter(({ id }) => id.startsWith('count'));
const asking = foreign.filter(
  (at) => at.operation.requestBody && !counting.includes(at) && !asksForKept(at) && namesModel(at),
);
/** Of these, what answers with a text of a model; pictures and sound have a scope of their own. */
const generating = streaming.filter(({ operation }) =>
  operation.security.every((requirement) => Object.values(requirement).flat().includes('chat')),
);

function namesModel({ path, operation }: OperationAt): boolean {
  const [media] = Object.values(operation.requestBody?.content ?? {});
  const properties = media && resolve(contract, media.schema).properties;
  return path.includes('{model}') || properties?.['model'] !== undefined;
}

/** A request from the contract's example, past any proxy between: what is compared here is bytes. */
function exampleAsk({ id, method, operation }: OperationAt, other: object = {}): Ask {
  const given = id === 'createBatch' ? { input_file_id: fileId, ...other } : other;
  return { ...exampleBody(contract, operation, given), method: method.toUpperCase(), direct: true };
}

const pathOf = (at: OperationAt) => examplePath(contract, at);

interface Asked {
  readonly path: string;
  readonly asked: Ask;
}

/** The same for another model, wherever it is named. */
function forModel(at: OperationAt, model: string, other: object = {}): Asked {
  if (at.path.includes('{model}'))
    return { path: at.path.replace('{model}', model), asked: exampleAsk(at, other) };
  return { path: pathOf(at), asked: exampleAsk(at, { ...other, model }) };
}

/** Sends a request with headers beside those that it has. */
const askWith = (url: string, asked: Ask, headers: Record<string, string>, more: Ask = {}) =>
  ask(url, { ...asked, ...more, headers: { ...asked.headers, ...headers } });

it('knows operations of each kind', () => {
  expect([asking, counting, streaming, generating].map((all) => all.length > 2)).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

/** How a client may send its key, in each of the ways that the contract names. */
const ways: readonly [string, (key: string) => { headers?: Record<string, string>; query?: string }][] = [
  ['Authorization', (key) => ({ headers: { authorization: `Bearer ${key}` } })],
  ['X-API-Key', (key) => ({ headers: { 'x-api-key': key } })],
  ['api-key', (key) => ({ headers: { 'api-key': key } })],
  ['x-goog-api-key', (key) => ({ headers: { 'x-goog-api-key': key } })],
  ['the query', (key) => ({ query: `?key=${key}` })],
];

const inFiveWays = operationsOf(contract).filter(({ operation }) => operation.security.length === 5);

it("every operation of a vendor's interface takes its key in five ways", () => {
  const ofVendors = foreign.filter(({ operation }) => operation['x-wire'] !== 'mcp');
  expect(ofVendors.filter((at) => !inFiveWays.some(({ id }) => id === at.id))).toEqual([]);
});

describe('an operation whose key may come in five ways', () => {
  const answeredBy = (at: OperationAt) => (asksForKept(at) ? 404 : 200);

  for (const [way, sent] of ways) {
    testEvery(`takes a right key by ${way} and refuses a wrong one`, inFiveWays, async (at) => {
      const asked = (key: string) => {
        const { headers = {}, query = '' } = sent(key);
        return askWith(app.url + pathOf(at) + query, exampleAsk(at), headers, { key: null });
      };
      expect((await asked(testKey)).status).toBe(answeredBy(at));
      expectRefusal(at.operation, await asked('not-a-key-of-ours'), 'invalid_api_key');
    });
  }

  testEvery('takes a right key beside a wrong one', inFiveWays, async (at) => {
    const other = { 'x-api-key': 'of-another-vendor' };
    expect((await askWith(app.url + pathOf(at), exampleAsk(at), other)).status).toBe(answeredBy(at));
  });
});

const encodings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
const withBody = foreign.filter(({ operation }) => operation.requestBody);

describe('an operation that takes a body', () => {
  for (const [name, compress] of Object.entries(encodings)) {
    testEvery(`reads one in ${name}, and tells a damaged one`, withBody, async (at) => {
      const asked = exampleAsk(at);
      const { body } = asked;
      const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
      const encoding = { 'content-encoding': name };
      const send = (sent: Buffer) => askWith(app.url + pathOf(at), asked, encoding, { body: sent });
      expect((await send(compress(bytes))).status).toBe(200);
      expectRefusal(at.operation, await send(compress(bytes).subarray(0, 12)), 'malformed_request');
    });
  }

  // JSON-RPC has no others.
  const open = withBody.filter(({ operation }) => operation['x-wire'] !== 'mcp');
  testEvery('takes a field that it does not know', open, async (at) => {
    const { status } = await ask(app.url + pathOf(at), exampleAsk(at, { x_of_tomorrow: 1 }));
    expect(status).toBe(200);
  });

  const required = withBody.flatMap((at) => {
    const [media] = Object.values(at.operation.requestBody?.content ?? {});
    const { required: fields = [] } = media ? resolve(contract, media.schema) : {};
    return fields.map((field) => ({ id: `${at.id} ${field}`, at, field }));
  });
  testEvery('names a field that is missing', required, async ({ at, field }) => {
    const answer = await ask(app.url + pathOf(at), exampleAsk(at, { [field]: undefined }));
    expect(expectRefusal(at.operation, answer, 'invalid_request').param).toBe(field);
  });
});

for (const type of ['text/plain', 'application/octet-stream', 'application/json; charset=utf-8']) {
  testEvery(`an operation takes JSON where it says that it is ${type}`, withJson, async (at) => {
    const asked = exampleAsk(at);
    expect((await askWith(app.url + pathOf(at), asked, { 'content-type': type })).status).toBe(200);
  });
}

testEvery('an operation takes no id that is longer than any', foreign.filter(asksForKept), async (at) => {
  const [, name = ''] = /\{(\w+_id)\}/.exec(at.path) ?? [];
  const long = await ask(app.url + at.path.replace(/\{\w+_id\}/, 'i'.repeat(250)), exampleAsk(at));
  expect(expectRefusal(at.operation, long, 'invalid_request').param).toBe(name);
});

testEvery(
  'an operation whose path names a model takes a name with slashes, and none that is longer than any',
  foreign.filter(({ path }) => path.includes('{model}')),
  async (at) => {
    const { path, asked } = forModel(at, 'sandbox/echo');
    expect((await ask(app.url + path, asked)).status).toBe(200);
    const long = await ask(app.url + forModel(at, 'm'.repeat(501)).path, asked);
    expect(expectRefusal(at.operation, long, 'invalid_request').param).toBe('model');
  },
);

/** A request for an answer in events, and for nothing that would cut it short. */
function streamed(at: OperationAt, model?: string): Asked {
  const more = at.id === 'createSpeech' ? { stream_format: 'sse' } : { stream: true };
  const wish = at.operation['x-wire'] === 'gemini' ? {} : more;
  const { path, asked } =
    model === undefined ? { path: pathOf(at), asked: exampleAsk(at, wish) } : forModel(at, model, wish);
  return { path: at.operation['x-wire'] === 'gemini' ? `${path}?alt=sse` : path, asked };
}

/** The data of the events of a stream, of which every line must be one of them, a comment or empty. */
function dataOf({ text }: Answer): string[] {
  const lines = text.split(/\r?\n/);
  // Google's SDKs know an error by bare JSON, which is no event.
  expect(lines.filter((line) => !/^$|^:|^event: [\w.]+$|^data: \S|^\{"error":\{/.test(line))).toEqual([]);
  return lines.flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
}

const whole = /^\[DONE\]$|"type":"(?:message_stop|[a-z_.]+\.(?:completed|done))"|"finishReason":"STOP"/;

testEvery(
  'an operation that streams answers with events, each of them JSON, up to the one that ends it',
  streaming,
  async (at) => {
    const { path, asked } = streamed(at, at.id === 'createTranscription' ? 'gpt-4o-transcribe' : undefined);
    const answer = await ask(app.url + path, asked);
    const { status, headers } = answer;
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(headers['cache-control']).toMatch(/no-/);
    const data = dataOf(answer);
    const events = data.filter((one) => one !== '[DONE]').map((one) => JSON.parse(one));
    expect(events).not.toEqual([]);
    expect(events.filter((event) => typeof event !== 'object' || 'error' in event)).toEqual([]);
    expect(data.at(-1)).toMatch(whole);
  },
);

testEvery(
  'a stream of a text that breaks off ends with an error, and with nothing that says it is whole',
  generating,
  async (at) => {
    const { path, asked } = streamed(at, 'sandbox/cut-stream');
    const answer = await ask(app.url + path, { ...asked, mayBreakOff: true });
    expect(answer.status).toBe(200);
    // What ends in good order some clients of the others take for a whole answer.
    expect(answer.whole).toBe(at.id === 'createResponse' || at.id === 'createMessage');
    const data = dataOf(answer);
    // Responses has it twice, as an event and in the failed response.
    const errors = data.filter((one) => /break off/.test(one));
    expect(errors.length).toBe(at.id === 'createResponse' ? 2 : 1);
    expect(errors).toEqual(data.slice(-errors.length));
    expect(answer.text).not.toMatch(/\[DONE\]|message_stop|response\.completed|"finishReason":"STOP"/);
  },
);

describe('on a server with a provider', () => {
  type Script = (reply: VendorReply) => void;
  const started: { app: TestApp; vendor: ScriptedVendor }[] = [];

  /** A server before a vendor that does the same to each request. */
  async function before(script: Script): Promise<TestApp> {
    const vendor = await startVendor(script);
    const providers = [
      providerOf('openai', vendor.baseUrl, { speaks: ['openai-chat', 'openai-responses'] }),
      providerOf('anthropic', vendor.baseUrl),
      providerOf('gemini', vendor.baseUrl),
    ];
    const app = await startApp({ models: { providers, maxAttempts: 1 } });
    started.push({ app, vendor });
    return app;
  }
  afterAll(async () => {
    for (const { app, vendor } of started) {
      await app.close();
      await vendor.close();
    }
  });

  const modelOf = { openai: 'gpt-4o', anthropic: 'claude-sonnet-4-6', gemini: 'gemini-2.0-flash' } as const;
  /** Nobody asks a vendor on the interface of MCP. */
  const vendorOf = ({ operation: { 'x-wire': wire = 'openai' } }: OperationAt) =>
    wire === 'mcp' ? 'openai' : wire;
  const askingItsVendor = (server: TestApp, at: OperationAt, headers: Record<string, string> = {}) => {
    const { path, asked } = forModel(at, modelOf[vendorOf(at)]);
    return askWith(server.url + path, asked, headers);
  };
  const errors = {
    openai: { error: { message: 'Something.', type: 'some_error', param: null, code: null } },
    anthropic: { type: 'error', error: { type: 'some_error', message: 'Something.' }, request_id: 'req_1' },
    gemini: { error: { code: 422, message: 'Something.', status: 'SOMETHING' } },
  } as const;
  const toAnswer = (status: number) => (reply: VendorReply) => {
    const { path } = reply.request;
    const wire = path.includes('/models/') ? 'gemini' : path.includes('/messages') ? 'anthropic' : 'openai';
    reply.json(errors[wire], status);
  };
  /** Whose forms this vendor cannot read has tests of its own. */
  const asked = [...asking, ...counting].filter((at) => withJson.includes(at));

  const failures = [
    [429, 'provider_rate_limited', '429'],
    [500, 'provider_error', '502'],
    [503, 'provider_overloaded', '503'],
  ] as const;
  for (const [status, code, declared] of failures) {
    testEvery(`that answers ${status} an operation says so in its own form`, asked, async (at) => {
      // A server for each, as a provider that fails often is left alone.
      const server = await before(toAnswer(status));
      const overloaded = at.operation['x-wire'] === 'anthropic' ? '529' : declared;
      expect(Object.keys(at.operation.responses)).toContain(declared === '503' ? overloaded : declared);
      const answer = await askingItsVendor(server, at);
      expectRefusal(at.operation, answer, code);
      expect(answer.text).not.toContain('Something');
    });
  }

  describe('that finds the request wrong', () => {
    let server: TestApp;
    beforeAll(async () => {
      server = await before(toAnswer(422));
    });
    // A chat model gets a prompt of ours to continue the text.
    testEvery(
      'an operation says it in the words of the vendor',
      asked.filter(({ id }) => id !== 'createCompletion'),
      async (at) => {
        const { status, json } = await askingItsVendor(server, at);
        expect([status, json]).toEqual([422, errors[vendorOf(at)]]);
      },
    );
  });

  describe('that says nothing', () => {
    let server: TestApp;
    beforeAll(async () => {
      server = await before(() => undefined);
    });
    testEvery(
      'an operation gives up when its client does',
      asked,
      async (at) => {
        const answer = await askingItsVendor(server, at, { 'x-stainless-timeout': '1' });
        expectRefusal(at.operation, answer, 'provider_total_timeout');
      },
      { atATime: 5 },
    );

    const named = foreign.filter((at) => asked.includes(at) || /^get\w*Model$/.test(at.id));
    testEvery('an operation says that nobody has a model', named, async (at) => {
      const { path, asked } = forModel(at, 'nobody-has-this');
      expectRefusal(at.operation, await ask(server.url + path, asked), 'model_not_found');
    });
  });
});

describe('for a tenant with a limit', () => {
  testEvery('an operation counts, and says when to come back', asking, async (at) => {
    const server = await startApp({ limits: { requestsPerMinute: 1 } });
    try {
      const first = await ask(server.url + pathOf(at), exampleAsk(at));
      expect([first.status, first.headers['x-ratelimit-remaining-requests']]).toEqual([200, '0']);
      const second = await ask(server.url + pathOf(at), exampleAsk(at));
      expectRefusal(at.operation, second, 'rate_limited');
      expect(Number(second.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await server.close();
    }
  });

  it('looking up and counting tokens does not count', async () => {
    const server = await startApp({ limits: { requestsPerMinute: 1 } });
    try {
      const free = foreign.filter((at) => counting.includes(at) || /Models?$/.test(at.id));
      expect(free.length).toBeGreaterThan(5);
      for (const at of free) {
        const { status, headers } = await ask(server.url + pathOf(at), exampleAsk(at));
        expect([at.id, status, headers['x-ratelimit-remaining-requests']]).toEqual([at.id, 200, '1']);
      }
    } finally {
      await server.close();
    }
  });
});
