import type * as Wire from '../../../generated/types.gen.ts';
import type { DryRun, DryTarget, DryTokens } from '../../contract/dry-run.ts';
import type { ServiceError } from '../../contract/errors.ts';
import { costOf, type Price, type PriceOf, type TokenUsage, tokenUsage } from '../../model/usage.ts';
import type { Admission } from './admission.ts';
import type { Admissions } from './admissions.ts';
import type { Asked, Demand, MeteredRequest } from './demand.ts';
import { versionOf } from './price-book.ts';
import { dollars, limitView } from './view.ts';

/** A request as metering sees it on a dry run. */
export interface DryAsk {
  readonly request: Pick<MeteredRequest, 'caller'>;
  readonly demand: Demand;
  /** Its admission request. Throws the error that refuses it before that. */
  readonly asked: () => Promise<Asked>;
}

/**
 * Holds a request on a dry run against its caller's limits and budgets, and gives what stands for its admission: nothing is counted,
 * and its end is written nowhere. Rejects with `StoreError`, and with what the request itself is refused for.
 */
export async function admitDry(
  admissions: Admissions,
  dryRun: DryRun,
  { request, demand, asked: ask }: DryAsk,
): Promise<Pick<Admission, 'settle' | 'amend' | 'ticket'>> {
  dryRun.model = demand.model;
  dryRun.tokens = await tokensOf(demand, request.caller.limits.tokensPerMinute);
  const { asked, budgets } = await ask();
  const { state, rejection } = await admissions.preview(asked);
  dryRun.limits = state;
  if (rejection !== null) dryRun.refuse(admissions.refusalOf(rejection, budgets));
  return nowhere;
}

async function tokensOf({ estimate, tokens }: Demand, perMinute: number | null): Promise<DryTokens | null> {
  if (estimate) return estimate();
  const most = await tokens?.(perMinute ?? Number.MAX_SAFE_INTEGER);
  if (most === undefined) return null;
  if (typeof most === 'number') return { prompt: most, maxCompletion: null };
  return { prompt: most.prompt, maxCompletion: most.answer };
}

const nowhere = {
  settle: async () => undefined,
  amend: () => undefined,
  get ticket(): never {
    throw new Error('A dry run is not handed over.');
  },
};

type Range = Wire.CostRange;
/** The HTTP status of a refusal on the interface of the request. */
type StatusOf = (refusal: ServiceError) => number;

/** The findings of a dry run, in the words of the contract. */
export function dryRunReport(
  { model, tokens, limits, targets, refusals }: DryRun,
  operation: string,
  priceOf: PriceOf,
  statusOf: StatusOf,
): Wire.DryRunReport {
  const priced = targets.map((target) => targetView(target, tokens, priceOf, statusOf));
  const able = priced.filter(({ able }) => able);
  return {
    object: 'dry_run',
    operation,
    model,
    refused: refusals.length > 0,
    refusals: refusals.map((refusal) => refusalView(refusal, statusOf)),
    targets: priced,
    tokens: tokens && { prompt: tokens.prompt, max_completion: tokens.maxCompletion, source: 'estimated' },
    cost: rangeOver(able.map(({ cost }) => cost)),
    limits: limits.map((limit) => limitView(limit as Parameters<typeof limitView>[0])),
  };
}

function targetView(
  { provider, model, warnings, error }: DryTarget,
  tokens: DryTokens | null,
  priceOf: PriceOf,
  statusOf: StatusOf,
): Wire.DryRunTarget {
  const price = priceOf(provider, model);
  return {
    provider,
    model,
    able: error === null,
    error: error && refusalView(error, statusOf),
    warnings: [...warnings],
    cost: tokens === null || price === null ? { min_usd: null, max_usd: null } : rangeOf(price, tokens),
    price_version: price && versionOf(price, provider, model),
  };
}

/** From the prompt alone, read from the vendor's cache, to the longest answer with everything in its dearest class. */
function rangeOf(price: Price, { prompt, maxCompletion }: DryTokens): Range {
  const prompts = (['inputUncached', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h'] as const).map(
    (name): Partial<TokenUsage> => ({ [name]: prompt }),
  );
  const costs = prompts.map((tokens) => costOf(price, tokenUsage(tokens)) ?? 0);
  if (maxCompletion === null) return { min_usd: dollars(Math.min(...costs)), max_usd: null };
  const answers = [0, maxCompletion].map((reasoning) => ({ output: maxCompletion, reasoning }));
  const most = prompts.flatMap((tokens) =>
    answers.map((answer) => costOf(price, tokenUsage({ ...tokens, ...answer })) ?? 0),
  );
  return { min_usd: dollars(Math.min(...costs)), max_usd: dollars(Math.max(...most)) };
}

/** A bound that is unknown for one of them is unknown for all. */
function rangeOver(ranges: readonly Range[]): Range {
  const over = (name: keyof Range, choose: (...values: number[]) => number) => {
    const values = ranges.map((range) => range[name]);
    return values.length === 0 || values.includes(null) ? null : choose(...(values as number[]));
  };
  return { min_usd: over('min_usd', Math.min), max_usd: over('max_usd', Math.max) };
}

function refusalView(refusal: ServiceError, statusOf: StatusOf): Wire.DryRunRefusal {
  const { code, message, param, details } = refusal;
  return { code, status: statusOf(refusal), message, param, details: [...details] };
}
