import { configDefaults, defineConfig } from 'vitest/config';
import { config } from './vitest.config.ts';

/** Every test, the long ones too, each file in a process of its own: some measure the memory of theirs. */
export const all = defineConfig({
  test: {
    ...config.test,
    isolate: true,
    // Most have servers, databases and browsers beside them, which need a processor too.
    maxWorkers: '75%',
    exclude: [...configDefaults.exclude],
  },
});

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export.
export default all;
