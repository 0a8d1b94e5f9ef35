import type { ModelUsage } from '../../factory/factory.ts';
import { type CountedTokens, tokenUsage } from '../../model/usage.ts';
import type { Admission, Outcome, Ticket } from '../../tenants/metering/admission.ts';
import type { Admissions } from '../../tenants/metering/admissions.ts';
import type { Build } from './build.ts';
import type { BuildStore } from './build-store.ts';

/**
 * What settles the request of a build that is over, by its ticket. In this process each is settled once, however many ask
 * for it, and also where it has to be done again because the database did not take that it was. Rejects with `StoreError`.
 */
export function buildSettler(builds: BuildStore, admissions: Admissions): (id: string) => Promise<void> {
  const going = new Map<string, Promise<void>>();
  /** Those that were settled and whose builds still have their tickets. */
  const settled = new Map<string, Admission>();
  const settle = async (id: string) => {
    for (const build of await builds.unsettled(id)) {
      const admission = settled.get(id) ?? admissions.takeOver(JSON.parse(build.ticket ?? '') as Ticket);
      settled.set(id, admission);
      await admission.settle(outcomeOf(build));
      await builds.settled(id);
    }
    settled.delete(id);
  };
  return (id) => {
    const settling = going.get(id) ?? settle(id).finally(() => going.delete(id));
    going.set(id, settling);
    return settling;
  };
}

/** What model calls have delivered, as far as they came. */
export function tokensOf(usage: ModelUsage): CountedTokens | null {
  if (usage.inputTokens + usage.outputTokens === 0) return null;
  const tokens = usage.tokens ?? tokenUsage({ inputUncached: usage.inputTokens, output: usage.outputTokens });
  return { tokens, source: 'provider' };
}

function outcomeOf({ status, state: { usage, engine, failure } }: Build): Outcome {
  const ended = status === 'succeeded' || status === 'cancelled' ? status : 'failed';
  return {
    status: ended,
    told: 'acceptance',
    errorCode: failure?.code ?? null,
    provider: usage.served?.provider ?? null,
    model: usage.served?.model ?? engine.model,
    costMicroUsd: usage.costUsd === null ? null : Math.round(usage.costUsd * 1e6),
    usage: tokensOf(usage),
    attempts: usage.attempts ?? [],
  };
}
