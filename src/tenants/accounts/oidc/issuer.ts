import type { Configuration } from 'openid-client';
import { isLoopback } from '../../../lib/address.ts';
import type { Claims } from './claims.ts';
import type { IssuerSettings } from './settings.ts';

/** Why a sign-in failed. The message may be shown as it is. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  /** `away`: the issuer cannot be used now; `refused`: the data from it or the browser is invalid; `no_rule`: no rule lets them in. */
  readonly reason: 'away' | 'refused' | 'no_rule';

  constructor(reason: SignInError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** How long what an issuer says of itself is believed, in milliseconds. */
const freshMs = 3_600_000;
/** How long it may take over an answer, to its last byte, in milliseconds. */
const defaultTimeoutMs = 10_000;
/** How far its clock may be off, in seconds. */
const toleranceS = 30;

/** The secrets that only the two ends of one sign-in know. */
export interface Secrets {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** The details of a failed sign-in, for the log. */
export type OnRefused = (issuer: string, reason: string) => void;

/** An issuer as openid-client knows it. It is first asked at a sign-in, and again if it was away. */
export class Issuer {
  readonly settings: IssuerSettings;
  readonly #onRefused: OnRefused;
  readonly #timeoutMs: number;
  #found: { readonly at: number; readonly configuration: Promise<Configuration> } | null = null;

  constructor(settings: IssuerSettings, onRefused: OnRefused, timeoutMs = defaultTimeoutMs) {
    this.settings = settings;
    this.#onRefused = onRefused;
    this.#timeoutMs = timeoutMs;
  }

  /** Where a browser is sent to sign in. Throws `SignInError`. */
  async authorizationUrl(redirectUri: string, { state, nonce, verifier }: Secrets): Promise<URL> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await client();
    const configuration = await this.#configuration();
    return buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.settings.scopes.join(' '),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
  }

  /**
   * The issuer's claims about the user who returns from it. Throws `SignInError`.
   * @param url the address that they came back to, with its query
   * @param needed claims that are asked for where the ID token lacks one of them
   */
  async claims(url: URL, { state, nonce, verifier }: Secrets, needed: readonly string[]): Promise<Claims> {
    const { authorizationCodeGrant, fetchUserInfo } = await client();
    const configuration = await this.#configuration();
    try {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      const tokens = await authorizationCodeGrant(configuration, url, checks);
      const claims: Claims & { readonly sub: string } = { sub: '', ...tokens.claims() };
      const lacks = needed.some((name) => !Object.hasOwn(claims, name.split('.')[0] ?? name));
      if (!lacks || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
      const more = await fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return { ...more, ...claims };
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Where a browser is sent to sign out there too; null where the issuer has no such page or cannot be asked. */
  async endSessionUrl(returnTo: string): Promise<URL | null> {
    const { buildEndSessionUrl } = await client();
    try {
      const configuration = await this.#configuration();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo });
    } catch (error) {
      if (error instanceof SignInError) return null;
      throw error;
    }
  }

  async #configuration(): Promise<Configuration> {
    if (this.#found === null || performance.now() - this.#found.at > freshMs)
      this.#found = { at: performance.now(), configuration: this.#discover() };
    try {
      return await this.#found.configuration;
    } catch (error) {
      this.#found = null;
      this.#onRefused(this.settings.id, reasonOf(error));
      throw away(this.settings);
    }
  }

  async #discover(): Promise<Configuration> {
    const { settings } = this;
    const { allowInsecureRequests, clockTolerance, discovery, enableNonRepudiationChecks, None } =
      await client();
    const server = new URL(settings.issuer);
    const { clientSecret } = settings;
    // Without TLS it must be this very machine, which the configuration sees to.
    const execute = [enableNonRepudiationChecks];
    if (server.protocol === 'http:' && isLoopback(server.hostname)) execute.push(allowInsecureRequests);
    return discovery(
      server,
      settings.clientId,
      { ...(clientSecret && { client_secret: clientSecret.reveal() }), [clockTolerance]: toleranceS },
      clientSecret ? undefined : None(),
      { execute, timeout: this.#timeoutMs / 1000 },
    );
  }

  #failure(error: unknown): SignInError {
    const { id, name } = this.settings;
    this.#onRefused(id, reasonOf(error));
    if (isAway(error)) return away(this.settings);
    // Its keys may have changed since they were read.
    this.#found = null;
    const reason = (error as { error?: unknown }).error;
    const because = typeof reason === 'string' && /^\w{1,60}$/.test(reason) ? ` It says: ${reason}.` : '';
    return new SignInError('refused', `${name} did not sign you in.${because} Try again.`);
  }
}

/** Loaded at the first sign-in: most servers never need it. */
const client = () => import('openid-client');

function away({ name }: IssuerSettings): SignInError {
  return new SignInError('away', `${name} cannot be reached at the moment. Try again later.`);
}

/** Whether it gave no answer, or only said that it has failed. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if ((error instanceof TypeError && code === undefined) || code === 'OAUTH_TIMEOUT') return true;
  // An answer that did not end in time shows as one that cannot be parsed, with the timeout as a cause of its cause.
  if (cause instanceof DOMException) return cause.name === 'TimeoutError';
  if (cause instanceof Error && isAway(cause)) return true;
  return cause instanceof Response && cause.status >= 500;
}

/** For the log, without what a cause may hold: tokens, and what they say of people. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? `${code}: ${error.message}` : error.message;
}
