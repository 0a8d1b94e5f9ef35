/** What holds for every operation that takes an `Idempotency-Key`, derived from the contract. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { KeyedRequest } from '../../src/contract/idempotency.ts';
import { type OperationAt, operationsOf, resolve } from '../../src/contract/served/document.ts';
import { IdempotencyKeys } from '../../src/tenants/idempotency/keys.ts';
import { contract } from '../helpers/contract.ts';
import { type ExampleServer, startExampleServer } from '../helpers/example-server.ts';
import { type Answer, type Ask, ask } from '../helpers/http.ts';
import { testEvery } from '../helpers/test-every.ts';

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
