import type { StoreTests } from './store.ts';
import { ledgerRows, tenantOn, testAccounts } from './store-accounts.ts';
import { startProcess } from './store-process.ts';

/** Has real processes ask for admissions at once, together; says how many they got, and how many the ledger holds. */
export async function admitOnProcesses(on: StoreTests, processes: number, requests: number, limit: number) {
  const database = await on.database();
  const accounts = await testAccounts(on, {}, database);
  await tenantOn(accounts, 'acme', 'free');
  const each = String(Math.ceil(requests / processes));
  const children = await Promise.all(
    Array.from({ length: processes }, () => startProcess(on, database, 'admit', each, String(limit))),
  );
  for (const child of children) child.say('go');
  const counts = await Promise.all(children.map((child) => child.next()));
  await Promise.all(children.map(({ ended }) => ended));
  const rows = await ledgerRows(accounts, 'acme');
  return { admitted: counts.reduce((sum, count) => sum + Number(count), 0), rows: rows.length };
}
