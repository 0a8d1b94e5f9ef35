import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { addNewRow, deleteRows, findRows } from '../../../store/rows.ts';
import type { Store } from '../../../store/store.ts';
import type { NewToken, Sessions } from '../sessions.ts';
import { newToken } from '../tokens.ts';
import { type Area, type Claims, claimsFor, roleOf, tenantsOf, textsOf } from './claims.ts';
import { Issuer, type OnRefused, type Secrets, SignInError } from './issuer.ts';
import type { IssuerSettings } from './settings.ts';

/** Maximum time for a sign-in at an issuer, in milliseconds: 10 minutes. */
export const signInMs = 600_000;

interface SignInsParts {
  readonly store: Store;
  readonly sessions: Sessions;
  /** Signs what a browser carries from one end of a sign-in to the other. */
  readonly key: KeyObject;
  readonly publicUrl: string;
  readonly issuers: readonly IssuerSettings[];
  readonly onRefused: OnRefused;
  /** How long an issuer may take over an answer, in milliseconds, where that differs. */
  readonly timeoutMs?: number | undefined;
}

/** A sign-in that has begun. */
interface Begun {
  /** Where the browser goes now. */
  readonly url: URL;
  /** The ticket that the browser sends back, in a cookie. */
  readonly ticket: string;
}

/** The path that an issuer sends browsers back to. */
function callbackPath(id: string): string {
  return `/sign-in/${id}/callback`;
}

/**
 * Sign-ins by OpenID Connect: authorization code with PKCE, state and nonce. The secrets of a sign-in derive from a token
 * that the browser keeps in a cookie, so nothing is stored for those who never come back; for those who do, a digest is, so
 * that none is used twice.
 */
export class SignIns {
  readonly #parts: SignInsParts;
  readonly #issuers: ReadonlyMap<string, Issuer>;

  constructor(parts: SignInsParts) {
    this.#parts = parts;
    const { issuers, onRefused, timeoutMs } = parts;
    this.#issuers = new Map(issuers.map((one) => [one.id, new Issuer(one, onRefused, timeoutMs)]));
  }

  /** The issuers that let people into an area. */
  offered(area: Area): readonly IssuerSettings[] {
    return this.#parts.issuers.filter(({ rules }) => claimsFor(rules, area).length > 0);
  }

  has(id: string): boolean {
    return this.#issuers.has(id);
  }

  /** Throws `SignInError`. */
  async begin(id: string, area: Area): Promise<Begun> {
    const token = newToken();
    const expiresAt = this.#parts.store.clock.now() + signInMs;
    const content = [token, area, id, expiresAt].join('.');
    const url = await this.#issuer(id).authorizationUrl(this.#redirectUri(id), this.#secretsOf(token));
    return { url, ticket: `${content}.${this.#derived(content, 'ticket')}` };
  }

  /** Where a ticket leads, whatever becomes of it; the admin area for one that is not good. */
  areaOf(ticket: string | null): Area {
    return ticket?.split('.')[1] === 'dashboard' ? 'dashboard' : 'admin';
  }

  /** Begins the session of a user who returns from an issuer. Throws `SignInError`. */
  async finish(id: string, query: URLSearchParams, ticket: string | null): Promise<NewToken> {
    const { token, area } = this.#read(id, ticket);
    const issuer = this.#issuer(id);
    const { rules } = issuer.settings;
    const url = new URL(`${this.#redirectUri(id)}?${query}`);
    const needed = claimsFor(rules, area);
    const claims = await issuer.claims(url, this.#secretsOf(token), needed);
    await this.#useUp(token);
    const person = { actor: actorOf(id, claims), issuer: id };
    if (area === 'admin') {
      const role = roleOf(rules, claims);
      if (role !== null) return this.#parts.sessions.begin(null, { ...person, role });
    } else {
      const tenantId = await this.#tenantOf(tenantsOf(rules, claims));
      if (tenantId !== null) return this.#parts.sessions.begin(tenantId, { ...person, role: null });
    }
    throw nobody(issuer.settings, area, needed);
  }

  /** Where a browser is sent to sign out at the issuer of its session; null: nowhere. */
  async endSessionUrl(id: string | null, returnTo: string): Promise<URL | null> {
    const issuer = id === null ? undefined : this.#issuers.get(id);
    return issuer ? issuer.endSessionUrl(this.#parts.publicUrl + returnTo) : null;
  }

  #issuer(id: string): Issuer {
    const issuer = this.#issuers.get(id);
    if (issuer) return issuer;
    throw new SignInError('refused', 'Nobody signs in by this issuer any more.');
  }

  #redirectUri(id: string): string {
    return this.#parts.publicUrl + callbackPath(id);
  }

  #derived(token: string, purpose: string): string {
    return createHmac('sha256', this.#parts.key).update(`${purpose}\0${token}`).digest('base64url');
  }

  #secretsOf(token: string): Secrets {
    const [state, nonce, verifier] = ['state', 'nonce', 'verifier'].map((one) => this.#derived(token, one));
    return { state, nonce, verifier } as Secrets;
  }

  #read(id: string, ticket: string | null): { readonly token: string; readonly area: Area } {
    const [token = '', area = '', of = '', expiresAt = '', mac = ''] = ticket?.split('.') ?? [];
    const expected = Buffer.from(this.#derived([token, area, of, expiresAt].join('.'), 'ticket'));
    const given = Buffer.from(mac);
    const isOurs = given.length === expected.length && timingSafeEqual(given, expected) && of === id;
    if (isOurs && Number(expiresAt) > this.#parts.store.clock.now()) return { token, area: area as Area };
    const message = 'This sign-in was not begun in this browser, or more than 10 minutes ago. Try again.';
    throw new SignInError('refused', message);
  }

  /** Of two that come back with the same one, one is let in. */
  async #useUp(token: string): Promise<void> {
    const { db, clock } = this.#parts.store;
    const now = clock.now();
    await deleteRows(db, 'used_sign_ins', {}, sql`and expires_at <= ${now}`);
    const used = { digest: this.#derived(token, 'used'), expires_at: now + signInMs };
    if (!(await addNewRow(db, 'used_sign_ins', used)))
      throw new SignInError('refused', 'This sign-in was used already. Try again.');
  }

  /** The first that there is and that is not suspended. */
  async #tenantOf(ids: readonly string[]): Promise<string | null> {
    const some = ids.slice(0, 100);
    if (some.length === 0) return null;
    const rows = await findRows(this.#parts.store.db, 'tenants', { id: some, suspended_at: null });
    return some.find((id) => rows.some((row) => row.id === id)) ?? null;
  }
}

/** Who the audit log names: the issuer, its name for them, and the address that it has seen to be theirs. */
function actorOf(id: string, claims: Claims): string {
  const [subject = ''] = textsOf(claims, 'sub');
  const [email] = claims['email_verified'] === false ? [] : textsOf(claims, 'email');
  const text = email === undefined ? `${id}:${subject}` : `${id}:${subject} <${email}>`;
  return text.replaceAll(/[^\x20-\x7e\u00a0-\uffff]/g, '').slice(0, 300);
}

function nobody({ name }: IssuerSettings, area: Area, claims: readonly string[]): SignInError {
  const what = area === 'admin' ? 'the admin area' : 'the dashboard of a tenant that there is';
  const looked = claims.map((claim) => `“${claim}”`).join(', ');
  const message = `${name} has signed you in, but no rule of this server lets you into ${what}. It looked at ${looked}.`;
  return new SignInError('no_rule', message);
}
