import { sql } from 'kysely';
import { ascendingUlid } from '../../lib/ids.ts';
import { isoTime } from '../../lib/utc.ts';
import type { DeliveryRow } from '../../store/background-schema.ts';
import { changeRows, type Db, findRows } from '../../store/rows.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import { type EventType, webhookOf } from './webhook.ts';

/** The name of the tasks that carry a delivery out. */
export const deliveryTask = 'webhook';
/** A delivery whose task has not carried it out so long after it was due is given another, in milliseconds. */
const entrustedMs = 15 * 60_000;

/** What a task says of the delivery that it is for. One that is due at another time by now has a task of its own. */
export interface DeliveryTask {
  readonly delivery: string;
  readonly dueAt: number;
}

/** Something that has happened to a tenant. */
export interface Event {
  /** The same for the same event, however often it is noticed. */
  readonly id: string;
  readonly tenantId: string;
  readonly type: EventType;
  /** JSON, as receivers get it. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Puts an event into the outbox, for each webhook that wants it: in the transaction that writes down what has happened, so that
 * both are there or neither. An event that is there already is not put there again. Returns for how many it is.
 */
export async function announce(
  db: Db,
  { id, tenantId, type, data }: Event,
  now: number,
  queue: Pick<Queue, 'add'>,
): Promise<number> {
  const ofTenant = sql`and (tenant_id is null or tenant_id = ${tenantId})`;
  const rows = await findRows(db, 'webhooks', { disabled_at: null }, ofTenant);
  const wanting = rows.map(webhookOf).filter(({ events }) => events.includes(type));
  if (wanting.length === 0) return 0;
  const payload = payloadOf(type, data, now);
  const deliveries = wanting.map((webhook) => waiting(webhook.id, id, type, payload, now));
  const added = await db
    .insertInto('webhook_deliveries')
    .values(deliveries)
    .onConflict((conflict) => conflict.columns(['webhook_id', 'event_id']).doNothing())
    .returningAll()
    .execute();
  await entrust(db, added, queue);
  return wanting.length;
}

/** Adds a task for each delivery that is due, now or later. */
export async function entrust(
  db: Db,
  deliveries: readonly Pick<DeliveryRow, 'id' | 'webhook_id' | 'due_at'>[],
  queue: Pick<Queue, 'add'>,
): Promise<void> {
  for (const { id, webhook_id: group, due_at: dueAt } of deliveries) {
    if (dueAt === null) continue;
    const payload = { delivery: id, dueAt } satisfies DeliveryTask;
    await queue.add([{ name: deliveryTask, payload, key: `${id} ${dueAt}`, group, runAt: dueAt }], db);
    await changeRows(db, 'webhook_deliveries', { id }, { claimed_until: dueAt + entrustedMs });
  }
}

/** The body of an event as the specification of Standard Webhooks has it. */
export function payloadOf(type: string, data: object, now: number): string {
  return JSON.stringify({ type, timestamp: isoTime(now), data });
}

/** The row of a delivery that is to be tried now. */
export function waiting(webhookId: string, eventId: string, type: string, payload: string, now: number) {
  return {
    id: `whd_${ascendingUlid(now)}`,
    webhook_id: webhookId,
    event_id: eventId,
    type,
    payload,
    state: 'waiting',
    attempts: 0,
    log: '[]',
    due_at: now,
    claimed_until: 0,
    created_at: now,
  } as const;
}
