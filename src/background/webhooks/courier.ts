import { sql } from 'kysely';
import { repeat } from '../../lib/timers.ts';
import type { DeliveryRow, WebhookRow } from '../../store/background-schema.ts';
import { changeRows, type Db, deleteRows, findRow, findRows } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { actOn, type Changes } from '../../tenants/accounts/changes.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import type { Finish, HeldTask } from '../jobs/queue/task.ts';
import { Deliveries, type DeliveryTask, deliveryTask, entrust } from './deliveries.ts';
import { type KeyFor, send, WebhookSecrets } from './send.ts';
import { type Attempt, webhookOf } from './webhook.ts';
import { webhooksOf } from './webhooks.ts';

interface CourierParts {
  readonly store: Store;
  readonly changes: Changes;
  readonly secrets: WebhookSecrets;
  readonly queue: Pick<Queue, 'handle' | 'add' | 'kick'>;
  /** Called with errors of background work. */
  readonly onError: (error: unknown) => void;
  /** Called with each attempt. */
  readonly onAttempt?: (attempt: Attempt) => void;
}

/** How often deliveries are looked for that have no task, in milliseconds: those that a command has made due. */
const lookMs = 1_000;
/** So many of them are given one at once. */
const foundAtOnce = 500;
/** So many attempts run at once in a process, and in all of them to one webhook. */
const atOnce = 32;
const perWebhook = 4;
/** The pauses before each further attempt, in milliseconds, each lengthened by up to a tenth: about a day in all. */
const pausesMs = [5_000, 60_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000];
/** A webhook without a successful delivery for this long is disabled, in milliseconds. */
const giveUpMs = 5 * 86_400_000;
/** How long what is over is kept, in milliseconds. */
const keptMs = 30 * 86_400_000;
const sweepMs = 3_600_000;
/** So many attempts are remembered of a delivery. */
const attemptsKept = 20;

/** Delivers what is in the outbox, at least once each: each delivery is a task of the queue, which any process carries out. */
class Courier {
  readonly #parts: CourierParts;
  readonly #looking;
  readonly #sweeping;

  /** The queue has not started yet. */
  constructor(parts: CourierParts) {
    this.#parts = parts;
    // A delivery cannot be recalled: a server that stops waits for the answer, which takes no longer than `send` does.
    const run = (task: HeldTask) => this.#deliver(task.payload as unknown as DeliveryTask);
    parts.queue.handle({ name: deliveryTask, concurrency: atOnce, perGroup: perWebhook, run });
    this.#looking = repeat(lookMs, () => this.#find(), parts.onError);
    this.#sweeping = repeat(sweepMs, () => this.#forgetOld(), parts.onError);
  }

  /** The rest is delivered by others, or after the next start. */
  async stop(): Promise<void> {
    await Promise.all([this.#looking.stop(), this.#sweeping.stop()]);
  }

  /** Adds tasks for deliveries that are due and have none. */
  async #find(): Promise<void> {
    const { store, queue } = this.#parts;
    const now = store.clock.now();
    const due = (db: Db, most: number) => {
      const isDue = sql`and due_at <= ${now} and claimed_until <= ${now} limit ${most}`;
      return findRows(db, 'webhook_deliveries', {}, isDue);
    };
    // Looking costs less than a transaction, and most looks find nothing.
    if ((await due(store.db, 1)).length === 0) return;
    await store.db.transaction().execute(async (db) => entrust(db, await due(db, foundAtOnce), queue));
    queue.kick(deliveryTask);
  }

  async #deliver({ delivery, dueAt }: DeliveryTask): Promise<Finish | undefined> {
    const { store, onAttempt } = this.#parts;
    const row = await findRow(store.db, 'webhook_deliveries', { id: delivery });
    // It was deleted, or made due again meanwhile.
    if (row?.due_at !== dueAt) return undefined;
    const webhook = await findRow(store.db, 'webhooks', { id: row.webhook_id });
    const attempt = await this.#attempt(row, webhook, store.clock.now());
    onAttempt?.(attempt);
    return (db) => this.#note(db, row, attempt);
  }

