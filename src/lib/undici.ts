import { createRequire } from 'node:module';

type Undici = typeof import('undici');

let loaded: Undici | null = null;

/** undici, which is loaded when something is first to be sent: 109 files, for nothing where only the sandbox answers. */
export function undici(): Undici {
  loaded ??= createRequire(import.meta.url)('undici') as Undici;
  return loaded;
}
