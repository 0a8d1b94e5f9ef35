import { expect } from 'vitest';
import { ask } from './http.ts';
import type { ServerProcess } from './server-process.ts';
import { ledgerRows, type TestAccounts } from './store-accounts.ts';

/** Makes a tenant with a limit of requests in a minute, and a key of it. */
export async function limited(
  accounts: TestAccounts,
  id: string,
  requestsPerMinute: number,
): Promise<string> {
  const overrides = {
    requestsPerMinute,
    requestsPerMonth: null,
    requestsPerDay: null,
    tokensPerMinute: null,
    concurrentRequests: null,
  };
  await accounts.tenants.create({ id, plan: 'enterprise', overrides }, 'test');
  return (await accounts.storedKeys.create({ tenantId: id }, 'test')).text;
}

/** Asks for a chat and gives the status. */
export async function chat({ url }: ServerProcess, key: string): Promise<number> {
  const signal = AbortSignal.timeout(20_000);
  const answer = ask(`${url}/v1/chat`, { key, signal, direct: true, body: { message: 'Hello!' } });
  return (await answer).status;
}

export const countOf = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length;

/** How many the ledger has of a tenant. */
export async function counted(accounts: TestAccounts, id: string): Promise<number> {
  return (await ledgerRows(accounts, id)).length;
}

/** The most that the ledger has of any 60 seconds. */
export async function mostInAMinute(accounts: TestAccounts, id: string): Promise<number> {
  const times = (await ledgerRows(accounts, id)).map(({ created_at }) => created_at);
  let most = 0;
  let first = 0;
  for (const [index, time] of times.entries()) {
    while ((times[first] ?? time) <= time - 60_000) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** So many chats at once, of the servers in turn. */
export function chatsAtOnce(
  servers: readonly ServerProcess[],
  key: string,
  count: number,
): Promise<readonly number[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => chat(servers[index % servers.length] as ServerProcess, key)),
  );
}

/** Asks servers for 2,000 chats at once for a tenant with a limit, and expects as many to be admitted. */
export async function expectTheLimit(
  servers: readonly ServerProcess[],
  accounts: TestAccounts,
  limit: number,
): Promise<void> {
  const tenant = `t${limit}`;
  const key = await limited(accounts, tenant, limit);
  let statuses = await chatsAtOnce(servers, key, 2_000);
  // A process that has too much to do sheds some of them, which uses up nothing.
  for (let round = 0; countOf(statuses, 503) > 0 && round < 20; round += 1) {
    const answered = statuses.filter((status) => status !== 503);
    statuses = [...answered, ...(await chatsAtOnce(servers, key, statuses.length - answered.length))];
  }
  const admitted = countOf(statuses, 200);
  expect(admitted + countOf(statuses, 429)).toBe(2_000);
  // Of a large limit something may be leased to a server that does not use it.
  expect(admitted).toBeGreaterThanOrEqual(limit <= 10 ? limit : 0.9 * limit);
  expect(admitted).toBeLessThanOrEqual(limit);
  expect(await counted(accounts, tenant)).toBe(admitted);
}
