import type { Rule } from '../tenants/accounts/oidc/settings.ts';

/** An issuer by which people sign in. */
export interface OidcEntry {
  readonly id: string;
  readonly name?: string;
  readonly issuer: string;
  readonly client_id: string;
  /** The secret itself or `${NAME}`, which stands for an environment variable. */
  readonly client_secret?: string;
  readonly scopes?: readonly string[];
  readonly rules: readonly {
    readonly claim: string;
    readonly value?: string;
    readonly role: Rule['role'];
    readonly tenant?: string;
  }[];
}

/** An issuer of tokens. */
export interface JwtEntry {
  readonly id: string;
  readonly issuer: string;
  readonly audience: string;
  readonly jwks_url?: string;
  readonly tenant?: string;
  readonly tenant_claim?: string;
  readonly scopes_claim?: string;
  readonly scopes?: readonly string[];
}

/** The section `sign_in` of the file. */
export interface SignInEntry {
  readonly oidc?: readonly OidcEntry[];
  readonly jwt?: readonly JwtEntry[];
}
