import type { WebhookRow } from '../../store/schema.ts';

/** Types of events. `webhook.test` is sent on demand, whatever types a webhook has chosen. */
export const eventTypes = ['budget.threshold_reached', 'budget.exceeded'] as const;
export type EventType = (typeof eventTypes)[number];
export const testEvent = 'webhook.test';

/** An address that receives events. Times are milliseconds since the epoch. */
export interface Webhook {
  readonly id: string;
  /** Whose events; null: those of all tenants, for the operator. */
  readonly tenantId: string | null;
  readonly url: string;
  readonly label: string;
  readonly events: readonly EventType[];
  /** Since when nothing has reached it; null: the last attempt did, or there was none. */
  readonly failingSince: number | null;
  /** Since when it receives nothing. */
  readonly disabledAt: number | null;
  readonly createdAt: number;
}

export function webhookOf(row: WebhookRow): Webhook {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    url: row.url,
    label: row.label,
    events: JSON.parse(row.events) as EventType[],
    failingSince: row.failing_since,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
  };
}

/** One event for one webhook. */
export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  /** The body that is signed and sent, as JSON. */
  readonly payload: string;
  /** `waiting`: for its first or next attempt. */
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** The last of them, oldest first. */
  readonly attempts: readonly Attempt[];
  readonly dueAt: number | null;
  readonly createdAt: number;
}

export interface Attempt {
  readonly at: number;
  /** What it was answered with; null: nothing came. */
  readonly status: number | null;
  /** What went wrong; null: nothing. */
  readonly failure: 'refused' | 'timeout' | 'unreachable' | 'status' | 'disabled' | 'unsigned' | null;
  readonly ms: number;
}
