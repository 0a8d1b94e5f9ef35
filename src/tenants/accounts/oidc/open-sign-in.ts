import { ServiceError } from '../../../contract/errors.ts';
import type { Principal } from '../../../contract/registry.ts';
import type { Store } from '../../../store/store.ts';
import type { KeyStore } from '../key-secret.ts';
import type { Accounts } from '../open-accounts.ts';
import type { OnRefused } from './issuer.ts';
import type { JwtSettings, SignInSettings } from './settings.ts';
import { SignIns } from './sign-in.ts';

export interface SignInParts {
  readonly store: Store;
  readonly accounts: Pick<Accounts, 'sessions' | 'keyFor' | 'keys' | 'pseudonym'>;
  readonly keys: KeyStore;
  readonly publicUrl: string;
  readonly settings: SignInSettings;
  /** Whether the password and links open the admin area and dashboards. */
  readonly passwords: boolean;
  readonly onRefused: OnRefused;
  /** Set by tests only. */
  readonly cooldownMs?: number;
  readonly timeoutMs?: number;
}

/** How people sign in, and whose a credential is that comes as a Bearer token. */
export type SignIn = Awaited<ReturnType<typeof openSignIn>>;

export async function openSignIn(parts: SignInParts) {
  const { store, accounts, keys, publicUrl, settings, passwords, onRefused, timeoutMs } = parts;
  const signIns = new SignIns({
    store,
    sessions: accounts.sessions,
    key: accounts.keyFor('sign-in'),
    publicUrl,
    issuers: settings.oidc,
    onRefused,
    timeoutMs,
  });
  const verifyKey: (presented: string) => Promise<Principal | null> = keys.verify.bind(keys);
  const verifyBearer = settings.jwt.length === 0 ? verifyKey : await withTokens(parts, settings.jwt);
  return { signIns, passwords, verifyBearer };
}

/** Keys, and JSON Web Tokens beside them. Their modules are loaded only where they are configured. */
async function withTokens(
  { store, accounts, keys, cooldownMs, timeoutMs }: SignInParts,
  issuers: readonly JwtSettings[],
) {
  const { JwtCredentials, looksLikeJwt } = await import('./jwt-credentials.ts');
  const tokens = new JwtCredentials({
    issuers,
    clock: store.clock,
    callerOf: (bearer) => accounts.keys.callerOf(bearer),
    pseudonym: accounts.pseudonym,
    ...(cooldownMs !== undefined && { cooldownMs }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return (presented: string): Promise<Principal | null> =>
    looksLikeJwt(presented) ? tokens.verify(presented) : keys.verify(presented);
}

/** Throws `ServiceError` where no password opens anything. */
export function requirePasswords(passwords: boolean): void {
  if (passwords) return;
  const message = 'Nobody signs in to this server by password. Sign in by an issuer, in a browser.';
  throw new ServiceError('invalid_credentials', message);
}
