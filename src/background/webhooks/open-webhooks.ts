import type { Store } from '../../store/store.ts';
import type { Changes } from '../../tenants/accounts/changes.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import { Courier } from './courier.ts';
import { Deliveries } from './deliveries.ts';
import { type KeyFor, WebhookSecrets } from './secrets.ts';
import { Webhooks } from './webhooks.ts';

export interface OpenWebhooks {
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly courier: Courier;
}

/** Opens the webhooks on a store, and delivers what is due as soon as the queue starts. */
export function openWebhooks(
  store: Store,
  {
    changes,
    keyFor,
    queue,
    onError,
  }: {
    readonly changes: Changes;
    readonly keyFor: KeyFor;
    readonly queue: Pick<Queue, 'handle' | 'add' | 'kick'>;
    readonly onError: (error: unknown) => void;
  },
): OpenWebhooks {
  const secrets = new WebhookSecrets(keyFor);
  return {
    webhooks: new Webhooks(store, changes, secrets),
    deliveries: new Deliveries(store, queue),
    courier: new Courier({ store, changes, secrets, queue, onError }),
  };
}
