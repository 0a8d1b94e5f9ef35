import { randomBytes } from 'node:crypto';
import type { Secret } from '../lib/secret.ts';
import { ConfiguredKeys, checkConfiguredKeys } from './configured-keys.ts';
import { loadKeys, makeFirstKey } from './first-key.ts';
import type { KeyStore } from './keys.ts';

/** What the keys need of the configuration. */
export interface KeySettings {
  readonly apiKeys: readonly Secret[];
  readonly dataDir: string;
}

export interface OpenKeyStore {
  readonly store: KeyStore;
  /** A key that this start has made, in clear: to be shown to the operator now or never. */
  readonly firstKey: string | null;
}

/**
 * The configured keys and the one kept in the data directory. Without any, one is made.
 * Throws a `ConfigError` for keys that could never be verified and for files that cannot be used.
 */
export async function openKeyStore(settings: KeySettings): Promise<OpenKeyStore> {
  const keys = settings.apiKeys.map((key) => key.reveal());
  checkConfiguredKeys(keys);
  let stored = await loadKeys(settings.dataDir);
  let firstKey: string | null = null;
  if (stored === null && keys.length === 0) {
    firstKey = await makeFirstKey(settings.dataDir);
    // Read back even when we made it: what is on the disk is what the next start will know.
    stored = await loadKeys(settings.dataDir);
  }
  const store = new ConfiguredKeys(stored?.hmacSecret ?? randomBytes(32), keys, stored?.keys ?? []);
  return { store, firstKey };
}
