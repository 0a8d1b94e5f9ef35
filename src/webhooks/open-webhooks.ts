import type { Changes } from '../accounts/changes.ts';
import type { Store } from '../store/store.ts';
import { Courier } from './courier.ts';
import { Deliveries } from './deliveries.ts';
import { type KeyFor, WebhookSecrets } from './secrets.ts';
import { Webhooks } from './webhooks.ts';

export interface OpenWebhooks {
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly courier: Courier;
}

/** Opens the webhooks on a store, and begins to deliver what is due. */
export function openWebhooks(
  store: Store,
  {
    changes,
    keyFor,
    onError,
  }: { readonly changes: Changes; readonly keyFor: KeyFor; readonly onError: (error: unknown) => void },
): OpenWebhooks {
  const secrets = new WebhookSecrets(keyFor);
  return {
    webhooks: new Webhooks(store, changes, secrets),
    deliveries: new Deliveries(store),
    courier: new Courier({ store, changes, secrets, onError }),
  };
}
