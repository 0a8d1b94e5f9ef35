import type { TestProject } from 'vitest/node';
import { makeBuild } from '../../scripts/generate/build.ts';
import { isCompiledAhead } from '../../src/config/parse-file.ts';
import { isBuilt } from '../../src/contract/built.ts';
import { isWholeRun } from '../contract/coverage.ts';
import { startPostgres } from './store-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of a PostgreSQL server for all test files; null: each that needs one starts its own. */
    postgresServer: string | null;
  }
}

/**
 * Makes what an install makes of the contract and of schemas, where that was skipped or these are others since; and one database
 * server for a run of the whole suite, or of a group of `npm run verify`: making one takes as long as many of the tests on it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!isBuilt() || !isCompiledAhead()) await makeBuild();
  // Where there is none, the tests say so themselves.
  const server =
    isWholeRun(project) || process.env['SHARED_POSTGRES'] ? await startPostgres().catch(() => null) : null;
  project.provide('postgresServer', server?.address ?? null);
  return async () => server?.stop();
}
