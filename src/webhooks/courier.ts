import { sql } from 'kysely';
import type { Changes } from '../accounts/changes.ts';
import { repeat } from '../lib/repeat.ts';
import type { DeliveryRow, WebhookRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { WebhookSecrets } from './secrets.ts';
import { send } from './send.ts';
import { type Attempt, webhookOf } from './webhook.ts';

export interface CourierParts {
  readonly store: Store;
  readonly changes: Changes;
  readonly secrets: WebhookSecrets;
  /** Is told of what goes wrong where nobody waits for it. */
  readonly onError: (error: unknown) => void;
  /** Is told of each attempt. */
  readonly onAttempt?: (attempt: Attempt) => void;
}

/** How often the outbox is looked at, in milliseconds. */
const lookMs = 1_000;
/** So many attempts run at once in a process, and to one webhook. */
const atOnce = 32;
const perWebhook = 4;
/** How long a delivery is left to the process that tries it, in milliseconds. */
const claimMs = 60_000;
/** The pauses before each further attempt, in milliseconds, each lengthened by up to a tenth: about a day in all. */
const pausesMs = [5_000, 60_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000];
/** A webhook that nothing has reached for so long is told nothing more, in milliseconds. */
const giveUpMs = 5 * 86_400_000;
/** How long what is over is kept, in milliseconds. */
const keptMs = 30 * 86_400_000;
const sweepMs = 3_600_000;
/** So many attempts are remembered of a delivery. */
const attemptsKept = 20;

/** Delivers what is in the outbox, at least once each. Any number of processes may do so: each delivery is claimed by one at a time. */
export class Courier {
  readonly #parts: CourierParts;
  readonly #underWay = new Map<string, { readonly webhookId: string; readonly done: Promise<void> }>();
  readonly #looking;
  readonly #sweeping;

  constructor(parts: CourierParts) {
    this.#parts = parts;
    this.#looking = repeat(lookMs, () => this.look(), parts.onError);
    this.#sweeping = repeat(sweepMs, () => this.#forgetOld(), parts.onError);
  }

  /** Begins to deliver what is due. Resolves when that is begun, not done. Rejects with `StoreError`. */
  async look(): Promise<void> {
    const { store } = this.#parts;
    if (this.#underWay.size >= atOnce) return;
    const now = store.clock.now();
    // The first of each webhook, then the second of each: one that hangs with thousands due holds up no other.
    const due = await store.db
      .with('ranked', (db) =>
        db
          .selectFrom('webhook_deliveries')
          .select('id as ranked_id')
          .select(sql<number>`row_number() over (partition by webhook_id order by due_at)`.as('nth'))
          .where('due_at', '<=', now)
          .where('claimed_until', '<=', now),
      )
      .selectFrom('webhook_deliveries')
      .innerJoin('ranked', 'ranked_id', 'id')
      .selectAll('webhook_deliveries')
      .where('nth', '<=', perWebhook)
      .orderBy('nth')
      .orderBy('due_at')
      .limit(4 * atOnce)
      .execute();
    for (const row of due) {
      if (this.#underWay.size >= atOnce) return;
      if (this.#underWay.has(row.id) || this.#countOf(row.webhook_id) >= perWebhook) continue;
      const done = this.#deliver(row)
        .catch(this.#parts.onError)
        .finally(() => this.#underWay.delete(row.id));
      this.#underWay.set(row.id, { webhookId: row.webhook_id, done });
    }
  }

  /** Waits for the attempts that run; what is left is delivered by others, or after the next start. */
  async stop(): Promise<void> {
    await Promise.all([this.#looking.stop(), this.#sweeping.stop()]);
    await Promise.all([...this.#underWay.values()].map(({ done }) => done));
  }

  #countOf(webhookId: string): number {
    let count = 0;
    for (const one of this.#underWay.values()) if (one.webhookId === webhookId) count += 1;
    return count;
  }

  async #deliver(row: DeliveryRow): Promise<void> {
    const { store, onAttempt } = this.#parts;
    const now = store.clock.now();
    const claimed = await store.db
      .updateTable('webhook_deliveries')
      .set({ claimed_until: now + claimMs })
      .where('id', '=', row.id)
      .where('claimed_until', '=', row.claimed_until)
      .where('due_at', 'is not', null)
      .returning('id')
      .executeTakeFirst();
    if (!claimed) return;
    const webhook = await store.db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', row.webhook_id)
      .executeTakeFirst();
    const attempt = await this.#attempt(row, webhook, now);
    onAttempt?.(attempt);
    await this.#note(row, attempt);
  }

  async #attempt(row: DeliveryRow, webhook: WebhookRow | undefined, now: number): Promise<Attempt> {
    const unsent = (failure: Attempt['failure']): Attempt => ({ at: now, status: null, failure, ms: 0 });
    // One that is gone is told nothing either.
    if (!webhook || webhook.disabled_at !== null) return unsent('disabled');
    const keys = this.#keysOf(webhook, now);
    if (!keys) return unsent('unsigned');
    return send({ url: webhook.url, id: row.event_id, payload: row.payload, secrets: keys }, now);
  }

  /** What to sign with; null, and the cause is told: a secret cannot be opened. */
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

  /** Writes down how an attempt went, and when the next one is due. */
  async #note(row: DeliveryRow, attempt: Attempt): Promise<void> {
    const { store } = this.#parts;
    const now = store.clock.now();
    const made = row.attempts + 1;
    const pause = pausesMs[made - 1];
    const reached = attempt.failure === null;
    const unsent = attempt.failure === 'disabled' || attempt.failure === 'unsigned';
    // 410: the receiver wants no more (Standard Webhooks, "Deliverability and reliability").
    const gone = attempt.status === 410;
    const again = !reached && !unsent && !gone && pause !== undefined;
    const log = [...(JSON.parse(row.log) as Attempt[]), attempt].slice(-attemptsKept);
    const since = await store.db.transaction().execute(async (db) => {
      await db
        .updateTable('webhook_deliveries')
        .set({
          attempts: made,
          log: JSON.stringify(log),
          state: reached ? 'delivered' : again ? 'waiting' : 'failed',
          due_at: again ? now + Math.round(pause * (1 + Math.random() / 10)) : null,
          claimed_until: 0,
        })
        .where('id', '=', row.id)
        .execute();
      if (unsent) return null;
      // By what the row says now: another attempt may have reached it since this one began.
      const noted = await db
        .updateTable('webhooks')
        .set((eb) => ({
          failing_since: reached ? null : eb.fn.coalesce('failing_since', eb.val(now)),
        }))
        .where('id', '=', row.webhook_id)
        .returning('failing_since')
        .executeTakeFirst();
      return noted?.failing_since ?? null;
    });
    if (gone || (since !== null && now - since >= giveUpMs)) await this.#disable(row.webhook_id, gone);
  }

  /** Tells a webhook nothing more, and the operator that it is so. */
  async #disable(id: string, gone: boolean): Promise<void> {
    const { changes, onError } = this.#parts;
    const disabled = await changes.perform(async (db, now) => {
      const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
      const over = gone || (row?.failing_since != null && now - row.failing_since >= giveUpMs);
      if (!row || row.disabled_at !== null || !over) return { result: false, act: [] };
      await db.updateTable('webhooks').set({ disabled_at: now }).where('id', '=', id).execute();
      const [before, after] = [webhookOf(row), webhookOf({ ...row, disabled_at: now })];
      const act = { actor: 'system', action: 'webhook.disable', target: `webhook:${id}` };
      return { result: true, act: { ...act, tenantId: row.tenant_id, before, after } };
    });
    const why = gone ? 'its receiver answered 410' : 'nothing has reached it for 5 days';
    if (disabled) onError(new Error(`Webhook ${id} was disabled: ${why}`));
  }

  async #forgetOld(): Promise<void> {
    const { store } = this.#parts;
    await store.db
      .deleteFrom('webhook_deliveries')
      .where('due_at', 'is', null)
      .where('created_at', '<', store.clock.now() - keptMs)
      .execute();
  }
}
