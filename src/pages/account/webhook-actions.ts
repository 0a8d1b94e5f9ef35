import type { Deliveries } from '../../background/webhooks/deliveries.ts';
import { eventTypes } from '../../background/webhooks/webhook.ts';
import type { MadeWebhook, Webhooks } from '../../background/webhooks/webhooks.ts';
import { AccountError } from '../../tenants/accounts/account-error.ts';
import type { Flash } from './flash.ts';

/** What webhooks are administered with. */
export interface WebhooksParts {
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
}

interface WebhookOutcome {
  readonly flash: Flash;
  /** The webhook that the next page is about; null: all of them. */
  readonly webhook: string | null;
}

/** Does what a form asks for with webhooks; null for another action. Throws `AccountError`. */
export async function webhookAction(
  { webhooks, deliveries }: WebhooksParts,
  form: URLSearchParams,
  actor: string,
): Promise<WebhookOutcome | null> {
  const id = form.get('webhook') ?? '';
  const text = (name: string) => (form.get(name) ?? '').trim();
  const done = (message: string): WebhookOutcome => ({ flash: { tone: 'good', message }, webhook: id });
  switch (form.get('action')) {
    case 'create-webhook': {
      const fields = { tenantId: text('of-tenant') || null, ...fieldsOf(form) };
      return shown('The webhook was created', await webhooks.create(fields, actor));
    }
    case 'change-webhook':
      await webhooks.change(id, fieldsOf(form), actor);
      return done('The webhook was changed.');
    case 'rotate-webhook':
      return shown('The webhook has a new secret', await webhooks.rotate(id, actor));
    case 'enable-webhook':
    case 'disable-webhook': {
      const disabled = form.get('action') === 'disable-webhook';
      await webhooks.change(id, { disabled }, actor);
      return done(disabled ? 'The webhook is disabled.' : 'The webhook is enabled.');
    }
    case 'test-webhook':
      await webhooks.get(id);
      await deliveries.test(id);
      return done('A test is on its way. Look again in a moment.');
    case 'redeliver':
      await deliveries.again(text('delivery'));
      return done('The event is being sent again. Reload this page in a moment.');
    case 'delete-webhook':
      await webhooks.delete(id, actor);
      return { flash: { tone: 'good', message: 'The webhook was deleted.' }, webhook: null };
    default:
      return null;
  }
}

function shown(what: string, { webhook, secret }: MadeWebhook): WebhookOutcome {
  const message = `${what}. Copy the secret now: it is shown this once.`;
  return { flash: { tone: 'good', message, secret }, webhook: webhook.id };
}

function fieldsOf(form: URLSearchParams) {
  const chosen = form.getAll('event');
  const events = eventTypes.filter((event) => chosen.includes(event));
  if (events.length === 0) throw new AccountError('invalid', 'Choose at least one event.', 'events');
  return {
    url: (form.get('url') ?? '').trim().slice(0, 2000),
    label: (form.get('label') ?? '').trim().slice(0, 200),
    events,
  };
}
