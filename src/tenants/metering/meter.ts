import type { Warning } from '../../../generated/types.gen.ts';
import { toServiceError } from '../../contract/errors.ts';
import type { LimitState } from '../../contract/limit-state.ts';
import type { Principal } from '../../contract/registry.ts';
import { untilAborted } from '../../lib/timers.ts';
import type { Attempt, CallContext, Served } from '../../model/port.ts';
import type { CountedTokens } from '../../model/usage.ts';
import { StoreError } from '../../store/errors.ts';
import { isCaller } from '../accounts/caller.ts';
import type { Admission, ClientSaw, Outcome, Ticket } from './admission.ts';
import type { Admissions } from './admissions.ts';
import { askedOf, type Demand, type MeteredRequest } from './demand.ts';
import type { ModelUse } from './spent.ts';

/** From here on it is worth listening for a client that goes away, in milliseconds. */
const soonMs = 250;

/** How long a success waits to be written, in milliseconds. */
const successMs = 10_000;

/** How long an error waits to be written, in milliseconds. It is sent in any case. */
const failureMs = 1_000;

/** The outcome of a request. */
export interface Delivered {
  /** The model that answered last; null: none did. */
  readonly served: Served | null;
  /** The usage, as far as it came; null for none. */
  readonly usage: CountedTokens | null;
  /** The usage of each call of a model, where there may have been several. */
  readonly uses?: readonly ModelUse[];
  readonly finishReason?: string | null;
  /** All warnings, where several models have answered; else those of the one that answered. */
  readonly warnings?: readonly Warning[];
}

export const nothingDelivered: Delivered = { served: null, usage: null };

/**
 * Admits a request and reports its limits, or throws: `ServiceError` (`rate_limited`, `tag_required`, `invalid_request` for the
 * header of its tags), `StoreError`, the reason of the signal that was aborted first. From here on the ledger has a row of it, which one of the ends of the meter settles.
 */
export async function admit(admissions: Admissions, request: MeteredRequest, demand: Demand): Promise<Meter> {
  const startedAt = performance.now();
  const clientSaw = demand.clientSaw ?? 'nothing';
  if (request.dryRun) {
    const { admitDry } = await import('./dry-run.ts');
    const asked = async () => askedOf(admissions, request, demand);
    const admission = await admitDry(admissions, request.dryRun, { request, demand, asked });
    return new Meter({ admissions, admission, request, startedAt, tokens: null, clientSaw: 'nothing' });
  }
  const estimated = askedOf(admissions, request, demand);
  const { asked, budgets } = estimated instanceof Promise ? await estimated : estimated;
  const result = await admissions.admit(asked);
  if (!result.admitted) throw admissions.refusalOf(result.rejection, budgets);
  request.tellLimits(result.admission.state);
  const { admission } = result;
  return new Meter({ admissions, admission, request, startedAt, tokens: asked.tokens ?? null, clientSaw });
}

interface MeterParts {
  readonly admissions: Admissions;
  readonly admission: Pick<Admission, 'settle' | 'amend' | 'ticket'>;
  readonly request: MeteredRequest;
  /** When it asked to be admitted, by the monotonic clock. */
  readonly startedAt: number;
  readonly tokens: number | null;
  readonly clientSaw: ClientSaw;
}

/** The account of one admitted request, from its admission to its settlement. Only the first of its ends counts. */
export class Meter {
  /** Tokens that were set aside for it; null where the caller's are not limited. */
  readonly tokens: number | null;
  readonly #parts: MeterParts;
  /** Ends the request when it is aborted; null: it continues without its client. */
  readonly #signal: AbortSignal | null;
  readonly #attempts: Attempt[] = [];
  #clientSaw: ClientSaw;
  #firstByteMs: number | null = null;
  #concluded = false;

  constructor(parts: MeterParts) {
    const { request, clientSaw, tokens } = parts;
    this.#parts = parts;
    this.#signal = clientSaw === 'nothing' ? (request.signal ?? null) : null;
    this.#clientSaw = clientSaw;
    this.tokens = tokens;
  }

  /** Writes an attempt down. */
  readonly onAttempt = (attempt: Attempt): void => {
    this.#attempts.push(attempt);
    this.#parts.request.onAttempt?.(attempt);
  };

  /** The context of its calls of models, whose attempts are written down. */
  watch({ signal, memory, dryRun }: CallContext): CallContext {
    const { tenantId: tenant } = this.#parts.request.caller;
    return { signal, memory, dryRun, tenant, onAttempt: this.onAttempt };
  }

  /** The stored form of the request when it is handed over. */
  get ticket(): Ticket {
    return this.#parts.admission.ticket;
  }

  /**
   * Leaves the request to the holder of its ticket: it may end in another process, or after this one. A failure here from
   * then on does not settle it.
   */
  handOver(): void {
    this.#concluded = true;
    this.#parts.admissions.handOver(this.#parts.admission as Admission);
  }

