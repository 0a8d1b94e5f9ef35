import type { Principal } from '../../contract/registry.ts';

/** What a key may be used for. */
export const allScopes: ReadonlySet<string> = new Set(['chat', 'media', 'files', 'agents', 'ai', 'factory']);

/** What names of tokens begin with, in place of the id of a key: those have no underscore. */
export const tokenPrefix = 'jwt_';

/** The keys that are in force, wherever they are kept. */
export interface KeyStore {
  /**
   * Whose key it is; null when it is none. Takes any text and gives no hint, not even by its timing, how near it is
   * to a key. Rejects only when the store cannot be asked.
   */
  verify(presented: string): Promise<Principal | null>;
}
