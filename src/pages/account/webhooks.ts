import type { Deliveries } from '../../background/webhooks/deliveries.ts';
import { type Attempt, type Delivery, eventTypes, type Webhook } from '../../background/webhooks/webhook.ts';
import type { MadeWebhook, Webhooks } from '../../background/webhooks/webhooks.ts';
import type { ListPage } from '../../store/list-page.ts';
import { AccountError } from '../../tenants/accounts/account-error.ts';
import type { Session } from '../../tenants/accounts/sessions.ts';
import { type Html, html } from '../assets/html.ts';
import { adminPath, badge, formHead, head, listAddress, moment, nextListPage, table } from './parts.ts';
import { good } from './reply.ts';

export function webhooksView(session: Session, webhooks: ListPage<Webhook>, cursor: string | null): Html {
  const rows = webhooks.items.map((webhook) => [
    html`<span class="stack"><a href="${addressOf(webhook)}"><strong>${webhook.label || 'No label'}</strong></a><code>${webhook.url}</code></span>`,
    html`${webhook.tenantId ?? 'all tenants'}`,
    eventsView(webhook),
    statusBadge(webhook),
  ]);
  return html`<section class="panel"><h2>Webhooks</h2>${rows.length === 0 ? html`<p class="muted">There are none. A webhook gets a message when a budget is nearly used up.</p>` : table('Webhooks', ['Webhook', 'Tenant', 'Events', 'Status'], rows)}
${nextListPage(listAddress('webhooks'), webhooks.nextCursor, { cursor })}</section>
<section class="panel"><h2>New webhook</h2>
<form class="fields" method="post" action="${adminPath}">${formHead(session, 'create-webhook')}
<label>Address <input name="url" type="url" required maxlength="2000" placeholder="https://example.org/hook" autocomplete="off"></label>
<label>What it is for <input name="label" maxlength="200" autocomplete="off"></label>
<label>Tenant <input name="of-tenant" maxlength="64" placeholder="all tenants" autocomplete="off"></label>
${eventBoxes(eventTypes)}
<button class="button primary">Create webhook</button></form></section>`;
}

/** A webhook, what was delivered to it, and what can be done with it. */
export function webhookView(
  session: Session,
  webhook: Webhook,
  deliveries: ListPage<Delivery>,
  cursor: string | null,
): Html {
  const form = (action: string, fields: Record<string, string> = {}) =>
    html`method="post" action="${adminPath}">${formHead(session, action, { webhook: webhook.id, ...fields })}`;
  const disabled = webhook.disabledAt !== null;
  const rows = deliveries.items.map((delivery) => [
    html`<span class="stack"><code>${delivery.type}</code><small class="muted">${delivery.eventId}</small></span>`,
    moment(delivery.createdAt),
    html`<span class="stack">${badge(delivery.state, tones[delivery.state])}${delivery.dueAt !== null && delivery.attempts.length > 0 && html`<small class="muted">next ${moment(delivery.dueAt)}</small>`}</span>`,
    attemptsView(delivery.attempts),
    html`<form ${form('redeliver', { delivery: delivery.id })}<button class="button" aria-label="Deliver again: ${delivery.eventId}">Deliver again</button></form>`,
  ]);
  const address = addressOf(webhook);
  return html`${head(webhook.label || 'Webhook', session, adminPath, html`<a href="${listAddress('webhooks')}">All webhooks</a>`)}
<p class="facts"><code>${webhook.url}</code> ${statusBadge(webhook)}</p>
<section class="panel"><h2>Deliveries</h2>${rows.length === 0 ? html`<p class="muted">There are none yet.</p>` : table('Deliveries', ['Event', 'Since (UTC)', 'State', 'Attempts', 'Actions'], rows)}
${nextListPage(address, deliveries.nextCursor, { older: true, cursor })}
<div class="actions"><form ${form('test-webhook')}<button class="button">Send a test</button></form><a class="button" href="${address}">Look again</a></div></section>
<section class="panel"><h2>Change</h2>
<form class="fields" ${form('change-webhook')}
<label>Address <input name="url" type="url" required maxlength="2000" value="${webhook.url}" autocomplete="off"></label>
<label>What it is for <input name="label" maxlength="200" value="${webhook.label}" autocomplete="off"></label>
${eventBoxes(webhook.events)}
<button class="button primary">Save webhook</button></form></section>
<section class="panel"><h2>Secret and access</h2><p class="muted">A new secret is shown once; for a day, events also carry a signature with the old one. A disabled webhook receives nothing.</p>
<div class="actions"><form ${form('rotate-webhook')}<button class="button">Make a new secret</button></form>
<form ${form(disabled ? 'enable-webhook' : 'disable-webhook')}<button class="button">${disabled ? 'Enable' : 'Disable'}</button></form>
<a class="button danger" href="${address}&amp;delete=">Delete webhook</a></div></section>`;
}

