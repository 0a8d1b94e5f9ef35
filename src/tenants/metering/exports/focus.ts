/**
 * FOCUS, the FinOps Open Cost and Usage Specification, version 1.2 (https://focus.finops.org/focus-specification/v1-2/): its
 * mandatory columns, those of its conditional ones that we have something for, and what version 1.0 asks for beside, empty,
 * so that programs for either read it. What is ours alone begins with `x_`, as the specification has it.
 */
import { isoTime, monthOf, startOfDay, startOfMonth } from '../../../lib/utc.ts';
import type { Charge } from './charges.ts';
import { dollarsText } from './settled-rows.ts';

/** What people call a tenant and its keys; a key of the configuration has no label. */
export interface ChargeNames {
  readonly tenant: string;
  readonly keys: ReadonlyMap<string, string>;
}

type Cell = string | number | null;
type Column = (charge: Charge, names: ChargeNames) => Cell;

/** Who runs the gateway, for whom it is the invoice. */
const gateway = 'Switchyard';

const cost: Column = ({ sums }) => dollarsText(sums.cost_micro_usd);
const nothing: Column = () => null;
/** Tokens, or requests where there were none of them: a quantity is more than 0. A decimal, also to who guesses by its looks. */
const quantity: Column = (charge) => `${tokens(charge) || charge.sums.requests}.0`;
const unit: Column = (charge) => (tokens(charge) > 0 ? 'Tokens' : 'Requests');
/** Whose model it is; the gateway's own work where there was none. */
const publisher: Column = (charge) => charge.provider ?? gateway;

const columns: Readonly<Record<string, Column>> = {
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
const ofEach = Object.values(columns);

/** The columns, in their order. */
export const focusColumns: readonly string[] = Object.keys(columns);

/** A charge as a row of FOCUS. */
export function focusRow(charge: Charge, names: ChargeNames): Cell[] {
  return ofEach.map((column) => column(charge, names));
}

function tokens({ sums }: Charge): number {
  return sums.prompt_tokens + sums.completion_tokens;
}

/** As the specification writes times: in UTC, to the second. */
function time(ms: number): string {
  return isoTime(ms).replace('.000Z', 'Z');
}
