import { hash } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { ServiceError } from '../../../contract/errors.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Caller } from '../caller.ts';
import { allScopes, tokenPrefix } from '../key-secret.ts';
import { type Claims, textsOf } from './claims.ts';

import type { JwtSettings } from './settings.ts';

/** A public key of one of these does not suffice to make tokens. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
algorithms.push('ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519');
/** How far the clock of an issuer may be off, in seconds. */
const toleranceS = 30;
/** Longest token that is looked at, in characters. */
const maxLength = 8192;
/** How long a verified token is believed without looking again, in milliseconds, and how many are remembered. */
const rememberedMs = 10_000;
const maxRemembered = 10_000;

/** The claims of a token about its bearer. */
interface Bearer {
  readonly tenantId: string;
  readonly keyId: string;
  readonly scopes: ReadonlySet<string>;
}

interface JwtCredentialsParts {
  readonly issuers: readonly JwtSettings[];
  readonly clock: Clock;
  /** Makes the caller of a tenant; null if it is not there or may not call. */
  readonly callerOf: (bearer: Bearer) => Promise<Caller | null>;
  /** A short name for a subject, which may be anything. */
  readonly pseudonym: (text: string) => string;
  /** How long an unknown key id does not make the keys be read again, in milliseconds. */
  readonly cooldownMs?: number;
  /** How long an issuer may take over an answer, to its last byte, in milliseconds. */
  readonly timeoutMs?: number;
}

/** Whether a presented credential can be a JSON Web Token: its header begins with `{"`. No key of ours does. */
export function looksLikeJwt(presented: string): boolean {
  return presented.startsWith('eyJ');
}

/** JSON Web Tokens (RFC 7519) of configured issuers as API credentials of tenants. */
export class JwtCredentials {
  readonly #parts: JwtCredentialsParts;
  readonly #keys = new Map<string, Promise<JWTVerifyGetKey>>();
  readonly #remembered = new Map<string, { readonly bearer: Bearer; readonly until: number }>();

  constructor(parts: JwtCredentialsParts) {
    this.#parts = parts;
  }

  /** The owner of a token; null for an invalid one. Throws `ServiceError` when its issuer cannot be asked for its keys. */
  async verify(token: string): Promise<Caller | null> {
    if (token.length > maxLength) return null;
    const digest = hash('sha256', token, 'base64');
    const now = this.#parts.clock.now();
    const known = this.#remembered.get(digest);
    if (known && now < known.until) return this.#parts.callerOf(known.bearer);
    this.#remembered.delete(digest);
    const found = await this.#verified(token, now);
    if (found === null) return null;
    if (this.#remembered.size >= maxRemembered)
      this.#remembered.delete(this.#remembered.keys().next().value as string);
    this.#remembered.set(digest, found);
    return this.#parts.callerOf(found.bearer);
  }

  async #verified(token: string, now: number) {
    const issuer = issuerOf(token);
    for (const settings of this.#parts.issuers) {
      if (settings.issuer !== issuer) continue;
      const claims = await this.#claims(token, settings, now);
      const bearer = claims && this.#bearerOf(claims, settings);
      if (bearer) return { bearer, until: Math.min(now + rememberedMs, (claims.exp + toleranceS) * 1000) };
    }
    return null;
  }

  async #claims(token: string, settings: JwtSettings, now: number) {
    const { issuer, audience } = settings;
    const keys = await this.#keysOf(settings);
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms,
        clockTolerance: toleranceS,
        currentDate: new Date(now),
        requiredClaims: ['exp', 'sub'],
      });
      return { ...payload, exp: payload.exp ?? 0 };
    } catch (error) {
      if (isOfToken(error)) return null;
      throw away(settings, error);
    }
  }

  #bearerOf(claims: Claims, { id, ...settings }: JwtSettings): Bearer | null {
    const [tenantId] = settings.tenant === null ? textsOf(claims, settings.tenantClaim) : [settings.tenant];
    const [subject] = textsOf(claims, 'sub');
    if (tenantId === undefined || subject === undefined) return null;
    const { scopesClaim } = settings;
    const given = scopesClaim === null ? settings.scopes : textsOf(claims, scopesClaim).flatMap(words);
    const scopes = new Set(given.filter((scope) => allScopes.has(scope)));
    const name = this.#parts.pseudonym(`jwt\0${id}\0${subject}`).slice(0, 12);
    return { tenantId, keyId: `${tokenPrefix}${id}_${name}`, scopes };
  }

  /** The keys of an issuer, which jose keeps and reads again: each once however many ask. */
  #keysOf(settings: JwtSettings): Promise<JWTVerifyGetKey> {
    const found = this.#keys.get(settings.id);
    if (found) return found;
    const { cooldownMs: cooldownDuration = 30_000, timeoutMs: timeoutDuration = 5_000 } = this.#parts;
    const keys = (async () => {
      const url = settings.jwksUrl ?? (await discoveredJwksUrl(settings.issuer, timeoutDuration));
      return createRemoteJWKSet(new URL(url), { cooldownDuration, timeoutDuration });
    })();
    this.#keys.set(settings.id, keys);
    return keys.catch((error: unknown) => {
      this.#keys.delete(settings.id);
      throw away(settings, error);
    });
  }
}

/** Who says that it has made a token; nothing of it is checked yet. */
function issuerOf(token: string): string | null {
  try {
    return decodeJwt(token).iss ?? null;
  } catch {
    return null;
  }
}

const words = (text: string) => text.split(' ');

/** Whether the token is to blame, and not that the keys cannot be had. */
function isOfToken(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false;
  // Of the class itself are failures of reading the keys.
  return error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC';
}

function away({ id }: JwtSettings, cause: unknown): ServiceError {
  const message = `The keys of the issuer "${id}" cannot be read at the moment, so its tokens cannot be checked.`;
  return new ServiceError('issuer_unavailable', message, { retryAfter: 5, cause });
}

/**
 * Where an issuer says that its keys are (OpenID Connect Discovery 1.0, section 4). Throws what says why it is not known.
 * @param timeoutMs how long it may take over saying so, in milliseconds
 */
export async function discoveredJwksUrl(issuer: string, timeoutMs: number): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const reply = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
  if (!reply.ok) throw new Error(`the discovery document was answered with ${reply.status}`);
  const found = (await reply.json()) as { issuer?: unknown; jwks_uri?: unknown };
  if (found.issuer !== issuer) throw new Error('the discovery document is of another issuer');
  const secure = typeof found.jwks_uri === 'string' && URL.parse(found.jwks_uri)?.protocol;
  if (secure === 'https:' || (secure === 'http:' && issuer.startsWith('http:')))
    return String(found.jwks_uri);
  throw new Error('the discovery document names no keys');
}