export function deleteWebhookForm(webhook: Webhook, session: Session): Html {
  return html`<section class="panel narrow"><h1>Delete the webhook “${webhook.label || webhook.url}”?</h1>
<p><code>${webhook.url}</code> gets no more messages. Its deliveries and its secret are deleted. This cannot be undone.</p>
<form method="post" action="${adminPath}">${formHead(session, 'delete-webhook', { webhook: webhook.id })}
<div class="actions"><button class="button danger">Delete webhook</button><a class="button" href="${addressOf(webhook)}">Cancel</a></div></form></section>`;
}

const tones = { waiting: 'calm', delivered: 'good', failed: 'bad' } as const;

function addressOf({ id }: Webhook): string {
  return `${adminPath}?${new URLSearchParams({ webhook: id })}`;
}

function statusBadge({ disabledAt, failingSince }: Webhook): Html {
  if (disabledAt !== null) return badge('disabled', 'bad');
  return failingSince === null ? badge('active', 'good') : badge('failing', 'bad');
}

function eventsView({ events }: Webhook): Html {
  return html`<span class="chips">${events.map((event) => html`<span class="chip">${event}</span>`)}</span>`;
}

function eventBoxes(chosen: readonly string[]): Html {
  const boxes = eventTypes.map(
    (event) =>
      html`<label class="check"><input type="checkbox" name="event" value="${event}" ${chosen.includes(event) && html`checked`}> ${event}</label>`,
  );
  return html`<fieldset><legend>Events</legend>${boxes}</fieldset>`;
}

const failures: Readonly<Record<NonNullable<Attempt['failure']>, string>> = {
  refused: 'not a public address',
  timeout: 'no answer in time',
  unreachable: 'not reached',
  status: '',
  disabled: 'not sent: the webhook was disabled',
  unsigned: 'not sent: its secret could not be opened',
};

function attemptsView(attempts: readonly Attempt[]): Html {
  if (attempts.length === 0) return html`<span class="muted">none yet</span>`;
  return html`<span class="stack">${attempts.map(
    ({ at, status, failure, ms }) =>
      html`<span>${moment(at)}: ${status ?? (failure ? failures[failure] : '')} <small class="muted">${ms} ms</small></span>`,
  )}</span>`;
}

export interface WebhooksParts {
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
}

/**
 * Does what a form asks for with webhooks; null for another action. The next page is about `webhook`; null: all.
 * Throws `AccountError`.
 */
export async function webhookAction(
  { webhooks, deliveries }: WebhooksParts,
  form: URLSearchParams,
  actor: string,
) {
  const id = form.get('webhook') ?? '';
  const text = (name: string) => (form.get(name) ?? '').trim();
  const done = (message: string) => ({ flash: good(message), webhook: id });
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
      return { flash: good('The webhook was deleted.'), webhook: null };
    default:
      return null;
  }
}

function shown(what: string, { webhook, secret }: MadeWebhook) {
  const flash = good(`${what}. Copy the secret now: it is shown this once.`, { secret });
  return { flash, webhook: webhook.id };
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
