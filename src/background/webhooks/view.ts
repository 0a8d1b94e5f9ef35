import type * as Contract from '../../../generated/types.gen.ts';
import { isoTime } from '../../lib/utc.ts';
import type { Delivery, Webhook } from './webhook.ts';
import type { MadeWebhook } from './webhooks.ts';

const timeOf = (at: number | null) => (at === null ? null : isoTime(at));

export function webhookView(webhook: Webhook): Contract.Webhook {
  return {
    object: 'webhook',
    id: webhook.id,
    tenant_id: webhook.tenantId,
    url: webhook.url,
    label: webhook.label,
    events: [...webhook.events],
    failing_since: timeOf(webhook.failingSince),
    disabled_at: timeOf(webhook.disabledAt),
    created_at: isoTime(webhook.createdAt),
  };
}

export function createdWebhookView({ webhook, secret }: MadeWebhook): Contract.CreatedWebhook {
  return { object: 'created_webhook', secret, webhook: webhookView(webhook) };
}

export function deliveryView(delivery: Delivery): Contract.WebhookDelivery {
  return {
    object: 'webhook_delivery',
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    type: delivery.type,
    state: delivery.state,
    attempts: delivery.attempts.map(({ at, status, failure, ms }) => ({
      at: isoTime(at),
      status,
      failure,
      duration_ms: ms,
    })),
    next_attempt_at: timeOf(delivery.dueAt),
    created_at: isoTime(delivery.createdAt),
  };
}
