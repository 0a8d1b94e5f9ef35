/** What holds for every operation of a kind, derived from the contract. */
import { createHmac } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { operations } from '../../generated/operations.gen.ts';
import { examplePath, isForAdmin, needsNoKey } from '../../scripts/generate/document.ts';
import type { Idempotency, KeyedRequest } from '../../src/contract/idempotency.ts';
import type { OperationId } from '../../src/contract/registry.ts';
import { isForeign, type OperationAt, operationsOf, resolve } from '../../src/contract/served/document.ts';
import type { Handlers } from '../../src/contract/wire-operations.ts';
import { conventionsFor } from '../../src/handlers/wires.ts';
import { createApplication } from '../../src/http/application.ts';
import { adminBearer, adminSession, apiKeyAuth, bearerAuth, queryAuth } from '../../src/http/authenticate.ts';
import { clientAddress } from '../../src/http/client-address.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { listen, serve } from '../../src/http/listen.ts';
import { ByteBudget } from '../../src/lib/byte-budget.ts';
import { PassingSet } from '../../src/lib/placed.ts';
import { Spool } from '../../src/lib/spool.ts';
import { FaultLog } from '../../src/observe/fault-log.ts';
import { createLog } from '../../src/observe/log.ts';
import { errorPage } from '../../src/pages/pages.ts';
import { IdempotencyKeys } from '../../src/tenants/idempotency/open-idempotency.ts';
import {
  recordingCheck,
  startApp,
  type TestApp,
  type TestAppOptions,
  testAdminPassword,
  testKey,
} from '../helpers/app.ts';
import { contract } from '../helpers/contract.ts';
import { type ExampleServer, startExampleServer } from '../helpers/example-server.ts';
import { type Answer, type Ask, ask } from '../helpers/http.ts';
import { expectRefusal } from '../helpers/refusals.ts';
import { testEvery } from '../helpers/test-every.ts';
import { providerOf, settingsOf } from '../helpers/vendor-gateway.ts';

let server: ExampleServer;
beforeAll(async () => {
  server = await startExampleServer();
});
afterAll(() => server.app.close());

const all = operationsOf(contract);
/** The operations of the administrator, who has schemes of their own. */
const forAdmin = all.filter(({ operation }) => isForAdmin(operation));

/** What holds for every operation that may cost money. */
describe('billed operations', () => {
  const billed = all.filter(({ operation }) => operation.responses['402']);
  /** Of other vendors' interfaces, where all that costs stands beside it. */
  const free = all.filter(({ operation }) => isForeign(operation) && !operation.responses['402']);

  /** Of the sandbox, and of a model for what only a model can answer. It is never asked. */
  let servers: { readonly sandbox: ExampleServer; readonly model: ExampleServer };
  beforeAll(async () => {
    const model = settingsOf([providerOf('anthropic', 'http://127.0.0.1:9')]);
    servers = { sandbox: await withSpentBudget(), model: await withSpentBudget({ models: model }) };
  });
  afterAll(async () => {
    await servers.sandbox.app.close();
    await servers.model.app.close();
  });

  async function withSpentBudget(options: TestAppOptions = {}): Promise<ExampleServer> {
    const spent = await startExampleServer(options);
    const { status } = await ask(`${spent.app.url}/api/admin/budgets`, {
      key: testAdminPassword,
      body: { tenant_id: 'local', unit: 'money', window: 'month', limit: 0 },
    });
    expect(status).toBe(201);
    return spent;
  }

  function serverFor({ id, operation }: OperationAt): ExampleServer {
    if (id === 'useFeature') return servers.model;
    const engines = operation['x-engines'];
    return engines === undefined || engines.includes('local') ? servers.sandbox : servers.model;
  }

  it('knows operations that are billed', () => {
    expect(billed.length).toBeGreaterThan(30);
  });

  testEvery('what is billed is refused with 402 where the budget is spent', billed, async (at) => {
    const asked = serverFor(at);
    const { status } = await ask(asked.app.url + asked.pathOf(at), asked.askOf(at));
    expect(status).toBe(402);
  });

  testEvery('what costs nothing is not', free, async (at) => {
    const { status } = await ask(
      servers.sandbox.app.url + servers.sandbox.pathOf(at),
      servers.sandbox.askOf(at),
    );
    expect([200, 404]).toContain(status);
  });
});

