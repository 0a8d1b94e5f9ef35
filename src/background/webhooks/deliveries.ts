import { ascendingUlid } from '../../lib/ids.ts';
import { camelCased } from '../../lib/names.ts';
import { type ListPage, type ListRequest, rowsFor, toListPage } from '../../store/list-page.ts';
import type { DeliveryRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { AccountError, readCursor } from '../../tenants/accounts/account-error.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import type { Db } from '../jobs/queue/task.ts';
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
    const cursor = readCursor(request, 'string');
    let query = this.#store.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('webhook_id', '=', webhookId)
      .orderBy('id', 'desc')
      .limit(rowsFor(request));
    if (cursor) query = query.where('id', '<', cursor[0] as string);
    return toListPage(await query.execute(), request, ({ id }) => [id], deliveryOf);
  }

  /** Sends an event that says nothing but that it is a test. */
  async test(webhookId: string): Promise<Delivery> {
    const now = this.#store.clock.now();
    const payload = payloadOf(testEvent, { webhook_id: webhookId }, now);
    const row = waiting(webhookId, `evt_${ascendingUlid(now)}`, testEvent, payload, now);
    await this.#begin(async (db) => {
      await db.insertInto('webhook_deliveries').values(row).execute();
      return row;
    });
    return deliveryOf(row);
  }

  /** Sends an event once more, whatever became of it. */
  async again(id: string): Promise<Delivery> {
    const row = await this.#begin((db) =>
      db
        .updateTable('webhook_deliveries')
        .set({ state: 'waiting', due_at: this.#store.clock.now(), attempts: 0, claimed_until: 0 })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst(),
    );
    if (row) return deliveryOf(row);
    throw new AccountError('not_found', `There is no delivery ${JSON.stringify(id.slice(0, 64))}.`);
  }

  /** Makes a delivery due, with its task. */
  async #begin<Row extends DeliveryRow | undefined>(make: (db: Db) => Promise<Row>): Promise<Row> {
    const queue = this.#queue;
    const row = await this.#store.db.transaction().execute(async (db) => {
      const made = await make(db);
      if (made && queue) await entrust(db, [made], queue);
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
