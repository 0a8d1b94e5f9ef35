import type { KeyObject } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { type Camel, camelCased, pick } from '../../lib/names.ts';
import { problemOfTags, type Tags, tagsIn, tagsText } from '../../lib/tags.ts';
import { type ListPage, type ListRequest, rowsFor, toListPage } from '../../store/list-page.ts';
import { addRows, changeRows, findRows } from '../../store/rows.ts';
import type { KeyRow, Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { AccountError, readCursor } from './account-error.ts';
import { actOn, type Changes, rowOf } from './changes.ts';
import { allScopes, digestOf, generateKey } from './key-secret.ts';
import type { Plans } from './plans.ts';
import { tenantOf } from './tenants.ts';

const names = ['id', 'tenant_id', 'label'] as const;
const times = [
  'created_at',
  'expires_at',
  'revoked_at',
  'rotated_from',
  'grace_until',
  'last_used_at',
] as const;

/** A key as it can be shown. Times are milliseconds since the epoch. */
export interface KeyView extends Camel<Pick<KeyRow, (typeof names | typeof times)[number]>> {
  readonly scopes: readonly string[];
  /** Those of its requests, which no client can change. */
  readonly tags: Tags;
  /** The key with its secret left out. */
  readonly masked: string;
  /** `replaced`: still good until `graceUntil`. */
  readonly status: 'active' | 'replaced' | 'expired' | 'revoked';
}

interface NewKey {
  readonly tenantId: string;
  readonly label?: string | undefined;
  /** All if none are given. */
  readonly scopes?: readonly string[] | undefined;
  readonly expiresAt?: number | null | undefined;
  /** None if they are not given. */
  readonly tags?: Tags | undefined;
}

/** The changeable fields of a key. */
type KeyChange = Partial<Pick<NewKey, 'label' | 'tags'>>;

/** A key that was just made. */
export interface MadeKey {
  readonly key: KeyView;
  /** The whole key in clear: to be shown now or never. */
  readonly text: string;
}

/** Which key, and whose: a tenant reaches only its own; null reaches all. */
interface KeyAddress {
  readonly id: string;
  readonly tenantId: string | null;
}

/** Maximum time that a replaced key may stay good, in milliseconds: 30 days. */
const maxGraceMs = 30 * 86_400_000;

export type StoredKeys = ReturnType<typeof openStoredKeys>;

/** The keys in the database. Every method that changes one takes the actor for the audit log. All throw `AccountError`. */
export function openStoredKeys(store: Store, changes: Changes, secret: KeyObject, plans: Plans) {
  async function create(fields: NewKey, actor: string): Promise<MadeKey> {
    return changes.perform((db, now) => newKey(db, fields, actor, now));
  }

  /** The same within a transaction of the caller, which also records the act. */
  async function newKey(db: Transaction<Tables>, fields: NewKey, actor: string, now: number) {
    await requireKeys(db, fields.tenantId);
    const made = await insert(db, fields, now);
    return { result: made, act: actOn(actor, 'key', 'create', null, made.key) };
  }

  /** Makes a key of a tenant that may have one, within a transaction of the caller. */
  async function insert(
    db: Transaction<Tables>,
    fields: NewKey,
    now: number,
    rotatedFrom?: string,
  ): Promise<MadeKey> {
    const { tenantId, label = '', scopes = [...allScopes], expiresAt = null, tags = {} } = fields;
    checkLabel(label);
    checkTags(tags);
    checkKey(scopes, expiresAt, now);
    const { id, text } = generateKey();
    const row: KeyRow = {
      id,
      tenant_id: tenantId,
      digest: digestOf(text, secret).toString('hex'),
      label,
      scopes: [...new Set(scopes)].join(' '),
      created_at: now,
      expires_at: expiresAt,
      revoked_at: null,
      rotated_from: rotatedFrom ?? null,
      grace_until: null,
      last_used_at: null,
      tags: tagsText(tags),
    };
    await addRows(db, 'keys', [row]);
    return { key: viewOf(row, now), text };
  }

  async function get(address: KeyAddress): Promise<KeyView> {
    const row = await rowOf(store.db, 'key', address.id, ownedBy(address));
    return viewOf(row, store.clock.now());
  }

  /** A tenant's keys, latest first; of all tenants for null. */
  async function list(tenantId: string | null, request: ListRequest = {}): Promise<ListPage<KeyView>> {
    const cursor = readCursor(request, 'number', 'string');
    const [createdAt, id] = cursor ?? [];
    const beyond = cursor
      ? sql`and (created_at < ${createdAt} or (created_at = ${createdAt} and id > ${id}))`
      : sql``;
    const rest = sql`${beyond} order by created_at desc, id limit ${rowsFor(request)}`;
    const now = store.clock.now();
    return toListPage(
      await findRows(store.db, 'keys', ownedBy({ tenantId }), rest),
      request,
      (row) => [row.created_at, row.id],
      (row) => viewOf(row, now),
    );
  }

  /**
   * Makes a key of the same tenant, label, scopes, tags and expiry, and lets the old one be good for a while longer.
   * @param graceMs from 0 (the old key ends now) to `maxGraceMs`.
   */
  async function rotate(address: KeyAddress, graceMs: number, actor: string): Promise<MadeKey> {
    if (!(Number.isSafeInteger(graceMs) && graceMs >= 0 && graceMs <= maxGraceMs)) {
      throw new AccountError('invalid', 'The grace period is from 0 to 30 days.', 'grace');
    }
    return changes.perform(async (db, now) => {
      const old = await rowOf(db, 'key', address.id, ownedBy(address));
      await requireKeys(db, old.tenant_id);
      const before = viewOf(old, now);
      if (before.status !== 'active') {
        throw new AccountError(
          'not_allowed',
          `The key ${old.id} is ${before.status}; only an active one is rotated.`,
        );
      }
      const { tenant_id: tenantId, label, expires_at: expiresAt } = old;
      const scopes = old.scopes.split(' ').filter(Boolean);
      const fields = { tenantId, label, scopes, expiresAt, tags: tagsIn(old.tags) };
      const made = await insert(db, fields, now, old.id);
      await changeRows(db, 'keys', { id: old.id }, { grace_until: now + graceMs });
      return { result: made, act: actOn(actor, 'key', 'rotate', before, made.key) };
    });
  }

  /** Changes what is given of a key that is good; in force within a second everywhere. Tags are replaced as a whole. */
  async function change(address: KeyAddress, { label, tags }: KeyChange, actor: string): Promise<KeyView> {
    if (label !== undefined) checkLabel(label);
    if (tags !== undefined) checkTags(tags);
    const changed = (row: KeyRow, now: number) => {
      const status = statusOf(row, now);
      if (status !== 'active' && status !== 'replaced')
        throw new AccountError('not_allowed', `The key ${row.id} is ${status}; it cannot be changed.`);
      return { label: label ?? row.label, tags: tags ? tagsText(tags) : row.tags };
    };
    return changes.change(changeOf(address, actor, 'change'), changed, viewOf);
  }

  /** Ends a key, in force within a second everywhere. Ending it again changes nothing. */
  async function revoke(address: KeyAddress, actor: string): Promise<KeyView> {
    const revoked = (row: KeyRow, now: number) => ({ revoked_at: row.revoked_at ?? now });
    return changes.change(changeOf(address, actor, 'revoke'), revoked, viewOf);
  }

  async function requireKeys(db: Transaction<Tables>, tenantId: string): Promise<void> {
    const { plan } = tenantOf(await rowOf(db, 'tenant', tenantId));
    if (plans[plan].keys) return;
    throw new AccountError('not_allowed', `The plan ${plan} of the tenant ${tenantId} has no keys.`);
  }

  return { create, newKey, insert, get, list, rotate, change, revoke };
}

function checkLabel(label: string): void {
  if (label.length > 200) throw new AccountError('invalid', 'A label has at most 200 characters.', 'label');
}

function checkTags(tags: Tags): void {
  const problem = problemOfTags(tags);
  if (problem !== null) throw new AccountError('invalid', problem, 'tags');
}

function checkKey(scopes: readonly string[], expiresAt: number | null, now: number): void {
  if (scopes.length === 0 || !scopes.every((scope) => allScopes.has(scope))) {
    throw new AccountError('invalid', `Scopes are one or more of ${[...allScopes].join(', ')}.`, 'scopes');
  }
  if (expiresAt !== null && !(Number.isSafeInteger(expiresAt) && expiresAt > now)) {
    throw new AccountError('invalid', 'A key expires at a time in the future.', 'expires_at');
  }
}

function ownedBy({ tenantId }: Pick<KeyAddress, 'tenantId'>) {
  return tenantId === null ? {} : { tenant_id: tenantId };
}

function changeOf(address: KeyAddress, actor: string, verb: string) {
  return { kind: 'key', id: address.id, where: ownedBy(address), actor, verb } as const;
}

function viewOf(row: KeyRow, now: number): KeyView {
  return {
    ...camelCased(pick(row, names)),
    scopes: row.scopes.split(' ').filter(Boolean),
    tags: tagsIn(row.tags),
    masked: `sw_live_${row.id}_…`,
    status: statusOf(row, now),
    ...camelCased(pick(row, times)),
  };
}

/** Where a key stands. Only `active` and `replaced` ones are good. */
export function statusOf(
  row: Pick<KeyRow, 'revoked_at' | 'expires_at' | 'grace_until'>,
  now: number,
): KeyView['status'] {
  if (row.revoked_at !== null) return 'revoked';
  if (row.expires_at !== null && row.expires_at <= now) return 'expired';
  if (row.grace_until === null) return 'active';
  return row.grace_until > now ? 'replaced' : 'expired';
}
