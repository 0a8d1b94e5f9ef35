/**
 * FOCUS, the FinOps Open Cost and Usage Specification, version 1.2 (https://focus.finops.org/focus-specification/v1-2/): its
 * mandatory columns, those of its conditional ones that we have something for, and those that only version 1.0 asks for,
 * empty, so that programs for either read it. Our own columns begin with `x_`, as the specification has it.
 */
import { dayName, dayOf, isoTime, monthOf, startOfDay, startOfMonth } from '../../../lib/utc.ts';
import type { Store } from '../../../store/store.ts';
import { countIn } from '../../../store/sums/day-sums.ts';
import { byName, tokenColumns } from '../../../store/token-columns.ts';
import {
  activeTenants,
  type Days,
  dollarsText,
  noSums,
  type SettledRow,
  type Sums,
  settledRows,
} from './settled-rows.ts';

const counts = ['requests', 'succeeded', 'failed', 'cancelled', 'interrupted', ...tokenColumns] as const;

/** Our own table, or FOCUS. */
export type ExportFormat = 'csv' | 'focus';

interface UsageExport {
  readonly format: ExportFormat;
  /** Null: of all of them. */
  readonly tenantId: string | null;
  readonly days: Days;
}

/**
 * Usage and cost as CSV, a row for each charge, in pieces: as much is held as a day of a tenant needs, at most. It may
 * contain requests that are settled while it is read.
 */
export async function* exportUsage(
  store: Store,
  { format, tenantId, days }: UsageExport,
): AsyncGenerator<string, undefined> {
  yield csvLine(Object.keys(tables[format]));
  const tenants = tenantId === null ? activeTenants(store, days) : [tenantId];
  for await (const id of tenants) {
    for await (const charges of chargesOf(store, id, days)) yield* linesOf(store, format, id, charges);
  }
  return undefined;
}

/** The total use of a day's requests with the same attributes. */
interface Charge {
  /** Days since the epoch, in UTC, of the admission. */
  readonly day: number;
  readonly tenantId: string;
  readonly keyId: string;
  readonly operation: string;
  /** Null for requests without a provider. */
  readonly provider: string | null;
  readonly model: string | null;
  /** JSON object, its names in order; null: none. */
  readonly tags: string | null;
  readonly sums: Sums;
}

/**
 * How many charges are held at a time: clients choose the values of tags. Where a day has more, the same charge comes
 * several times, and their sums are right all the same.
 */
const maxHeld = 10_000;

/** A tenant's usage on these days, by all dimensions, in batches, the latest day first. */
async function* chargesOf(
  store: Store,
  tenantId: string,
  days: Days,
): AsyncGenerator<readonly Charge[], undefined> {
  let held = new Map<string, Charge>();
  let day = days.first;
  for await (const rows of settledRows(store, tenantId, days)) {
    for (const row of rows) {
      const today = dayOf(row.created_at);
      if (held.size > 0 && (today !== day || held.size >= maxHeld)) {
        yield [...held.values()];
        held = new Map();
      }
      day = today;
      countIn(chargeIn(held, row, day).sums, row);
    }
  }
  if (held.size > 0) yield [...held.values()];
  return undefined;
}

function chargeIn(held: Map<string, Charge>, row: SettledRow, day: number): Charge {
  const { key_id: keyId, operation, provider, model, tags } = row;
  const name = JSON.stringify([keyId, operation, provider, model, tags]);
  let charge = held.get(name);
  if (charge === undefined) {
    charge = { day, tenantId: row.tenant_id, keyId, operation, provider, model, tags, sums: noSums() };
    held.set(name, charge);
  }
  return charge;
}

/** Lines that go out together; others have their turn of the event loop after each. */
const pieceLines = 100;

async function* linesOf(
  store: Store,
  format: ExportFormat,
  tenantId: string,
  charges: readonly Charge[],
): AsyncGenerator<string, undefined> {
  const columns = Object.values(tables[format]);
  for (let at = 0; at < charges.length; at += pieceLines) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve));
    const some = charges.slice(at, at + pieceLines);
    const names = format === 'focus' ? await namesOf(store, tenantId, some) : noNames;
    yield some.map((charge) => csvLine(columns.map((column) => column(charge, names)))).join('');
  }
  return undefined;
}

async function namesOf(
  { db }: Pick<Store, 'db'>,
  tenantId: string,
  charges: readonly Charge[],
): Promise<ChargeNames> {
  const ids = [...new Set(charges.map(({ keyId }) => keyId))];
  const [tenant, keys] = await Promise.all([
    db.selectFrom('tenants').select('name').where('id', '=', tenantId).executeTakeFirst(),
    db.selectFrom('keys').select(['id', 'label']).where('id', 'in', ids).execute(),
  ]);
  return { tenant: tenant?.name ?? tenantId, keys: new Map(keys.map(({ id, label }) => [id, label])) };
}

/**
 * A cell of CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe in front
 * (https://owasp.org/www-community/attacks/CSV_Injection): names of models, tags and labels are chosen by clients.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^\s*[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV, with its line break. */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

