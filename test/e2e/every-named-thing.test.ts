/** What holds for every operation on something that has an id, derived from the contract. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { examplePath, isForeign, operationsOf } from '../../src/contract/served/document.ts';
import { contract } from '../helpers/contract.ts';
import { type ExampleServer, startExampleServer } from '../helpers/example-server.ts';
import { ask } from '../helpers/http.ts';
import { expectRefusal } from '../helpers/refusals.ts';
import { testEvery } from '../helpers/test-every.ts';

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
