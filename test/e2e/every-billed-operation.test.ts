/** What holds for every operation that may cost money, derived from the contract. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isForeign, type OperationAt, operationsOf } from '../../src/contract/served/document.ts';
import { type TestAppOptions, testAdminPassword } from '../helpers/app.ts';
import { contract } from '../helpers/contract.ts';
import { type ExampleServer, startExampleServer } from '../helpers/example-server.ts';
import { ask } from '../helpers/http.ts';
import { testEvery } from '../helpers/test-every.ts';
import { providerOf, settingsOf } from '../helpers/vendor-gateway.ts';

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
