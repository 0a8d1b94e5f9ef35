import { Command, InvalidArgumentError, Option } from 'commander';
import type { CreatedWebhook, Webhook, WebhookDelivery } from '../../generated/types.gen.ts';
import type { Deliveries } from '../background/webhooks/deliveries.ts';
import type { EventType } from '../background/webhooks/webhook.ts';
import type { Webhooks } from '../background/webhooks/webhooks.ts';
import { type Json, jsonOption } from './arguments.ts';
import {
  type AdministrationConnection,
  actor,
  allItems,
  showing,
  type TenantOption,
  withAdministration,
} from './connection.ts';
import { type Column, print, printJson, table } from './output.ts';

interface Fields {
  readonly url?: string;
  readonly label?: string;
  readonly events?: readonly EventType[];
}

const columns: readonly Column<Webhook>[] = [
  { title: 'webhook', value: ({ id }) => id },
  { title: 'tenant', value: ({ tenant_id: tenantId }) => tenantId ?? 'all' },
  { title: 'status', value: statusOf },
  { title: 'events', value: ({ events }) => events.join(',') },
  { title: 'address', value: ({ url }) => url },
  { title: 'label', value: ({ label }) => label },
];

const deliveryColumns: readonly Column<WebhookDelivery>[] = [
  { title: 'delivery', value: ({ id }) => id },
  { title: 'event', value: ({ type }) => type },
  { title: 'state', value: ({ state }) => state },
  { title: 'created', value: ({ created_at: createdAt }) => toTheMinute(createdAt) },
  { title: 'attempts', value: ({ attempts }) => attempts.length, numeric: true },
  { title: 'last answer', value: ({ attempts }) => answerIn(attempts.at(-1)) },
  { title: 'next attempt', value: ({ next_attempt_at: nextAttemptAt }) => toTheMinute(nextAttemptAt) },
];

const shows = showing(withWebhooks, columns);
const showsDeliveries = showing(withWebhooks, deliveryColumns);

export function webhooksCommand(): Command {
  const webhooks = new Command('webhooks').description(
    'Create, list, change, test and delete webhooks, and see what was delivered.',
  );
  webhooks
    .command('create')
    .description('Create a webhook and print its secret, this once.')
    .argument('<url>', 'where events are sent: https://, or http:// on this machine')
    .option('--tenant <tenant>', 'whose events; those of all tenants if left out')
    .addOption(eventsOption('which events it gets, with commas between; all if left out'))
    .option('--label <label>', 'what it is for')
    .addOption(jsonOption())
    .action(async (url: string, { tenant, events, label = '', json }: Fields & Json & TenantOption) => {
      const made = await withWebhooks(false, async ({ webhooks, onWire }) => {
        const fields = { tenantId: tenant ?? null, url, label, events: events ?? eventNames };
        return onWire.createdWebhookView(await webhooks.create(fields, actor));
      });
      showMade(made, json);
    });
  webhooks
    .command('list')
    .description('List webhooks.')
    .option('--tenant <tenant>', 'only those of a tenant')
    .addOption(jsonOption())
    .action(
      shows(async ({ tenants, webhooks, onWire }, { tenant }: TenantOption) => {
        if (tenant !== undefined) await tenants.get(tenant);
        const found = await allItems((request) => webhooks.list(tenant ?? null, request));
        return found.map(onWire.webhookView);
      }),
    );
  webhooks
    .command('change')
    .description('Change what is given.')
    .argument('<webhook>', 'its id')
    .option('--url <url>', 'where events are sent')
    .addOption(eventsOption('which events it gets, with commas between'))
    .option('--label <label>', 'what it is for')
    .addOption(new Option('--disable', 'tell it nothing from now on').conflicts('enable'))
    .option('--enable', 'tell it again')
    .addOption(jsonOption())
    .action((id: string, options: Fields & Json & Switches, command: Command) => {
      const { json: _, enable, disable, ...fields } = options;
      const disabled = disable ?? (enable ? false : undefined);
      if (disabled === undefined && Object.keys(fields).length === 0)
        command.error('error: give at least one of --url, --events, --label, --disable, --enable');
      const change = shows(async ({ webhooks, onWire }) =>
        onWire.webhookView(await webhooks.change(id, { ...fields, disabled }, actor)),
      );
      return change(options, command);
    });
  webhooks
    .command('rotate')
    .description('Make a new secret and print it, this once. The old one signs as well for a day.')
    .argument('<webhook>', 'its id')
    .addOption(jsonOption())
    .action(async (id: string, { json }: Json) => {
      const made = await withWebhooks(true, async ({ webhooks, onWire }) =>
        onWire.createdWebhookView(await webhooks.rotate(id, actor)),
      );
      showMade(made, json);
    });
  webhooks
    .command('test')
    .description('Have a running server send an event that says only that it is a test.')
    .argument('<webhook>', 'its id')
    .addOption(jsonOption())
    .action(
      showsDeliveries(async ({ webhooks, deliveries, onWire }, id: string) => {
        await webhooks.get(id);
        return onWire.deliveryView(await deliveries.test(id));
      }),
    );
  webhooks
    .command('deliveries')
    .description('List what was and is to be delivered to a webhook, latest first.')
    .argument('<webhook>', 'its id')
    .addOption(jsonOption())
    .action(
      showsDeliveries(async ({ webhooks, deliveries, onWire }, id: string) => {
        await webhooks.get(id);
        const found = await allItems((request) => deliveries.list(id, request));
        return found.map(onWire.deliveryView);
      }),
    );
  webhooks
    .command('redeliver')
    .description('Have a running server send an event once more, whatever became of it.')
    .argument('<delivery>', 'the id of the delivery')
    .addOption(jsonOption())
    .action(
      showsDeliveries(async ({ deliveries, onWire }, id: string) =>
        onWire.deliveryView(await deliveries.again(id)),
      ),
    );
  webhooks
    .command('delete')
    .description('Delete a webhook, with what is still to be delivered to it.')
    .argument('<webhook>', 'its id')
    .action(async (id: string) => {
      await withWebhooks(true, ({ webhooks }) => webhooks.delete(id, actor));
      print(`The webhook ${id} is deleted.`);
    });
  return webhooks;
}

