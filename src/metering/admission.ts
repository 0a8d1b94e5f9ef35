import type { Usage, Warning } from '../../generated/types.gen.ts';
import type { Caller } from '../accounts/caller.ts';
import type { Attempt } from '../models/port.ts';
import type { LedgerKey, Settlement } from '../store/ledger.ts';
import { columnsOf } from './ledger-tokens.ts';
import { warningsText } from './ledger-warnings.ts';
import type { LimitName, LimitState, Rejection } from './limit-state.ts';
import { costOf, type PriceOf } from './prices.ts';
import { type ModelUse, tokensIn } from './spent.ts';

/** A well-formed request of a known caller that wants to be carried out. */
export interface AdmissionRequest {
  readonly caller: Pick<Caller, 'tenantId' | 'keyId' | 'limits'>;
  readonly requestId: string;
  readonly operation: string;
  /** The model as the client named it; null where none was. */
  readonly model: string | null;
  /** Tokens that it may use, for tenants with a token limit: an estimate of the prompt and the most of the answer. */
  readonly tokens?: number;
  /** Aborted when the client goes away: the request then is not admitted any more and uses up nothing. */
  readonly signal?: AbortSignal;
}

/**
 * What a client has been told beside how its request ended: nothing; an answer, of which it may have seen the beginning
 * only, or which is a record that says itself how things ended; that what it asked for was accepted.
 */
export type Told = 'nothing' | 'answer' | 'acceptance';

/** How an admitted request ended. */
export interface Outcome {
  /** `cancelled`: the client went away. */
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  readonly errorCode?: string | null;
  /** `nothing` if left out. */
  readonly told?: Told;
  readonly provider?: string | null;
  /** The model that answered. */
  readonly model?: string | null;
  readonly finishReason?: string | null;
  /** What the answer used, as far as it came; null where it used nothing. */
  readonly usage?: Usage | null;
  /** What each call of a model used, where there can be several: each is priced by its own model. */
  readonly uses?: readonly ModelUse[];
  /** The cost in millionths of a US dollar, where it is known already or known to be unknown (null). */
  readonly costMicroUsd?: number | null;
  readonly attempts?: readonly Attempt[];
  /** What was dropped, adapted or estimated. */
  readonly warnings?: readonly Warning[];
  /** Milliseconds from the request's arrival to the first byte of the answer. */
  readonly firstByteMs?: number | null;
}

export type AdmissionResult =
  | { readonly admitted: true; readonly admission: Admission }
  | { readonly admitted: false; readonly rejection: Rejection };

/** Is told what happens to requests, for the metrics. Must not throw. */
export interface AdmissionObserver {
  /** @param limit the one that was hit; null: the request was admitted. */
  admissionDecided(limit: LimitName | null): void;
  admissionSettled(outcome: Outcome): void;
}

/** Finds the HTTP status under which the ledger shows a request that ended so. */
export type StatusOf = (outcome: Pick<Outcome, 'status' | 'errorCode' | 'told'>) => number;

/** What all admissions share. */
export interface AdmissionContext {
  readonly now: () => number;
  readonly priceOf: PriceOf;
  readonly statusOf: StatusOf;
  readonly settle: (admission: Admission, settlement: Settlement, outcome: Outcome) => Promise<void>;
  /** Replaces a settlement as long as it is not on disk. */
  readonly amend: (settlement: Settlement, by: Settlement) => void;
}

/** What an admission is kept as, for a request that may outlive the process that admitted it. It is JSON. */
export interface Ticket {
  readonly key: LedgerKey;
  readonly request: Omit<AdmissionRequest, 'caller' | 'signal'> & {
    readonly caller: Pick<Caller, 'tenantId' | 'keyId' | 'limits'>;
  };
  readonly receivedAt: number;
}

/** A request that was admitted: it has its row in the ledger, which `settle` closes. */
export class Admission {
  /** How the caller's limits stand with this request counted. */
  readonly state: LimitState;
  readonly createdAt: number;
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
    state: LimitState,
    receivedAt: number,
  ) {
    this.#context = context;
    this.#key = key;
    this.#request = request;
    this.#receivedAt = receivedAt;
    this.state = state;
    this.createdAt = key.created_at;
  }

  get ticket(): Ticket {
    const { caller, requestId, operation, model, tokens } = this.#request;
    const { tenantId, keyId, limits } = caller;
    return {
      key: this.#key,
      request: {
        caller: { tenantId, keyId, limits },
        requestId,
        operation,
        model,
        ...(tokens === undefined ? {} : { tokens }),
      },
      receivedAt: this.#receivedAt,
    };
  }

  /**
   * Writes down how the request ended. Only the first call counts. Resolves when it is on disk, within milliseconds.
   * Never rejects: while the database cannot be written, it is tried again.
   */
  settle(outcome: Outcome): Promise<void> {
    if (this.#settled === null) {
      this.#settlement = this.#settlementOf(outcome);
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
    const { tenant_id, created_at, seq, id } = this.#key;
    const request = this.#request;
    const { usage = null, provider = null, model = null, attempts = [], warnings = [] } = outcome;
    const settledAt = now();
    const limited = request.caller.limits.tokensPerMinute !== null;
    const used = usage ? usage.prompt_tokens + usage.completion_tokens : 0;
    return {
      tenant_id,
      created_at,
      seq,
      id,
      operation: request.operation,
      status: outcome.status,
      http_status: statusOf(outcome),
      model,
      provider,
      ...columnsOf(usage && tokensIn(usage)),
      usage_source: usage?.source ?? null,
      cost_micro_usd: usage && costOfOutcome(outcome, usage, priceOf),
      error_code: outcome.errorCode ?? null,
      finish_reason: outcome.finishReason ?? null,
      first_byte_ms: outcome.firstByteMs ?? null,
      total_ms: Math.max(0, settledAt - this.#receivedAt),
      attempts: attempts.length === 0 ? null : JSON.stringify(attempts),
      warnings: warningsText(warnings),
      settled_at: settledAt,
      tokens: limited ? used - (request.tokens ?? 0) : 0,
    };
  }
}

function costOfOutcome(outcome: Outcome, usage: Usage, priceOf: PriceOf): number | null {
  const { provider, model, uses, costMicroUsd } = outcome;
  if (costMicroUsd !== undefined) return costMicroUsd;
  const all = uses ?? (provider && model ? [{ provider, model, usage }] : []);
  if (all.length === 0) return null;
  return all.reduce<number | null>((sum, use) => {
    const cost = costOf(priceOf(use.provider, use.model), tokensIn(use.usage));
    return sum === null || cost === null ? null : sum + cost;
  }, 0);
}
