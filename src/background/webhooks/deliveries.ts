import { ascendingUlid } from '../../lib/ids.ts';
import { camelCased } from '../../lib/names.ts';
import type { DeliveryRow } from '../../store/background-schema.ts';
import type { ListPage, ListRequest } from '../../store/list-page.ts';
import { addRows, changeRows, type Db } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { listRows, rowOf } from '../../tenants/accounts/changes.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import { deliveryTask, entrust, payloadOf, waiting } from './outbox.ts';
import { type Attempt, type Delivery, testEvent } from './webhook.ts';

/** What was and is to be delivered to webhooks. All throw `AccountError`. */
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
