import { configDefaults, defineConfig } from 'vitest/config';
import { config } from './vitest.config.ts';

/** Every test, the long ones too. */
export const all = defineConfig({ test: { ...config.test, exclude: [...configDefaults.exclude] } });

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export.
export default all;
