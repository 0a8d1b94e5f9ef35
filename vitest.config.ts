import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

export const config = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // What takes long, on processes, databases that break, browsers and whole sets of prompts, and what guards
    // the tools in `test/`: `npm run verify` runs it.
    exclude: [...configDefaults.exclude, '**/*.long.test.ts', 'test/browser/**', 'test/*/tests/**'],
    // Many tests wait for processes of their own: with two more than there are cores, two cores take 215 s in place of 285 (2026-11-27).
    maxWorkers: availableParallelism() + 2,
    // A process for each file would load everything anew: 528 s of processor time in place of 378 for 293 files (2026-11-22).
    isolate: false,
    // Node.js loads the sources, as it does those of the server: having Vite transform them takes a sixth more processor time, and
    // minutes where nothing of it is kept yet. Files do without `vi.mock`, for which its loader would read every module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Ends what hangs. How long a test takes while the machine has other work is not what it is about.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: {
      // A test that asserts nothing cannot fail for what it is named after.
      requireAssertions: true,
      // A condition that is waited for holds soon; how soon, on a busy machine, is not what the test is about.
      poll: { timeout: 240_000, interval: 20 },
    },
    // What threads and servers of the tests load is compiled once: loading takes most of the time of a first build.
    env: { NODE_COMPILE_CACHE: path.join(tmpdir(), 'switchyard-compile-cache') },
    // As `src/start.js` has it, and for the same reason.
    execArgv: ['--no-memory-protection-keys'],
    globalSetup: ['test/contract/coverage.ts', 'test/helpers/global-setup.ts'],
  },
});

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export.
export default config;
