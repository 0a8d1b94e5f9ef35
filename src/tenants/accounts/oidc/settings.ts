import type { Secret } from '../../../lib/redact.ts';
import type { Role } from '../roles.ts';

/** Admits users whose claim has a value. */
export interface Rule {
  /** Name of a claim; of one within another with dots between them, such as `realm_access.roles`. */
  readonly claim: string;
  /** Its value or, if it is a list, one of its values; null: any value. */
  readonly value: string | null;
  /** `member` for the dashboard of a tenant, the others for the admin area. */
  readonly role: Role | 'member';
  /** The tenant of a member; null: the claim names it. */
  readonly tenant: string | null;
}

/** An issuer by which people sign in (OpenID Connect Core 1.0). */
export interface IssuerSettings {
  readonly id: string;
  /** The label of its button. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: Secret | null;
  readonly scopes: readonly string[];
  readonly rules: readonly Rule[];
}

/** An issuer whose JSON Web Tokens are taken as API credentials. */
export interface JwtSettings {
  readonly id: string;
  readonly issuer: string;
  readonly audience: string;
  /** Where its keys are; null: where its discovery document says. */
  readonly jwksUrl: string | null;
  /** The tenant of all its tokens; null: `tenantClaim` names it. */
  readonly tenant: string | null;
  readonly tenantClaim: string;
  /** The claim with the scopes of a token; null: all tokens have `scopes`. */
  readonly scopesClaim: string | null;
  readonly scopes: readonly string[];
}

export interface SignInSettings {
  readonly oidc: readonly IssuerSettings[];
  readonly jwt: readonly JwtSettings[];
}
