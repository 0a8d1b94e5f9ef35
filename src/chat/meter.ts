import type { Usage } from '../../generated/types.gen.ts';
import type { Caller } from '../accounts/caller.ts';
import { accountFailure, withAccounts } from '../accounts/service-errors.ts';
import { toServiceError } from '../contract/errors.ts';
import { estimatePromptTokens } from '../lib/tokens.ts';
import type { Admission, ModelUse } from '../metering/admission.ts';
import type { Admissions } from '../metering/admissions.ts';
import { conclude, concludeFailed, type Ending } from '../metering/conclude.ts';
import { rateLimitHeaders } from '../metering/rate-limit-headers.ts';
import { rateLimited } from '../metering/rate-limited.ts';
import type { Attempt, CallContext, Served, UnroutedCall } from '../models/port.ts';

/** A chat request and whose it is. */
export interface ChatContext extends CallContext {
  readonly caller: Caller;
  readonly requestId: string;
  readonly operation: string;
  /** Puts headers on the reply, whatever it will be. */
  readonly setHeaders: (headers: Readonly<Record<string, string>>) => void;
}

/** The account of one admitted chat request, from its admission to its settlement. */
export interface Meter {
  /** The context of the model call, which writes its attempts down. */
  readonly context: CallContext;
  /** The answer has begun. */
  answering(): void;
  /**
   * To be awaited before the answer, or the last event of it, goes out: that is when the ledger holds it. Throws
   * `storage_unavailable` where it cannot, and the signal's reason; the request is settled as such by then.
   * @param served null, like the rest: no model was called
   * @param uses what each call used, where there may have been several
   */
  succeeded(
    served: Served | null,
    finishReason: string | null,
    usage: Usage | null,
    uses?: readonly ModelUse[],
  ): Promise<void>;
  /**
   * To be awaited before the error is told. Never rejects; after `succeeded` it does nothing.
   * @param usage what was delivered before it broke off; null for nothing
   */
  failed(
    thrown: unknown,
    served: Served | null,
    usage: Usage | null,
    uses?: readonly ModelUse[],
  ): Promise<void>;
}

/** The status that the ledger shows for a request whose client went away (nginx's convention). */
const clientClosedRequest = 499;

/**
 * Admits a request, or throws `ServiceError('rate_limited')`. From here on the ledger has a row of it, which one of the
 * two ends of the meter settles.
 * @param call the first call of a model; null: none is made
 */
export async function admit(
  admissions: Admissions,
  model: string | null,
  call: UnroutedCall | null,
  { caller, requestId, operation, setHeaders, signal, onAttempt, memory }: ChatContext,
): Promise<Meter> {
  const startedAt = performance.now();
  const counted = call !== null && caller.limits.tokensPerMinute !== null;
  const tokens = counted ? { tokens: await mostTokens(call) } : {};
  const result = await withAccounts(() =>
    admissions.admit({ caller, requestId, operation, model, signal, ...tokens }),
  );
  if (!result.admitted) throw rateLimited(result.rejection);
  setHeaders(rateLimitHeaders(result.admission.state));
  return meterOf(result.admission, startedAt, { signal, onAttempt, memory });
}

function meterOf(admission: Admission, startedAt: number, { signal, onAttempt, memory }: CallContext): Meter {
  const attempts: Attempt[] = [];
  let firstByteMs: number | null = null;
  let concluded = false;
  const answering = () => {
    firstByteMs ??= Math.round(performance.now() - startedAt);
  };
  const outcomeOf = (served: Served | null, usage: Usage | null, uses?: readonly ModelUse[]) => {
    concluded = true;
    const { provider = null, model = null } = served ?? {};
    return { provider, model, usage, ...(uses && { uses }), attempts, firstByteMs };
  };
  /** @param status that the client has seen by then; null: none */
  const endingOf = (thrown: unknown, status: number | null): Ending => {
    const error = toServiceError(accountFailure(thrown));
    if (signal.aborted && error.code !== 'shutting_down')
      return { status: 'cancelled', httpStatus: clientClosedRequest };
    return { status: 'failed', httpStatus: status ?? error.info.status, errorCode: error.code };
  };
  return {
    context: {
      signal,
      memory,
      onAttempt(attempt) {
        attempts.push(attempt);
        onAttempt?.(attempt);
      },
    },
    answering,
    async succeeded(served, finishReason, usage, uses) {
      const seen = firstByteMs === null ? null : 200;
      answering();
      const outcome = { ...outcomeOf(served, usage, uses), finishReason, status: 'succeeded' } as const;
      await withAccounts(() =>
        conclude(admission, { ...outcome, httpStatus: 200 }, signal, (thrown) => endingOf(thrown, seen)),
      );
    },
    async failed(thrown, served, usage, uses) {
      if (concluded) return;
      const ending = endingOf(thrown, firstByteMs === null ? null : 200);
      const outcome = { ...outcomeOf(served, usage, uses), ...ending };
      // Nobody waits for what a client is told that has gone.
      if (ending.status === 'cancelled') void admission.settle(outcome);
      else await concludeFailed(admission, outcome);
    },
  };
}

/** An upper bound of what a request may use: its prompt, estimated, and the longest answer it asks for. */
async function mostTokens(call: UnroutedCall): Promise<number> {
  return (await estimatePromptTokens(call)) + call.maxTokens;
}
