import { type Camel, camelCased, pick } from '../../lib/names.ts';
import type { DeliveryRow, WebhookRow } from '../../store/background-schema.ts';

/** Types of events. `webhook.test` is sent on demand, whatever types a webhook has chosen. */
export const eventTypes = ['budget.threshold_reached', 'budget.exceeded'] as const;
export type EventType = (typeof eventTypes)[number];
export const testEvent = 'webhook.test';

/** The columns that can be shown. */
const shown = [
  ...(['id', 'tenant_id', 'url', 'label', 'events'] as const),
  ...(['failing_since', 'disabled_at', 'created_at'] as const),
] as const;

/** An address that receives events. Times are milliseconds since the epoch. */
export interface Webhook extends Omit<Camel<Pick<WebhookRow, (typeof shown)[number]>>, 'events'> {
  readonly events: readonly EventType[];
}

export function webhookOf(row: WebhookRow): Webhook {
  return { ...camelCased(pick(row, shown)), events: JSON.parse(row.events) as EventType[] };
}

/** One event for one webhook. */
export interface Delivery extends Camel<Omit<DeliveryRow, 'state' | 'attempts' | 'log' | 'claimed_until'>> {
  /** `waiting`: for its first or next attempt. */
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** The last of them, oldest first. */
  readonly attempts: readonly Attempt[];
}

export interface Attempt {
  readonly at: number;
  /** The status of the answer; null: none came. */
  readonly status: number | null;
  /** The failure; null: none. */
  readonly failure: 'refused' | 'timeout' | 'unreachable' | 'status' | 'disabled' | 'unsigned' | null;
  readonly ms: number;
}
