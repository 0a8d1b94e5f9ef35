import type * as Contract from '../../../generated/types.gen.ts';
import { isLoopback } from '../../lib/address.ts';
import { ascendingUlid } from '../../lib/ids.ts';
import { onWire } from '../../lib/names.ts';
import { isoTime } from '../../lib/utc.ts';
import type { WebhookRow } from '../../store/background-schema.ts';
import type { ListPage, ListRequest } from '../../store/list-page.ts';
import { addRows, deleteRows } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { AccountError } from '../../tenants/accounts/account-error.ts';
import { actOn, type Changes, listRows, rowOf } from '../../tenants/accounts/changes.ts';
import type { WebhookSecrets } from './send.ts';
import { type Delivery, type Webhook, webhookOf } from './webhook.ts';

export type NewWebhook = Pick<Webhook, 'tenantId' | 'url' | 'label' | 'events'>;
export type WebhookChange = Partial<Pick<Webhook, 'url' | 'label' | 'events'>> & {
  readonly disabled?: boolean | undefined;
};

/** A webhook with its secret, to be shown now or never. */
export interface MadeWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** How long a secret that was replaced still signs beside the new one, in milliseconds: a day. */
const rotationMs = 86_400_000;

export type Webhooks = ReturnType<typeof webhooksOf>;

/** The addresses that receive events. Every method that changes one takes the actor for the audit log. All throw `AccountError`. */
export function webhooksOf(store: Store, changes: Changes, secrets: WebhookSecrets) {
  async function create(fields: NewWebhook, actor: string): Promise<MadeWebhook> {
    checkUrl(fields.url);
    return changes.perform(async (db, now) => {
      const { tenantId } = fields;
      if (tenantId !== null) await rowOf(db, 'tenant', tenantId);
      const id = `whk_${ascendingUlid(now)}`;
      const secret = secrets.generate();
      const row: WebhookRow = {
        id,
        tenant_id: tenantId,
        url: fields.url,
        label: fields.label,
        events: JSON.stringify(fields.events),
        secret: secrets.seal(secret, id),
        old_secret: null,
        old_secret_until: null,
        failing_since: null,
        disabled_at: null,
        created_at: now,
      };
      await addRows(db, 'webhooks', [row]);
      const webhook = webhookOf(row);
      return { result: { webhook, secret }, act: actOn(actor, 'webhook', 'create', null, webhook) };
    });
  }

  async function get(id: string): Promise<Webhook> {
    return webhookOf(await rowOf(store.db, 'webhook', id));
  }

  /** In the order of their ids; of all tenants, and the operator's, for null. */
  async function list(tenantId: string | null, request: ListRequest = {}): Promise<ListPage<Webhook>> {
    const where = tenantId === null ? {} : { tenant_id: tenantId };
    return listRows(store.db, 'webhooks', { where }, request, webhookOf);
  }

  /** Changes what is given. One that is taken up again begins without a record of failures. */
  async function change(id: string, { disabled, ...fields }: WebhookChange, actor: string): Promise<Webhook> {
    if (fields.url !== undefined) checkUrl(fields.url);
    const changed = (row: WebhookRow, now: number) => ({
      url: fields.url ?? row.url,
      label: fields.label ?? row.label,
      events: fields.events ? JSON.stringify(fields.events) : row.events,
      ...(disabled === true && { disabled_at: row.disabled_at ?? now }),
      ...(disabled === false && { disabled_at: null, failing_since: null }),
    });
    return changes.change({ kind: 'webhook', id, actor, verb: 'change' }, changed, webhookOf);
  }

  /** Makes a new secret; the old one signs as well for a day. */
  async function rotate(id: string, actor: string): Promise<MadeWebhook> {
    const secret = secrets.generate();
    const rotated = (row: WebhookRow, now: number) => ({
      secret: secrets.seal(secret, id),
      old_secret: row.secret,
      old_secret_until: now + rotationMs,
    });
    const change = { kind: 'webhook', id, actor, verb: 'rotate' } as const;
    return { webhook: await changes.change(change, rotated, webhookOf), secret };
  }

  async function remove(id: string, actor: string): Promise<void> {
    await changes.perform(async (db) => {
      const before = webhookOf(await rowOf(db, 'webhook', id));
      await deleteRows(db, 'webhook_deliveries', { webhook_id: id });
      await deleteRows(db, 'webhooks', { id });
      return { result: undefined, act: actOn(actor, 'webhook', 'delete', before, null) };
    });
  }

  return { create, get, list, change, rotate, delete: remove };
}

/** Signed but unencrypted deliveries must stay on this machine. Throws `AccountError('invalid')`. */
function checkUrl(text: string): void {
  const invalid = (message: string) => new AccountError('invalid', message, 'url');
  if (!URL.canParse(text)) throw invalid('The address is not a URL.');
  const url = new URL(text);
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) throw invalid('The address begins with https://.');
  if (url.username || url.password) throw invalid('The address holds no user and no password.');
}

export function webhookView(webhook: Webhook): Contract.Webhook {
  return { object: 'webhook', ...onWire(webhook) };
}

export function createdWebhookView({ webhook, secret }: MadeWebhook): Contract.CreatedWebhook {
  return { object: 'created_webhook', secret, webhook: webhookView(webhook) };
}

export function deliveryView({
  attempts,
  dueAt,
  payload: _,
  ...delivery
}: Delivery): Contract.WebhookDelivery {
  const { due_at, ...shown } = onWire({ ...delivery, dueAt });
  return {
    object: 'webhook_delivery',
    ...shown,
    attempts: attempts.map(({ at, ms, ...attempt }) => ({ at: isoTime(at), ...attempt, duration_ms: ms })),
    next_attempt_at: due_at,
  };
}
