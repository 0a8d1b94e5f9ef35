import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import type { ListPage, ListRequest } from '../store/list-page.ts';
import type { Store } from '../store/store.ts';
import type { Administration } from '../tenants/accounts/open-accounts.ts';
import type { Json } from './arguments.ts';
import { type Column, show } from './output.ts';

/** Who the audit log says it was. */
export const actor = 'cli';

interface Connection {
  readonly config: Config;
  readonly store: Store;
}

export interface AdministrationConnection extends Connection, Administration {}

/**
 * Runs work on the server's database. Rejects with what the work rejects with, and `ConfigError`. The parts are loaded
 * by then only, so that help and mistakes of the command line show at once.
 * @param mustExist whether to refuse to make a SQLite database: a wrong DATA_DIR must not look like an empty one.
 */
export async function withStore<T>(
  mustExist: boolean,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { readConfig } = await import('../config/config.ts');
  const { openStore } = await import('../store/open-store.ts');
  const config = await readConfig(process.env);
  const store = await openStore({ ...config, mustExist, tell: (line) => console.error(line) });
  try {
    await store.synchroniseClock();
    return await work({ config, store });
  } finally {
    await store.close();
  }
}

/** The same, with what administers the accounts. */
export async function withAdministration<T>(
  mustExist: boolean,
  work: (connection: AdministrationConnection) => Promise<T>,
): Promise<T> {
  const { openAdministration } = await import('../tenants/accounts/open-accounts.ts');
  return withStore(mustExist, async ({ config, store }) => {
    const { dataDir, keySecret, limitsVariant, plans: planChanges } = config;
    const settings = { dataDir, keySecret, limitsVariant, planChanges };
    return work({ config, store, ...(await openAdministration(store, settings)) });
  });
}

/**
 * Makes actions of commands that show what their work gives, by `open` such as `withAdministration`: a table, or JSON. The work takes
 * the arguments of the command, its options without `--json`, and the command.
 */
export function showing<Parts, Row extends object>(
  open: <T>(mustExist: boolean, work: (parts: Parts) => Promise<T>) => Promise<T>,
  columns: readonly Column<Row>[],
) {
  return <Given extends unknown[]>(
    work: (parts: Parts, ...given: Given) => Promise<Row | readonly Row[]>,
    mustExist = true,
  ) =>
    async (...given: unknown[]): Promise<void> => {
      const [{ json, ...options }, command] = given.splice(-2) as [Json, Command];
      const all = [...given, options, command] as unknown as Given;
      show(columns, await open(mustExist, (parts) => work(parts, ...all)), json);
    };
}

/** The options of commands that show what one tenant has, or all have. */
export interface TenantOption {
  readonly tenant?: string;
}

/** All items of a list, over all its list pages. */
export async function allItems<T>(
  read: (request: ListRequest) => Promise<ListPage<T>>,
): Promise<readonly T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: ListPage<T> = await read({ limit: 200, cursor });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}
