import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { compileCache } from './server-process.ts';
import type { StoreTests } from './store.ts';
import { ledgerRows, tenantOn, testAccounts } from './store-accounts.ts';
import type { Database } from './test-database.ts';

export interface StoreProcess {
  readonly child: ChildProcess;
  /** All that it has said, without `ready`. */
  readonly lines: string[];
  say(line: string): void;
  /** The next line that it says after what was taken before. */
  next(): Promise<string>;
  /** Resolves when it has ended and all that it said was read. */
  readonly ended: Promise<unknown>;
}

/** Starts `store-child.ts` on a database; resolves when it has opened the accounts. It is killed after the test. */
export function startProcess(
  on: StoreTests,
  database: Database,
  ...args: readonly string[]
): Promise<StoreProcess> {
  return startProcessWith(on, {}, database, ...args);
}

/** How a process is started. */
export interface Around {
  /** What more there is in its environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What runs it: a command that takes another as its arguments. */
  readonly within?: readonly string[];
}

/** The same, started in another way. */
export async function startProcessWith(
  on: StoreTests,
  { environment = {}, within = [] }: Around,
  database: Database,
  ...args: readonly string[]
): Promise<StoreProcess> {
  const script = new URL('store-child.ts', import.meta.url).pathname;
  const [command = '', ...rest] = [...within, process.execPath, script, JSON.stringify(database), ...args];
  const child = spawn(command, rest, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...environment },
  });
  on.cleanUp(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  const reader = createInterface({ input: child.stdout });
  const complaints = text(child.stderr);
  const ended = Promise.all([once(child, 'exit'), once(reader, 'close')]);
  reader.on('line', (line) => {
    lines.push(line);
    waiting.shift()?.();
  });
  let taken = 0;
  const next = async (): Promise<string> => {
    if (lines.length <= taken) {
      await Promise.race([new Promise<void>((resolve) => waiting.push(resolve)), ended]);
    }
    const line = lines[taken];
    if (line === undefined) throw new Error(`the process has ended: ${await complaints}`);
    taken += 1;
    return line;
  };
  await next();
  lines.shift();
  taken = 0;
  return { child, lines, say: (line) => child.stdin.write(`${line}\n`), next, ended };
}

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