  async #attempt(row: DeliveryRow, webhook: WebhookRow | undefined, now: number): Promise<Attempt> {
    const unsent = (failure: Attempt['failure']): Attempt => ({ at: now, status: null, failure, ms: 0 });
    // Nothing is sent to one that was deleted.
    if (!webhook || webhook.disabled_at !== null) return unsent('disabled');
    const keys = this.#keysOf(webhook, now);
    if (!keys) return unsent('unsigned');
    return send({ url: webhook.url, id: row.event_id, payload: row.payload, secrets: keys }, now);
  }

  /** The secrets to sign with; null, with the cause reported: one cannot be opened. */
  #keysOf(
    { id, secret, old_secret: old, old_secret_until: until }: WebhookRow,
    now: number,
  ): string[] | null {
    const { secrets, onError } = this.#parts;
    try {
      const keys = [secrets.open(secret, id)];
      if (old !== null && (until ?? 0) > now) keys.push(secrets.open(old, id));
      return keys;
    } catch (cause) {
      onError(new Error(`The secret of webhook ${id} cannot be opened`, { cause }));
      return null;
    }
  }

  /** Writes down how an attempt went, and has it tried again where it is to be. */
  async #note(
    db: Db,
    { id, webhook_id: webhookId, due_at: dueAt }: DeliveryRow,
    attempt: Attempt,
  ): Promise<void> {
    const { store, queue } = this.#parts;
    const now = store.clock.now();
    const reached = attempt.failure === null;
    const unsent = attempt.failure === 'disabled' || attempt.failure === 'unsigned';
    // 410: the receiver wants no more (Standard Webhooks, "Deliverability and reliability").
    const gone = attempt.status === 410;
    const locked = store.dialect === 'postgres' ? sql`for update` : sql``;
    const [row] = await findRows(db, 'webhook_deliveries', { id }, locked);
    if (!row) return;
    const log = JSON.stringify([...(JSON.parse(row.log) as Attempt[]), attempt].slice(-attemptsKept));
    const made = row.attempts + 1;
    const pause = pausesMs[made - 1];
    const again = !reached && !unsent && !gone && pause !== undefined;
    const next = again ? now + Math.round(pause * (1 + Math.random() / 10)) : null;
    const state = reached ? 'delivered' : again ? 'waiting' : 'failed';
    // Where it was made due again meanwhile, that stands.
    const isNewest = row.due_at === dueAt;
    const values = { log, ...(isNewest && { attempts: made, state, due_at: next }) };
    await changeRows(db, 'webhook_deliveries', { id }, values);
    if (isNewest && again) await entrust(db, [{ ...row, due_at: next }], queue);
    if (unsent) return;
    // By what the row says now: another attempt may have reached it since this one began.
    const { rows } = await sql<{ since: number | null }>`update webhooks
      set failing_since = ${reached ? sql`null` : sql`coalesce(failing_since, ${now})`}
      where id = ${webhookId} returning failing_since as since`.execute(db);
    const since = rows[0]?.since ?? null;
    // After this transaction, as it needs one of its own.
    if (gone || (since !== null && now - since >= giveUpMs))
      setImmediate(() => this.#disable(webhookId, gone).catch(this.#parts.onError));
  }

  /** Stops deliveries to a webhook, and tells the operator. */
  async #disable(id: string, gone: boolean): Promise<void> {
    const { changes, onError } = this.#parts;
    const disabled = await changes.perform(async (db, now) => {
      const row = await findRow(db, 'webhooks', { id });
      const over = gone || (row?.failing_since != null && now - row.failing_since >= giveUpMs);
      if (!row || row.disabled_at !== null || !over) return { result: false, act: [] };
      await changeRows(db, 'webhooks', { id }, { disabled_at: now });
      const [before, after] = [webhookOf(row), webhookOf({ ...row, disabled_at: now })];
      return { result: true, act: actOn('system', 'webhook', 'disable', before, after) };
    });
    const why = gone ? 'its receiver answered 410' : 'nothing has reached it for 5 days';
    if (disabled) onError(new Error(`Webhook ${id} was disabled: ${why}`));
  }

  async #forgetOld(): Promise<void> {
    const { store } = this.#parts;
    const old = sql`and created_at < ${store.clock.now() - keptMs}`;
    await deleteRows(store.db, 'webhook_deliveries', { due_at: null }, old);
  }
}

export type OpenWebhooks = ReturnType<typeof openWebhooks>;

interface WebhooksParts extends Pick<CourierParts, 'changes' | 'queue' | 'onError'> {
  readonly keyFor: KeyFor;
}

/** Opens the webhooks on a store, and delivers what is due as soon as the queue starts. */
export function openWebhooks(store: Store, { changes, keyFor, queue, onError }: WebhooksParts) {
  const secrets = new WebhookSecrets(keyFor);
  return {
    webhooks: webhooksOf(store, changes, secrets),
    deliveries: new Deliveries(store, queue),
    courier: new Courier({ store, changes, secrets, queue, onError }),
  };
}