/** What holds for every operation that takes an `Idempotency-Key`. */
describe('operations with a key', () => {
  const keyed = all.filter(({ operation }) =>
    (operation.parameters ?? []).some(
      (parameter) => resolve(contract, parameter).name.toLowerCase() === 'idempotency-key',
    ),
  );

  let keys = 0;

  function withKey(asking: Ask): Ask {
    keys += 1;
    return { ...asking, headers: { ...asking.headers, 'idempotency-key': `every-operation-${keys}` } };
  }

  /** Asks with a key that another request claims just before: the same, or one that has something else to ask. */
  async function askAfter(at: OperationAt, asOther: (asked: KeyedRequest) => KeyedRequest): Promise<Answer> {
    const { claim } = IdempotencyKeys.prototype;
    const spy = vi.spyOn(IdempotencyKeys.prototype, 'claim');
    spy.mockImplementation(async function (this: IdempotencyKeys, asked) {
      await claim.call(this, asOther(asked));
      return claim.call(this, asked);
    });
    try {
      return await ask(server.app.url + server.pathOf(at), withKey(server.askOf(at)));
    } finally {
      spy.mockRestore();
    }
  }

  it('knows operations that take a key', () => {
    expect(keyed.length).toBeGreaterThan(40);
  });

  testEvery('answers 409 while the same request runs, and says when to ask again', keyed, async (at) => {
    const { status, headers } = await askAfter(at, (asked) => asked);
    expect(status).toBe(409);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  testEvery('answers 422 to a key that came with another request', keyed, async (at) => {
    const { status } = await askAfter(at, (asked) => ({ ...asked, fingerprint: 'of another request' }));
    expect(status).toBe(422);
  });
});

/** What holds for every operation on something that has an id. */
describe('operations on something named', () => {
  /** Those of other vendors' interfaces have their vendors' errors: `every-foreign-operation.test.ts`. */
  const named = all.filter(
    ({ path, operation }) => path.includes('_id}') && operation.responses['404'] && !isForeign(operation),
  );

  it('knows operations on what has an id', () => {
    expect(named.length).toBeGreaterThan(20);
  });

  testEvery('they answer 404 to an id of which there is nothing', named, async (at) => {
    const unknown = at.path.replaceAll(/\{(\w+_id)\}/g, (parameter) =>
      examplePath(contract, { ...at, path: parameter }).replace(/.$/, (last) => (last === '7' ? '8' : '7')),
    );
    const answer = await ask(server.app.url + unknown, server.askOf(at));
    expect(answer.status).toBe(404);
    expectRefusal(at.operation, answer, 'not_found');
  });
});

/** Each operation asked from an address of its own: too many wrong passwords from one are another answer. */
let guarding: TestApp;
beforeAll(async () => {
  guarding = await startApp({ trustedProxies: 1 });
});
afterAll(() => guarding.close());

describe('an operation for the administrator', () => {
  testEvery('answers 401 with a challenge without a password, and to a key', forAdmin, async (at) => {
    const anonymous = await ask(server.app.url + server.pathOf(at), { ...server.askOf(at), key: null });
    expect([anonymous.status, anonymous.error.code]).toEqual([401, 'missing_credentials']);
    expect(anonymous.headers['www-authenticate']).toBe('Bearer realm="switchyard admin"');
    const headers = { 'x-forwarded-for': `192.0.2.${forAdmin.indexOf(at)}` };
    const { status, error } = await ask(guarding.url + server.pathOf(at), {
      ...server.askOf(at),
      key: testKey,
      headers,
    });
    expect([status, error.code]).toEqual([401, 'invalid_credentials']);
  });

  testEvery('answers 401 to a cookie of no session', forAdmin, async (at) => {
    const headers = { cookie: 'switchyard_admin=none' };
    const { status, error } = await ask(server.app.url + server.pathOf(at), {
      ...server.askOf(at),
      key: null,
      headers,
    });
    expect([status, error.code]).toEqual([401, 'invalid_credentials']);
  });
});

describe('for the administrator', () => {
  const guarded = forAdmin.filter(({ method }) => method !== 'get');
  let spent: TestApp;
  beforeAll(async () => {
    spent = await startApp();
    for (let n = 0; n < 10; n++) await ask(`${spent.url}/api/admin/tenants`, { key: 'wrong' });
  });
  afterAll(() => spent.close());

  testEvery('answers 429 after too many wrong passwords', forAdmin, async (at) => {
    const { status, headers, error } = await ask(spent.url + server.pathOf(at), server.askOf(at));
    expect([status, error.code]).toEqual([429, 'too_many_attempts']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  testEvery('answers 403 to a session without its CSRF token', guarded, async (at) => {
    const { token } = await server.app.accounts.sessions.begin(null);
    const headers = { cookie: `switchyard_admin=${token}`, origin: server.app.url };
    const { status, error } = await ask(server.app.url + server.pathOf(at), {
      ...server.askOf(at),
      key: null,
      headers,
    });
    expect([status, error.code]).toEqual([403, 'csrf_refused']);
  });
});

describe('while the database cannot be used', () => {
  let broken: TestApp;
  beforeAll(async () => {
    broken = await startApp({ errorsExpected: true });
    await broken.breakDatabase();
  });
  afterAll(() => broken.close());

  const stored = all.filter(
    ({ operation }) =>
      (operation.responses['503'] || operation.responses['529']) && !operation.tags.includes('Health'),
  );
  testEvery(
    'an operation answers that it is not available, and neither 401 nor what happened',
    stored,
    async (at) => {
      const answer = await ask(broken.url + server.pathOf(at), server.askOf(at));
      expectRefusal(at.operation, answer, 'storage_unavailable');
      expect(answer.text).toMatch(/"retryable":"?true/);
      expect(answer.text).not.toMatch(/sqlite|not open|at \w+ \(/i);
    },
  );

  testEvery('one for the administrator answers 503 to a session too', forAdmin, async (at) => {
    const headers = { cookie: 'switchyard_admin=none', origin: broken.url };
    const { status, error } = await ask(broken.url + server.pathOf(at), {
      ...server.askOf(at),
      key: null,
      headers,
    });
    expect([status, error.code]).toEqual([503, 'storage_unavailable']);
  });
});

/** Not used here: no request has a key. */
const noIdempotency: Idempotency = {
  maxAnswerBytes: 0,
  ownerOf: () => null,
  fingerprint: () => createHmac('sha256', ''),
  claim: () => Promise.reject(new Error('nobody has sent a key')),
};

/** A server whose every handler fails, and whose security decides as the test says. */
async function failing(security: (() => Promise<never>) | null, fail = security ?? failUnknown) {
  const reception = await listen('127.0.0.1', 0);
  const publicUrl = `http://127.0.0.1:${reception.port}`;
  const scopes = new Set(['chat', 'media', 'files', 'agents', 'ai', 'factory', 'mcp']);
  const verify = security ?? (async () => ({ keyId: 'k', scopes }));
  const handlers = Object.fromEntries(Object.keys(operations).map((id) => [id, fail])) as unknown as Handlers;
  const lines: string[] = [];
  const log = createLog('info', { destination: { write: (line) => lines.push(line) } });
  const stream = { heartbeatMs: 1000, pingMs: 10_000, writeTimeoutMs: 1000 };
  const running = new PassingSet<Exchange>();
  const application = await createApplication({
    handlers,
    pages: [],
    authenticate: {
      bearerAuth: bearerAuth(verify),
      apiKeyAuth: apiKeyAuth(verify),
      azureKeyAuth: apiKeyAuth(verify, 'api-key'),
      googleKeyAuth: apiKeyAuth(verify, 'x-goog-api-key'),
      keyInQuery: queryAuth(verify),
      metricsAccess: verify,
      adminBearer: adminBearer(async () => void (await verify())),
      adminSession: adminSession('switchyard_admin', publicUrl, async () => null),
    },
    opened: new Set<OperationId>(['signUp']),
    limitState: async () => [],
    dryRunReport: () => ({}),
    errorPage,
    conventions: conventionsFor(publicUrl),
    uploads: { spool: new Spool(path.join(tmpdir(), 'switchyard-unused'), 0), maxBytes: 32 * 1024 * 1024 },
    idempotency: noIdempotency,
    turns: { take: () => null },
    replyCheck: recordingCheck,
    log,
    faults: new FaultLog(log),
    publicUrl,
    stream,
    running,
    budget: new ByteBudget(Number.POSITIVE_INFINITY),
    clientAddress: clientAddress(0),
    requireOwnHost: () => undefined,
    hosted: null,
    sockets: null,
  });
  const lifecycle = { draining: false, startedAt: 0 };
  const listener = serve(reception, application.callback(), { lifecycle, running, publicUrl });
  return { url: publicUrl, lines, close: () => listener.drain(0) };
}

const secret = 'a message with an internal detail';

async function failUnknown(): Promise<never> {
  throw new Error(secret);
}

describe('a failure of ours', () => {
  const secured = all.filter(({ operation }) => !needsNoKey(operation));
  let inHandlers: Awaited<ReturnType<typeof failing>>;
  let inSecurity: Awaited<ReturnType<typeof failing>>;
  beforeAll(async () => {
    inHandlers = await failing(null);
    inSecurity = await failing(failUnknown);
  });
  afterAll(async () => {
    await inHandlers.close();
    await inSecurity.close();
  });

  testEvery(
    'inside a handler is a 500 that shows nothing of it and is logged with its cause',
    all,
    async (at) => {
      const answer = await ask(inHandlers.url + server.pathOf(at), server.askOf(at));
      expectRefusal(at.operation, answer, 'internal_error');
      const { headers, text } = answer;
      expect(text).toMatch(/"retryable":"?true/);
      expect(text).not.toContain(secret);
      expect(text).not.toContain('at ');
      const id = headers['x-request-id'] ?? 'none';
      expect(inHandlers.lines.some((line) => line.includes(secret) && line.includes(id))).toBe(true);
    },
  );

  testEvery('while the key is checked is a 500, never a 401', secured, async (at) => {
    const answer = await ask(inSecurity.url + server.pathOf(at), server.askOf(at));
    expectRefusal(at.operation, answer, 'internal_error');
    expect(answer.text).not.toContain(secret);
  });
});
