import { configDefaults, defineConfig } from 'vitest/config';
import { config } from './vitest.config.ts';

/** What takes long, and the tests of tools, each file in a process of its own: some measure the memory of theirs. */
export const long = defineConfig({
  test: {
    ...config.test,
    include: ['test/**/*.long.test.ts', 'test/browser/**/*.test.ts', 'test/*/tests/*.test.ts'],
    exclude: [...configDefaults.exclude],
    isolate: true,
    // Most have servers, databases and browsers beside them, which need a processor too.
    maxWorkers: '75%',
    // Coverage of the contract is for the other suite.
    globalSetup: ['test/helpers/global-setup.ts'],
  },
});

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export.
export default long;
