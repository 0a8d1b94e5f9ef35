import { sql } from 'kysely';
import { ascendingUlid } from '../../lib/ids.ts';
import { camelCased } from '../../lib/names.ts';
import { isoTime } from '../../lib/utc.ts';
import type { DeliveryRow } from '../../store/background-schema.ts';
import type { ListPage, ListRequest } from '../../store/list-page.ts';
import { addRows, changeRows, type Db, findRows } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { listRows, rowOf } from '../../tenants/accounts/changes.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import { type Attempt, type Delivery, type EventType, testEvent, webhookOf } from './webhook.ts';

/** Past and pending deliveries to webhooks. All throw `AccountError`. */
export class Deliveries {
  readonly #store: Store;
  readonly #queue: Pick<Queue, 'add' | 'kick'> | null;

  /** @param queue what carries deliveries out; null: a server that runs finds them */
  constructor(store: Store, queue: Pick<Queue, 'add' | 'kick'> | null) {
    this.#store = store;
    this.#queue = queue;
  }

  /** Latest first. */
  async list(webhookId: string, request: ListRequest = {}): Promise<ListPage<Delivery>> {
    const order = { where: { webhook_id: webhookId }, latestFirst: true };
    return listRows(this.#store.db, 'webhook_deliveries', order, request, deliveryOf);
  }

  /** Sends an event that says nothing but that it is a test. */
  async test(webhookId: string): Promise<Delivery> {
    const now = this.#store.clock.now();
    const payload = payloadOf(testEvent, { webhook_id: webhookId }, now);
    const row = waiting(webhookId, `evt_${ascendingUlid(now)}`, testEvent, payload, now);
    await this.#begin(async (db) => {
      await addRows(db, 'webhook_deliveries', [row]);
      return row;
    });
    return deliveryOf(row);
  }

  /** Sends an event once more, whatever became of it. */
  async again(id: string): Promise<Delivery> {
    const due = { state: 'waiting', due_at: this.#store.clock.now(), attempts: 0, claimed_until: 0 };
    const row = await this.#begin(async (db) => {
      await changeRows(db, 'webhook_deliveries', { id }, due);
      return rowOf(db, 'delivery', id);
    });
    return deliveryOf(row);
  }

  /** Makes a delivery due, with its task. */
  async #begin(make: (db: Db) => Promise<DeliveryRow>): Promise<DeliveryRow> {
    const queue = this.#queue;
    const row = await this.#store.db.transaction().execute(async (db) => {
      const made = await make(db);
      if (queue) await entrust(db, [made], queue);
      return made;
    });
    queue?.kick(deliveryTask);
    return row;
  }
}

function deliveryOf({ log, state, claimed_until: _, ...row }: DeliveryRow): Delivery {
  const attempts = JSON.parse(log) as Attempt[];
  return { ...camelCased(row), state: state as Delivery['state'], attempts };
}

/** The name of the tasks that carry a delivery out. */
export const deliveryTask = 'webhook';
/** A delivery whose task has not carried it out so long after it was due is given another, in milliseconds. */
const entrustedMs = 15 * 60_000;

/** The data of a delivery's task. One that is due at another time by now has a task of its own. */
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
function payloadOf(type: string, data: object, now: number): string {
  return JSON.stringify({ type, timestamp: isoTime(now), data });
}

/** The row of a delivery that is to be tried now. */
function waiting(webhookId: string, eventId: string, type: string, payload: string, now: number) {
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
