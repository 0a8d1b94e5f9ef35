import { defineConfig } from 'vitest/config';

export const config = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 15_000,
    hookTimeout: 30_000,
    globalSetup: ['test/contract/coverage.ts'],
  },
});

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export.
export default config;
