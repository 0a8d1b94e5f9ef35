import type { Warning } from '../../../generated/types.gen.ts';
import type { Passing } from '../../lib/placed.ts';
import { type Tags, tagsText } from '../../lib/tags.ts';
import type { BucketStatus, Need, Reservation, Return } from '../../limits/authority.ts';
import type { Attempt } from '../../model/port.ts';
import { type CountedTokens, costOf, type PriceOf, totalTokens } from '../../model/usage.ts';
import type { LedgerKey, Settlement } from '../../store/ledger.ts';
import type { Caller } from '../accounts/caller.ts';
import type { LimitName, LimitState, Rejection } from './limit-state.ts';
import { versionOf } from './price-book.ts';
import { columnsOf, warningsText } from './settlements.ts';
import type { ModelUse } from './spent.ts';

const unpriced: Priced = { cost_micro_usd: null, price_versions: null };

/** A well-formed request of a known caller that wants to be carried out. */
export interface AdmissionRequest {
  readonly caller: Pick<Caller, 'tenantId' | 'keyId' | 'limits'>;
  readonly requestId: string;
  readonly operation: string;
  /** The model as the client named it; null where none was. */
  readonly model: string | null;
  /** Tokens that it may use, for tenants with a token limit: an estimate of the prompt and the most of the answer. */
  readonly tokens?: number | undefined;
  /** Dimensions of its usage and cost; none if left out. */
  readonly tags?: Tags | undefined;
  /** Its needs beside those of its plan. */
  readonly needs?: readonly Need[] | undefined;
  /** Aborted when the client goes away: the request then is not admitted any more and uses up nothing. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The part of a request's result that its client has received beside its end: nothing; an answer, maybe only its beginning,
 * or a record that says itself how things ended; the acceptance of its request.
 */
export type ClientSaw = 'nothing' | 'answer' | 'acceptance';

/** How an admitted request ended. */
export interface Outcome {
  /** `cancelled`: the client went away. */
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  readonly errorCode?: string | null;
  /** `nothing` if left out. */
  readonly clientSaw?: ClientSaw;
  readonly provider?: string | null;
  /** The model that answered. */
  readonly model?: string | null;
  readonly finishReason?: string | null;
  /** The usage of the answer, as far as it came; null for none. */
  readonly usage?: CountedTokens | null;
  /** The usage of each call of a model, where there can be several: each is priced by its own model. */
  readonly uses?: readonly ModelUse[] | undefined;
  /** The cost in millionths of a US dollar, where it is known already or known to be unknown (null). */
  readonly costMicroUsd?: number | null;
  readonly attempts?: readonly Attempt[];
  /** Everything that was dropped, adapted or estimated. */
  readonly warnings?: readonly Warning[];
  /** Milliseconds from the request's arrival to the first byte of the answer. */
  readonly firstByteMs?: number | null;
}

export type AdmissionResult =
  | { readonly admitted: true; readonly admission: Admission }
  | { readonly admitted: false; readonly rejection: Rejection };

/** Observes requests, for the metrics. Must not throw. */
export interface AdmissionObserver {
  /** @param limit the plan's that was hit, or of what there was not enough beside; null: the request was admitted. */
  admissionDecided(limit: LimitName | Need['unit'] | null): void;
  admissionSettled(outcome: Outcome): void;
  /** Called when it becomes unknown, or known again, how much of the limits is left. */
  limitsAway?(away: boolean): void;
}

/** Finds the HTTP status under which the ledger shows a request that ended so. */
export type StatusOf = (outcome: Pick<Outcome, 'status' | 'errorCode' | 'clientSaw'>) => number;

/** The context that all admissions share. */
export interface AdmissionContext {
  readonly now: () => number;
  readonly priceOf: PriceOf;
  readonly statusOf: StatusOf;
  readonly settle: (admission: Admission, settlement: Settlement, outcome: Outcome) => Promise<void>;
  /** Replaces a settlement as long as it is not on disk. */
  readonly amend: (settlement: Settlement, by: Settlement) => void;
  /** Gives back what was taken of limits and not used. */
  readonly giveBack: (taken: readonly Reservation[], unused: readonly Return[]) => void;
}

/** The stored form of an admission, for a request that may outlive the process that admitted it. It is JSON. */
export interface Ticket {
  readonly key: LedgerKey;
  readonly request: Omit<AdmissionRequest, 'caller' | 'signal' | 'needs'> & {
    readonly caller: Pick<Caller, 'tenantId' | 'keyId' | 'limits'>;
  };
  readonly receivedAt: number;
  /** Its reservations; one of an older version does not say. */
  readonly taken?: readonly Reservation[];
}

/** The grant of an admission. */
interface Granting {
  /** How the limits of the plan stand with this request counted. */
  readonly state: LimitState;
  /** How all that it needs stands, in the order of the buckets' ids. */
  readonly standings: readonly BucketStatus[];
  readonly taken: readonly Reservation[];
}

/** A request that was admitted: it has its row in the ledger, which `settle` closes. */
export class Admission implements Passing {
  /** How the caller's limits stand with this request counted. */
  readonly state: LimitState;
  /** How all that it needs stands, in the order of the buckets' ids; none after it was taken over. */
  readonly standings: readonly BucketStatus[];
  readonly taken: readonly Reservation[];
  readonly createdAt: number;
  /** Among those that are open. */
  place = -1;
  readonly #context: AdmissionContext;
  readonly #key: LedgerKey;
  readonly #request: AdmissionRequest;
  readonly #receivedAt: number;
  #settlement: Settlement | null = null;
  #settled: Promise<void> | null = null;

