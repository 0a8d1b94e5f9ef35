import { type KeyObject, timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { ascendingUlid } from '../../lib/ids.ts';
import { type ListPage, type ListRequest, rowsFor, toListPage } from '../../store/list-page.ts';
import { addRows, changeRows, type Db, deleteRows, findRow, type RowOf } from '../../store/rows.ts';
import type { Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { AccountError, readCursor } from './account-error.ts';
import { actOn, type Changes, rowOf } from './changes.ts';
import { type Role, rightsOf } from './roles.ts';
import { digestOfToken, newToken } from './tokens.ts';

/** How long a session lasts, in milliseconds: 12 hours. */
export const sessionMs = 12 * 3_600_000;
/** How long a login link can be used, in milliseconds: 24 hours. */
export const linkMs = 24 * 3_600_000;
/** How often it is written down that a session is used, in milliseconds. */
const seenMs = 60_000;

export interface Session {
  /** Its name, which opens nothing. */
  readonly id: string;
  /** Null for an admin. */
  readonly tenantId: string | null;
  /** Who the audit log names. */
  readonly actor: string;
  /** Its rights in the admin area. */
  readonly rights: ReadonlySet<string>;
  /** Id of the issuer that vouched for them; null: a password, a link or a key did. */
  readonly issuer: string | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The token that a form has to send back to show that it is ours. */
  readonly csrfToken: string;
}

/** A person that an issuer or a key has vouched for. */
interface Person {
  /** Null for a member of a tenant. */
  readonly role: Role | null;
  readonly actor: string;
  /** Null: a key did. */
  readonly issuer: string | null;
}

export interface NewToken {
  /** In clear: given to its holder now or never. */
  readonly token: string;
  readonly expiresAt: number;
}

/** A session as others see it. Times are milliseconds since the epoch. */
export interface SessionView {
  readonly id: string;
  readonly tenantId: string | null;
  /** Who the audit log names. */
  readonly actor: string;
  /** `member` of a tenant. */
  readonly role: string;
  /** How they have signed in. */
  readonly method: 'password' | 'link' | 'oidc';
  readonly issuer: string | null;
  readonly createdAt: number;
  /** To the minute. */
  readonly lastSeenAt: number;
  readonly expiresAt: number;
}

/** Where a sign-in link leads. */
export const linkPath = '/dashboard/sign-in';

/** The link that hands over a token. Browsers keep what stands behind the # to themselves, so no log ever holds it. */
export function signInLink(publicUrl: string, token: string): string {
  return `${publicUrl}${linkPath}#${token}`;
}

/** Sessions of the admin area and the dashboard, and the links by which tenants begin one. Only digests are kept. */
export class Sessions {
  readonly #store: Store;
  readonly #changes: Changes;
  readonly #secret: KeyObject;
  readonly #settled: () => Promise<void>;

  /** @param settled resolves once the sessions are ended that a start ends */
  constructor(store: Store, changes: Changes, secret: KeyObject, settled: () => Promise<void>) {
    this.#store = store;
    this.#changes = changes;
    this.#secret = secret;
    this.#settled = settled;
  }

  /** Begins a session of a tenant; of an admin for null. Without a name it belongs to the holder of the password or the link. */
  async begin(tenantId: string | null, person?: Person): Promise<NewToken & { readonly id: string }> {
    await this.#settled();
    const token = newToken();
    const now = this.#store.clock.now();
    const expiresAt = now + sessionMs;
    const { db } = this.#store;
    await deleteRows(db, 'sessions', {}, sql`and expires_at <= ${now}`);
    const digest = digestOfToken(token, 'session', this.#secret);
    const id = `ses_${ascendingUlid(now)}`;
    const row = {
      ...{ digest, tenant_id: tenantId, created_at: now, expires_at: expiresAt, id },
      role: tenantId === null ? (person?.role ?? 'owner') : null,
      actor: person?.actor ?? holderOf(tenantId),
      issuer: person?.issuer ?? null,
    };
    await addRows(db, 'sessions', [row]);
    return { id, token, expiresAt };
  }

  /** The session of a token; null when there is none, it is over, or its tenant is suspended. */
  async find(token: string): Promise<Session | null> {
    await this.#settled();
    const digest = digestOfToken(token, 'session', this.#secret);
    const [row] = await findSessions(this.#store.db, sql`digest = ${digest}`);
    const now = this.#store.clock.now();
    if (!row || row.expires_at <= now || row.suspended_at !== null) return null;
    const { id, tenantId, actor, issuer, expiresAt, lastSeenAt } = viewOf(row);
    // In the background: a database that takes no writes still lets users in.
    if (now - lastSeenAt >= seenMs) void this.#see(digest, now).catch(ignore);
    const csrfToken = digestOfToken(token, 'csrf', this.#secret);
    const rights = rightsOf(tenantId === null ? roleOf(row) : null);
    return { id, tenantId, actor, rights, issuer, expiresAt, csrfToken };
  }

  /** Who is signed in, latest first. Throws `AccountError('invalid')` for a broken cursor. */
  async list(request: ListRequest = {}): Promise<ListPage<SessionView>> {
    const [before] = readCursor(request, 'string') ?? [];
    const beyond = before === undefined ? sql`` : sql`and ${ownId} < ${before}`;
    const wanted = sql`expires_at > ${this.#store.clock.now()} ${beyond} order by own_id desc limit ${rowsFor(request)}`;
    const rows = await findSessions(this.#store.db, wanted);
    return toListPage(rows, request, ({ own_id }) => [own_id], viewOf);
  }

  /** Ends a session, on all servers at once, as each looks it up for every request. Throws `AccountError('not_found')`. */
  async endById(id: string, actor: string): Promise<void> {
    await this.#changes.perform(async (db, now) => {
      const [row] = await findSessions(db, sql`${ownId} = ${id} and expires_at > ${now}`);
      if (!row)
        throw new AccountError('not_found', `There is no session ${JSON.stringify(id.slice(0, 64))}.`);
      await deleteRows(db, 'sessions', {}, sql`and ${ownId} = ${id}`);
      return { result: null, act: actOn(actor, 'session', 'end', viewOf(row), null) };
    });
  }

  /** Whether a token would be of a session if its tenant were not suspended. */
  async isSuspended(token: string): Promise<boolean> {
    const digest = digestOfToken(token, 'session', this.#secret);
    const wanted = sql`digest = ${digest} and expires_at > ${this.#store.clock.now()}`;
    const [row] = await findSessions(this.#store.db, wanted);
    return row !== undefined && row.suspended_at !== null;
  }

  async end(token: string): Promise<void> {
    await deleteRows(this.#store.db, 'sessions', { digest: digestOfToken(token, 'session', this.#secret) });
  }

  /** Other processes may have seen it a moment ago: one of them writes. */
  async #see(digest: string, now: number): Promise<void> {
    const unseen = sql`and (seen_at is null or seen_at <= ${now - seenMs})`;
    await changeRows(this.#store.db, 'sessions', { digest }, { seen_at: now }, unseen);
  }

  /** Makes a link's token, by which a tenant signs in once. Throws `AccountError('not_found')`. */
  async invite(tenantId: string, actor: string): Promise<NewToken> {
    return this.#changes.perform(async (db, now) => {
      await rowOf(db, 'tenant', tenantId);
      return this.newLink(db, tenantId, actor, now);
    });
  }

  /** The same for a tenant that there is, within a transaction of the caller, which also records the act. */
  async newLink(db: Transaction<Tables>, tenantId: string, actor: string, now: number) {
    const token = newToken();
    const expiresAt = now + linkMs;
    const digest = digestOfToken(token, 'link', this.#secret);
    await deleteRows(db, 'login_links', {}, sql`and expires_at <= ${now}`);
    const row = { digest, tenant_id: tenantId, created_at: now, expires_at: expiresAt, used_at: null };
    await addRows(db, 'login_links', [row]);
    const act = { actor, action: 'link.create', target: `tenant:${tenantId}`, tenantId };
    return { result: { token, expiresAt }, act: { ...act, before: null, after: { expiresAt } } };
  }

  /**
   * Turns a link's token into a session; null when it is unknown, used, or too old. Works once, also when tried twice at
   * a time. Throws `AccountError('not_allowed')` for a suspended tenant, whose link stays good for when it is let in again.
   */
  async redeem(linkToken: string): Promise<NewToken | null> {
    const now = this.#store.clock.now();
    const { db } = this.#store;
    const digest = digestOfToken(linkToken, 'link', this.#secret);
    const link = await findRow(db, 'login_links', { digest });
    if (!link || link.used_at !== null || link.expires_at <= now) return null;
    const { suspended_at } = await rowOf(db, 'tenant', link.tenant_id);
    if (suspended_at !== null) throw new AccountError('not_allowed', 'The tenant is suspended.');
    const isFirst = (await changeRows(db, 'login_links', { digest, used_at: null }, { used_at: now })) === 1;
    return isFirst ? this.begin(link.tenant_id) : null;
  }
}

/** The name of a session. One that was begun before there were ids is named by the beginning of its digest. */
const ownId = sql<string>`coalesce(sessions.id, 'ses_' || substr(sessions.digest, 1, 26))`;

type Row = RowOf<'sessions'> & { readonly own_id: string; readonly suspended_at: number | null };

async function findSessions(db: Db, wanted: RawBuilder<unknown>): Promise<readonly Row[]> {
  const found = sql<Row>`select sessions.*, ${ownId} as own_id, tenants.suspended_at
    from sessions left join tenants on tenants.id = sessions.tenant_id where ${wanted}`;
  return (await found.execute(db)).rows;
}

function viewOf(row: Row): SessionView {
  const { tenant_id: tenantId, issuer } = row;
  return {
    id: row.own_id,
    tenantId,
    actor: row.actor ?? holderOf(tenantId),
    role: roleOf(row),
    method: issuer !== null ? 'oidc' : tenantId === null ? 'password' : 'link',
    issuer,
    createdAt: row.created_at,
    lastSeenAt: row.seen_at ?? row.created_at,
    expiresAt: row.expires_at,
  };
}

/** Before there were roles, the password allowed everything. */
function roleOf({ tenant_id, role }: Pick<Row, 'tenant_id' | 'role'>): string {
  return tenant_id === null ? (role ?? 'owner') : 'member';
}

const ignore = () => undefined;

/** The name of a session without a known holder. */
function holderOf(tenantId: string | null): string {
  return tenantId === null ? 'admin' : `tenant:${tenantId}`;
}

/** Whether a form's token is that of the session. */
export function isCsrfToken(session: Session, given: string): boolean {
  const expected = Buffer.from(session.csrfToken);
  const presented = Buffer.from(given);
  return expected.length === presented.length && timingSafeEqual(expected, presented);
}
