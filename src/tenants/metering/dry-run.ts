import type { DryRun, DryTokens } from '../../contract/dry-run.ts';
import type { Admission } from './admission.ts';
import type { Admissions } from './admissions.ts';
import type { Asked, Demand, MeteredRequest } from './demand.ts';

/** A request as metering sees it on a dry run. */
export interface DryAsk {
  readonly request: Pick<MeteredRequest, 'caller'>;
  readonly demand: Demand;
  /** What it would ask to be admitted with. Throws what it is refused for before that. */
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
