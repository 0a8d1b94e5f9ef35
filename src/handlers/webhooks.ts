import type { OpenWebhooks } from '../background/webhooks/courier.ts';
import { eventTypes } from '../background/webhooks/webhook.ts';
import { createdWebhookView, deliveryView, webhookView } from '../background/webhooks/webhooks.ts';
import type { Handlers } from '../contract/wire-operations.ts';
import { listOf } from '../tenants/accounts/admin-view.ts';
import { actorOf } from '../tenants/accounts/roles.ts';
import { created, ok } from './replies.ts';

export function webhookHandlers({ webhooks, deliveries }: Pick<OpenWebhooks, 'webhooks' | 'deliveries'>) {
  return {
    listWebhooks: async ({ query: { tenant_id = null, ...page } }) =>
      ok(listOf(await webhooks.list(tenant_id, page), webhookView)),
    createWebhook: async (
      { body: { tenant_id: tenantId = null, url, label = '', events = [...eventTypes] } },
      { principal },
    ) =>
      created(
        createdWebhookView(await webhooks.create({ tenantId, url, label, events }, actorOf(principal))),
      ),
    getWebhook: async ({ path }) => ok(webhookView(await webhooks.get(path.webhook_id))),
    changeWebhook: async ({ path, body }, { principal }) =>
      ok(webhookView(await webhooks.change(path.webhook_id, body, actorOf(principal)))),
    deleteWebhook: async ({ path }, { principal }) => {
      await webhooks.delete(path.webhook_id, actorOf(principal));
      return { status: 204 };
    },
    rotateWebhookSecret: async ({ path }, { principal }) =>
      created(createdWebhookView(await webhooks.rotate(path.webhook_id, actorOf(principal)))),
    testWebhook: async ({ path }) => {
      const { id } = await webhooks.get(path.webhook_id);
      return { status: 202, body: deliveryView(await deliveries.test(id)) };
    },
    listWebhookDeliveries: async ({ path, query }) => {
      const { id } = await webhooks.get(path.webhook_id);
      return ok(listOf(await deliveries.list(id, query), deliveryView));
    },
    redeliverWebhook: async ({ path }) => ({
      status: 202,
      body: deliveryView(await deliveries.again(path.delivery_id)),
    }),
  } satisfies Partial<Handlers>;
}
