import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { StoreTests } from './store.ts';

/** Where Debian's package `libfaketime` has it, on the machines that we know. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find(existsSync);

/** A wall clock of processes that can be set while they run; time since the start of the machine is left alone. */
export interface SteppingClock {
  readonly environment: Readonly<Record<string, string>>;
  /** Sets it to so many seconds before or after the right time. */
  set(seconds: number): Promise<void>;
}

/** Skips the test where libfaketime is not installed; under `CI` that is a failure. */
export function requireSteppingClock(skip: TestContext['skip']): void {
  if (library !== undefined) return;
  const problem = 'the package libfaketime is not installed';
  if (process.env['CI']) throw new Error(problem);
  skip(problem);
}

export async function steppingClock(on: StoreTests): Promise<SteppingClock> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-clock-'));
  on.cleanUp(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'offset');
  const set = async (seconds: number) => {
    // Renamed, so that nobody reads half of it.
    await writeFile(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
    await rename(`${file}.new`, file);
  };
  await set(0);
  return {
    environment: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    set,
  };
}
