import type { TestProject } from 'vitest/node';
import { isWholeRun } from '../contract/coverage.ts';
import { startPostgres } from './store-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of a PostgreSQL server for all test files; null: each that needs one starts its own. */
    postgresServer: string | null;
  }
}

/**
 * One server for a run of the whole suite, or of a group of `npm run verify`: making one takes as long as many of the tests on it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Where there is none, the tests say so themselves.
  const server =
    isWholeRun(project) || process.env['SHARED_POSTGRES'] ? await startPostgres().catch(() => null) : null;
  project.provide('postgresServer', server?.address ?? null);
  return async () => server?.stop();
}