  /** @param receivedAt when it asked to be admitted. */
  constructor(
    context: AdmissionContext,
    key: LedgerKey,
    request: AdmissionRequest,
    { state, standings, taken }: Granting,
    receivedAt: number,
  ) {
    this.#context = context;
    this.#key = key;
    this.#request = request;
    this.#receivedAt = receivedAt;
    this.state = state;
    this.standings = standings;
    this.taken = taken;
    this.createdAt = key.created_at;
  }

  get ticket(): Ticket {
    const { caller, requestId, operation, model, tokens, tags } = this.#request;
    const { tenantId, keyId, limits } = caller;
    return {
      key: this.#key,
      request: {
        caller: { tenantId, keyId, limits },
        requestId,
        operation,
        model,
        ...(tokens !== undefined && { tokens }),
        ...(tags && { tags }),
      },
      receivedAt: this.#receivedAt,
      taken: this.taken,
    };
  }

  /**
   * Writes down how the request ended. Only the first call counts. Resolves when it is on disk, within milliseconds.
   * Never rejects: while the database cannot be written, it is tried again.
   */
  settle(outcome: Outcome): Promise<void> {
    if (this.#settled === null) {
      this.#settlement = this.#settlementOf(outcome);
      if (this.taken.length > 0)
        this.#context.giveBack(
          this.taken,
          unusedOf(this.taken, outcome.usage ?? null, this.#settlement.cost_micro_usd),
        );
      this.#settled = this.#context.settle(this, this.#settlement, outcome);
    }
    return this.#settled;
  }

  /** Writes down that the request ended otherwise than it was settled, as long as that is not on disk. */
  amend(outcome: Outcome): void {
    if (this.#settlement === null) return;
    const by = this.#settlementOf(outcome);
    this.#context.amend(this.#settlement, by);
    this.#settlement = by;
  }

  #settlementOf(outcome: Outcome): Settlement {
    const { now, priceOf, statusOf } = this.#context;
    const { tenant_id, created_at, id } = this.#key;
    const request = this.#request;
    const { usage = null, provider = null, model = null, attempts = [], warnings = [] } = outcome;
    const settledAt = now();
    return {
      tenant_id,
      created_at,
      id,
      key_id: request.caller.keyId,
      operation: request.operation,
      tags: request.tags ? tagsText(request.tags) : null,
      sequence: 0,
      status: outcome.status,
      http_status: statusOf(outcome),
      model,
      provider,
      ...columnsOf(usage?.tokens ?? null),
      usage_source: usage?.source ?? null,
      ...(usage ? pricedOutcome(outcome, usage, priceOf, created_at) : unpriced),
      error_code: outcome.errorCode ?? null,
      finish_reason: outcome.finishReason ?? null,
      first_byte_ms: outcome.firstByteMs ?? null,
      total_ms: Math.max(0, settledAt - this.#receivedAt),
      attempts: attempts.length === 0 ? null : JSON.stringify(attempts),
      warnings: warningsText(warnings),
      settled_at: settledAt,
      // A ticket of the version before has the number of its row.
      ...('seq' in this.#key && { older: true }),
    };
  }
}

/**
 * The amounts that an ended request gives back: the tokens and money that it did not use, and its running slot. Negative
 * where it used more than it had reserved.
 * @param costMicroUsd null where no price is known: then nothing can be charged
 */
function unusedOf(
  taken: readonly Reservation[],
  usage: CountedTokens | null,
  costMicroUsd: number | null,
): Return[] {
  const back: Return[] = [];
  for (const one of taken) {
    const { unit, amount } = one;
    if (unit === 'tokens') {
      const used = usage ? totalTokens(usage.tokens) : 0;
      back.push({ ...one, amount: amount - used });
    } else if (unit === 'micro_usd') back.push({ ...one, amount: amount - (costMicroUsd ?? 0) });
    else if (unit === 'running') back.push(one);
  }
  return back;
}

type Priced = Pick<Settlement, 'cost_micro_usd' | 'price_versions'>;

/**
 * The cost of a request by the prices at its admission, and their versions: one for each call of a model, in their order.
 */
function pricedOutcome(
  { provider, model, uses, costMicroUsd }: Outcome,
  usage: CountedTokens,
  priceOf: PriceOf,
  admittedAt: number,
): Priced {
  if (costMicroUsd !== undefined) return { cost_micro_usd: costMicroUsd, price_versions: null };
  const all = uses ?? (provider && model ? [{ provider, model, usage }] : []);
  if (all.length === 0) return unpriced;
  let sum = 0;
  let versions = '';
  for (const use of all) {
    const price = priceOf(use.provider, use.model, admittedAt);
    const cost = costOf(price, use.usage.tokens);
    if (price === null || cost === null) return unpriced;
    sum += cost;
    versions += `${versions === '' ? '' : ' '}${versionOf(price, use.provider, use.model)}`;
  }
  return { cost_micro_usd: sum, price_versions: versions };
}