interface Switches {
  readonly enable?: true;
  readonly disable?: true;
}

/** Those of `eventTypes`, which is loaded with the rest only when a command runs. */
const eventNames: readonly EventType[] = ['budget.threshold_reached', 'budget.exceeded'];

function eventsOption(about: string): Option {
  return new Option('--events <events>', `${about} (${eventNames.join(', ')})`).argParser(readEvents);
}

/** Events separated by commas. */
function readEvents(text: string): readonly EventType[] {
  const names = new Set(text.split(',').map((name) => name.trim()));
  const known = eventNames.filter((name) => names.has(name));
  if (known.length === names.size) return known;
  throw new InvalidArgumentError(`Expected one or more of ${eventNames.join(', ')}, with commas between.`);
}

interface WebhooksConnection extends AdministrationConnection {
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly onWire: typeof import('../background/webhooks/webhooks.ts');
}

/** A running server delivers a command's changes: the command sends nothing by itself. */
async function withWebhooks<T>(
  mustExist: boolean,
  work: (connection: WebhooksConnection) => Promise<T>,
): Promise<T> {
  const { Deliveries } = await import('../background/webhooks/deliveries.ts');
  const onWire = await import('../background/webhooks/webhooks.ts');
  const { WebhookSecrets } = await import('../background/webhooks/send.ts');
  const { keyFor } = await import('../tenants/accounts/key-secret.ts');
  return withAdministration(mustExist, (connection) => {
    const { store, changes, secret } = connection;
    const secrets = new WebhookSecrets((purpose) => keyFor(secret, purpose));
    const webhooks = onWire.webhooksOf(store, changes, secrets);
    return work({ ...connection, webhooks, deliveries: new Deliveries(store, null), onWire });
  });
}

/** The secret comes last, alone on its line, to be copied. */
function showMade({ webhook, secret }: CreatedWebhook, json: true | undefined): void {
  if (json) printJson({ ...webhook, secret });
  else print(`${table(columns, [webhook])}\n\nThe secret, shown this once:\n\n${secret}`);
}

function statusOf({ disabled_at: disabledAt, failing_since: failingSince }: Webhook): string {
  if (disabledAt !== null) return `disabled since ${toTheMinute(disabledAt)}`;
  return failingSince === null ? 'active' : `failing since ${toTheMinute(failingSince)}`;
}

function answerIn(attempt: WebhookDelivery['attempts'][number] | undefined): string | null {
  if (!attempt) return null;
  return attempt.status === null ? attempt.failure : String(attempt.status);
}

function toTheMinute(iso: string | null): string | null {
  return iso === null ? null : iso.slice(0, 16).replace('T', ' ');
}