/** The names of a tenant and its keys; a key of the configuration has no label. */
interface ChargeNames {
  readonly tenant: string;
  readonly keys: ReadonlyMap<string, string>;
}

type Column = (charge: Charge, names: ChargeNames) => string | number | null;

/** Who runs the gateway, for whom it is the invoice. */
const gateway = 'Switchyard';

const cost: Column = ({ sums }) => dollarsText(sums.cost_micro_usd);
const nothing: Column = () => null;
/** Tokens, or requests where there were none of them: a quantity is more than 0. A decimal, also to who guesses by its looks. */
const quantity: Column = (charge) => `${tokens(charge) || charge.sums.requests}.0`;
const unit: Column = (charge) => (tokens(charge) > 0 ? 'Tokens' : 'Requests');
/** The provider of the model; the gateway itself where there was none. */
const publisher: Column = (charge) => charge.provider ?? gateway;

/** The columns of our own table, in their order. */
const plain: Readonly<Record<string, Column>> = {
  day: ({ day }) => dayName(day),
  tenant_id: ({ tenantId }) => tenantId,
  key_id: ({ keyId }) => keyId,
  operation: ({ operation }) => operation,
  provider: ({ provider }) => provider,
  model: ({ model }) => model,
  tags: ({ tags }) => tags ?? '{}',
  ...byName(
    counts,
    (name): Column =>
      ({ sums }) =>
        sums[name],
  ),
  cost_usd: cost,
  unpriced_requests: ({ sums }) => sums.unpriced,
};

const focus: Readonly<Record<string, Column>> = {
  AvailabilityZone: nothing,
  BilledCost: cost,
  BillingAccountId: ({ tenantId }) => tenantId,
  BillingAccountName: (_, { tenant }) => tenant,
  BillingAccountType: () => 'Tenant',
  BillingCurrency: () => 'USD',
  BillingPeriodEnd: ({ day }) => time(startOfMonth(monthOf(startOfDay(day)) + 1)),
  BillingPeriodStart: ({ day }) => time(startOfMonth(monthOf(startOfDay(day)))),
  ChargeCategory: () => 'Usage',
  ChargeClass: nothing,
  ChargeDescription: ({ operation, model, provider: by }) =>
    model === null ? `${operation}, which no model served` : `${operation} with ${model} at ${by ?? gateway}`,
  ChargeFrequency: () => 'Usage-Based',
  ChargePeriodEnd: ({ day }) => time(startOfDay(day + 1)),
  ChargePeriodStart: ({ day }) => time(startOfDay(day)),
  CommitmentDiscountCategory: nothing,
  CommitmentDiscountId: nothing,
  CommitmentDiscountName: nothing,
  CommitmentDiscountStatus: nothing,
  CommitmentDiscountType: nothing,
  ConsumedQuantity: quantity,
  ConsumedUnit: unit,
  ContractedCost: cost,
  // A row has tokens of several classes, each at its own price: there is no price of one unit.
  ContractedUnitPrice: nothing,
  EffectiveCost: cost,
  InvoiceId: nothing,
  InvoiceIssuerName: () => gateway,
  ListCost: cost,
  ListUnitPrice: nothing,
  PricingCategory: () => 'Standard',
  PricingQuantity: quantity,
  PricingUnit: unit,
  // The gateway is who the tenant has it from: with another here, nothing would be billed by the rules of marketplaces.
  ProviderName: () => gateway,
  PublisherName: publisher,
  RegionId: nothing,
  RegionName: nothing,
  ResourceId: ({ model }) => model,
  ResourceName: ({ model }) => model,
  ResourceType: ({ model }) => (model === null ? null : 'Model'),
  ServiceCategory: () => 'AI and Machine Learning',
  ServiceName: () => 'AI Gateway',
  ServiceSubcategory: () => 'Generative AI',
  SkuId: (charge) => `${publisher(charge, noNames)}/${charge.model ?? charge.operation}`,
  // We publish no list of prices.
  SkuPriceId: nothing,
  SubAccountId: ({ keyId }) => keyId,
  SubAccountName: ({ keyId }, { keys }) => keys.get(keyId) || keyId,
  SubAccountType: () => 'API Key',
  Tags: ({ tags }) => tags ?? '{}',
  x_Operation: ({ operation }) => operation,
  x_Requests: ({ sums }) => sums.requests,
  x_PromptTokens: ({ sums }) => sums.prompt_tokens,
  x_CompletionTokens: ({ sums }) => sums.completion_tokens,
  x_CachedTokens: ({ sums }) => sums.cached_tokens,
  x_ReasoningTokens: ({ sums }) => sums.reasoning_tokens,
  x_UnpricedRequests: ({ sums }) => sums.unpriced,
};

const noNames: ChargeNames = { tenant: '', keys: new Map() };
const tables: Readonly<Record<ExportFormat, Readonly<Record<string, Column>>>> = { csv: plain, focus };

function tokens({ sums }: Charge): number {
  return sums.prompt_tokens + sums.completion_tokens;
}

/** As the specification writes times: in UTC, to the second. */
function time(ms: number): string {
  return isoTime(ms).replace('.000Z', 'Z');
}