  /** The answer has begun. */
  answering(): void {
    if (this.#clientSaw !== 'nothing') return;
    this.#clientSaw = 'answer';
    this.#firstByteMs = Math.round(performance.now() - this.#parts.startedAt);
  }

  /**
   * To be awaited before the answer, or the last event of it, goes out: that is when the ledger holds it. Throws
   * `StoreError` where it cannot, and the signal's reason; the request is settled as such by then.
   */
  async succeeded(delivered: Delivered): Promise<void> {
    const clientSaw = this.#clientSaw;
    this.answering();
    const outcome = this.#outcomeOf(delivered, 'succeeded');
    await conclude(this.#parts.admission, outcome, this.#signal, (thrown) =>
      this.#endingOf(thrown, clientSaw),
    );
  }

  /**
   * Does the work between the answer of a model and its delivery. A failure there is reported as an error, and the usage is
   * accounted for all the same. Rejects with the error of the work; the request is settled by then.
   */
  async delivering<Result>(delivered: Delivered, work: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (thrown) {
      await this.failed(thrown, delivered);
      throw thrown;
    }
  }

  /**
   * To be awaited before the error is sent. Never rejects; after another end it does nothing.
   * @param delivered before it broke off
   * @param clientSaw what its client has got by then
   */
  async failed(thrown: unknown, delivered: Delivered, clientSaw = this.#clientSaw): Promise<void> {
    if (this.#concluded) return;
    const ending = this.#endingOf(thrown, clientSaw);
    if (ending.status === 'cancelled') return this.cancelled(delivered);
    const outcome = { ...this.#outcomeOf(delivered, ending.status), ...ending };
    await within(this.#parts.admission.settle(outcome), failureMs);
  }

  /** It was cancelled, or its client went away: no one waits for the answer. */
  cancelled(delivered: Delivered): void {
    if (this.#concluded) return;
    void this.#parts.admission.settle(this.#outcomeOf(delivered, 'cancelled'));
  }

  #outcomeOf(
    { served, usage, uses, warnings, finishReason = null }: Delivered,
    status: Outcome['status'],
  ): Outcome {
    this.#concluded = true;
    return {
      status,
      provider: served?.provider ?? null,
      model: served?.model ?? null,
      usage,
      uses,
      finishReason,
      warnings: warnings ?? served?.warnings ?? [],
      attempts: this.#attempts,
      firstByteMs: this.#firstByteMs,
      clientSaw: this.#clientSaw,
    };
  }

  #endingOf(thrown: unknown, clientSaw: ClientSaw): Ending {
    const { code } = toServiceError(thrown);
    if (this.#signal?.aborted && code !== 'shutting_down') return { status: 'cancelled', clientSaw };
    return { status: 'failed', errorCode: code, clientSaw };
  }
}

/** How a request ends that did not succeed. */
type Ending = Pick<Outcome, 'status' | 'errorCode' | 'clientSaw'>;

/**
 * Settles a request as succeeded: an answer that a client has got survives any crash, as it waits until the ledger holds it. When it resolves, that is on disk and the answer may go out. While the database cannot
 * be written it waits for 10 seconds; then it throws `StoreError`, and the row is to say what the client gets instead,
 * with the same usage, as far as it is not written by then. It throws the signal's reason when that is aborted first.
 * @param endingOf how the request ends that fails with what is thrown
 */
export async function conclude(
  admission: Pick<Admission, 'settle' | 'amend'>,
  outcome: Outcome,
  signal: AbortSignal | null,
  endingOf: (thrown: unknown) => Ending,
): Promise<void> {
  const written = admission.settle(outcome);
  if (await within(written, soonMs)) return;
  const late = new StoreError('unreachable', 'Storage: the end of a request could not be written in time.');
  const deadline = AbortSignal.timeout(successMs - soonMs);
  try {
    await untilAborted(written, signal ? AbortSignal.any([signal, deadline]) : deadline);
  } catch {
    const reason: unknown = signal?.aborted ? signal.reason : late;
    admission.amend({ ...outcome, ...endingOf(reason) });
    throw reason;
  }
}

/** Resolves with whether the promise did within the time. */
function within(promise: Promise<void>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, false);
    void promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/**
 * How the limits of a caller stand when its request uses nothing up, as far as this process knows. Empty for who is not
 * limited, and when it cannot be had, as no request is to fail for it.
 */
export async function knownLimitState(
  admissions: Pick<Admissions, 'knownLimitState'>,
  principal: Principal,
): Promise<LimitState> {
  if (!isCaller(principal)) return [];
  try {
    return await admissions.knownLimitState(principal.tenantId, principal.limits);
  } catch {
    return [];
  }
}
