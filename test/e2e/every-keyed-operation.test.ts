/** What holds for every operation that takes an `Idempotency-Key`, derived from the contract. */
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { KeyedRequest } from '../../src/contract/idempotency.ts';
import { operationsOf, resolve } from '../../src/contract/served/document.ts';
import { IdempotencyKeys } from '../../src/tenants/idempotency/keys.ts';
import { contract } from '../helpers/contract.ts';
import { type ExampleServer, startExampleServer } from '../helpers/example-server.ts';
import { type Ask, ask } from '../helpers/http.ts';

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

/** Lets another request claim each key just before the one that brings it: the same, or one that has something else to ask. */
function claimedBefore(asOther: (asked: KeyedRequest) => KeyedRequest): void {
  const { claim } = IdempotencyKeys.prototype;
  const spy = vi.spyOn(IdempotencyKeys.prototype, 'claim');
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation(async function (this: IdempotencyKeys, asked) {
    await claim.call(this, asOther(asked));
    return claim.call(this, asked);
  });
}

let keys = 0;

function withKey(asking: Ask): Ask {
  keys += 1;
  return { ...asking, headers: { ...asking.headers, 'idempotency-key': `every-operation-${keys}` } };
}

it('knows operations that take a key', () => {
  expect(keyed.length).toBeGreaterThan(40);
});

it.each(keyed)('$id answers 409 while the same request runs, and says when to ask again', async (at) => {
  claimedBefore((asked) => asked);
  const { status, headers } = await ask(server.app.url + server.pathOf(at), withKey(server.askOf(at)));
  expect(status).toBe(409);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
});

it.each(keyed)('$id answers 422 to a key that came with another request', async (at) => {
  claimedBefore((asked) => ({ ...asked, fingerprint: 'of another request' }));
  const { status } = await ask(server.app.url + server.pathOf(at), withKey(server.askOf(at)));
  expect(status).toBe(422);
});
