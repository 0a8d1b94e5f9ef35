import { listOf } from '../accounts/admin-on-wire.ts';
import type { Handlers } from '../contract/handlers.ts';
import { createdWebhookView, deliveryView, webhookView } from '../webhooks/on-wire.ts';
import type { OpenWebhooks } from '../webhooks/open-webhooks.ts';
import { eventTypes } from '../webhooks/webhook.ts';

/** Who the audit log names for what is done through these operations. */
const actor = 'admin';

export function webhookHandlers({ webhooks, deliveries }: Pick<OpenWebhooks, 'webhooks' | 'deliveries'>) {
  return {
    listWebhooks: async ({ query: { tenant_id = null, ...page } }) => ({
      status: 200,
      body: listOf(await webhooks.list(tenant_id, page), webhookView),
    }),
    createWebhook: async ({
      body: { tenant_id: tenantId = null, url, label = '', events = [...eventTypes] },
    }) => ({
      status: 201,
      body: createdWebhookView(await webhooks.create({ tenantId, url, label, events }, actor)),
    }),
    getWebhook: async ({ path }) => ({ status: 200, body: webhookView(await webhooks.get(path.webhook_id)) }),
    changeWebhook: async ({ path, body }) => ({
      status: 200,
      body: webhookView(await webhooks.change(path.webhook_id, body, actor)),
    }),
    deleteWebhook: async ({ path }) => {
      await webhooks.delete(path.webhook_id, actor);
      return { status: 204 };
    },
    rotateWebhookSecret: async ({ path }) => ({
      status: 201,
      body: createdWebhookView(await webhooks.rotate(path.webhook_id, actor)),
    }),
    testWebhook: async ({ path }) => {
      const { id } = await webhooks.get(path.webhook_id);
      return { status: 202, body: deliveryView(await deliveries.test(id)) };
    },
    listWebhookDeliveries: async ({ path, query }) => {
      const { id } = await webhooks.get(path.webhook_id);
      return { status: 200, body: listOf(await deliveries.list(id, query), deliveryView) };
    },
    redeliverWebhook: async ({ path }) => ({
      status: 202,
      body: deliveryView(await deliveries.again(path.delivery_id)),
    }),
  } satisfies Partial<Handlers>;
}
