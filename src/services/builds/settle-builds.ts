import type { ModelUsage } from '../../factory/factory.ts';
import { type CountedTokens, tokenUsage } from '../../model/usage.ts';
import type { Admission, Outcome, Ticket } from '../../tenants/metering/admission.ts';
import type { Admissions } from '../../tenants/metering/admissions.ts';
import { type Meter, nothingDelivered } from '../../tenants/metering/meter.ts';
import type { Build } from './build.ts';
import type { BuildStore } from './build-store.ts';

/**
 * Settles the request of a build that is over, by its ticket. In this process each is settled once, however many callers
 * there are, also where it has to be repeated because the database did not record it. Rejects with `StoreError`.
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

/** The tokens of model calls, as far as they came. */
export function tokensOf(usage: ModelUsage): CountedTokens | null {
  if (usage.inputTokens + usage.outputTokens === 0) return null;
  const tokens = usage.tokens ?? tokenUsage({ inputUncached: usage.inputTokens, output: usage.outputTokens });
  return { tokens, source: 'provider' };
}

function outcomeOf({ status, state: { usage, engine, failure } }: Build): Outcome {
  const ended = status === 'succeeded' || status === 'cancelled' ? status : 'failed';
  return {
    status: ended,
    clientSaw: 'acceptance',
    errorCode: failure?.code ?? null,
    provider: usage.served?.provider ?? null,
    model: usage.served?.model ?? engine.model,
    costMicroUsd: usage.costUsd === null ? null : Math.round(usage.costUsd * 1e6),
    usage: tokensOf(usage),
    attempts: usage.attempts ?? [],
  };
}

export type UnconfirmedBuilds = ReturnType<typeof unconfirmedBuilds>;

/**
 * Build requests whose commit is unconfirmed: the database failed between storing the build and saying so, and could not be
 * asked afterwards. A build that was stored runs, so its request must not be settled as failed.
 */
export function unconfirmedBuilds(builds: BuildStore) {
  const unconfirmed = new Map<string, { readonly meter: Meter; readonly error: unknown }>();
  /**
   * The build, null if it was not stored. That is certain also while PostgreSQL may still carry out a commit whose answer
   * was lost: the lock of the intake is free only when it is over. Rejects with `StoreError`.
   */
  const find = (id: string): Promise<Build | null> => builds.exclusively((db) => builds.find(id, db));
  return {
    find,
    /** @param error what the request fails with where its build was not stored */
    keep: (id: string, meter: Meter, error: unknown) => void unconfirmed.set(id, { meter, error }),
    /** Looks again. Rejects with `StoreError` where that is still not possible. */
    async resolve(): Promise<void> {
      for (const [id, { meter, error }] of unconfirmed) {
        const build = await find(id);
        if (!unconfirmed.delete(id)) continue;
        if (build) meter.handOver();
        else await meter.failed(error, nothingDelivered);
      }
    },
  };
}
