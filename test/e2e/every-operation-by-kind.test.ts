import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { examplePath } from '../../scripts/generate/document.ts';
import type { KeyedRequest } from '../../src/contract/idempotency.ts';
import { isForeign, type OperationAt, operationsOf, resolve } from '../../src/contract/served/document.ts';
import { IdempotencyKeys } from '../../src/tenants/idempotency/open-idempotency.ts';
import { type TestAppOptions, testAdminPassword } from '../helpers/app.ts';
import { contract } from '../helpers/contract.ts';
import { type ExampleServer, startExampleServer } from '../helpers/example-server.ts';
import { type Answer, type Ask, ask } from '../helpers/http.ts';
import { expectRefusal } from '../helpers/refusals.ts';
import { testEvery } from '../helpers/test-every.ts';
import { providerOf, settingsOf } from '../helpers/vendor-gateway.ts';

/** What holds for every operation that may cost money, derived from the contract. */
describe('billed operations', () => {
  const all = operationsOf(contract);
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
    const server = await startExampleServer(options);
    const { status } = await ask(`${server.app.url}/api/admin/budgets`, {
      key: testAdminPassword,
      body: { tenant_id: 'local', unit: 'money', window: 'month', limit: 0 },
    });
    expect(status).toBe(201);
    return server;
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
    const server = serverFor(at);
    const { status } = await ask(server.app.url + server.pathOf(at), server.askOf(at));
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

/** What holds for every operation that takes an `Idempotency-Key`, derived from the contract. */
describe('operations with a key', () => {
  let server: ExampleServer;
  beforeAll(async () => {
    server = await startExampleServer();
  });
  afterAll(() => server.app.close());

  const keyed = operationsOf(contract).filter(({ operation }) =>
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

/** What holds for every operation on something that has an id, derived from the contract. */
describe('operations on something named', () => {
  let server: ExampleServer;
  beforeAll(async () => {
    server = await startExampleServer();
  });
  afterAll(() => server.app.close());

  /** Those of other vendors' interfaces have their vendors' errors: `every-foreign-operation.test.ts`. */
  const named = operationsOf(contract).filter(
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
