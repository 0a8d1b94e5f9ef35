import { configDefaults, defineConfig } from 'vitest/config';
import { config } from './vitest.config.ts';

/** Every test, the long ones too, each file in a process of its own: some measure the memory of theirs. */
export const all = defineConfig({
  test: {
    ...config.test,
    isolate: true,
    exclude: [...configDefaults.exclude],
    // Browsers, databases and servers of other files take the processors for seconds at a time.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { ...config.test?.expect, poll: { timeout: 30_000, interval: 20 } },
  },
});

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export.
export default all;
