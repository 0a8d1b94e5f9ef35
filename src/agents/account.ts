import type { Caller } from '../accounts/caller.ts';
import { withAccounts } from '../accounts/service-errors.ts';
import type { ServiceError } from '../contract/errors.ts';
import type { Admission } from '../metering/admission.ts';
import type { Admissions } from '../metering/admissions.ts';
import { conclude, concludeFailed } from '../metering/conclude.ts';
import { rateLimitHeaders } from '../metering/rate-limit-headers.ts';
import { rateLimited } from '../metering/rate-limited.ts';
import type { Attempt } from '../models/port.ts';
import type { AgentRunStatus } from '../store/schema.ts';
import type { Agent } from './agent.ts';
import type { Progress } from './loop.ts';

/** A request to run an agent, and whose it is. */
export interface RunContext {
  readonly caller: Caller;
  readonly requestId: string;
  /** As the contract names it. */
  readonly operation: string;
  /** Puts headers on the reply, whatever it will be. */
  readonly setHeaders: (headers: Readonly<Record<string, string>>) => void;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** The account of one run: a single request to the plan, whatever happens in it. */
export class RunAccount {
  readonly attempts: Attempt[] = [];
  /** Tokens that were set aside for it and that it must not exceed; null where the tenant's are not limited. */
  readonly tokens: number | null;
  readonly #admission: Admission;
  readonly #background: boolean;

  private constructor(admission: Admission, background: boolean, tokens: number | null) {
    this.#admission = admission;
    this.#background = background;
    this.tokens = tokens;
  }

  /**
   * Admits a run, or throws `ServiceError('rate_limited')`. Where the tenant's tokens are limited, as many as the run may
   * use are set aside, at most those of a whole minute; at its end they are corrected to what it used.
   */
  static async open(
    admissions: Admissions,
    agent: Agent,
    { caller, requestId, operation, setHeaders, signal }: RunContext,
    background: boolean,
  ): Promise<RunAccount> {
    const { tokensPerMinute } = caller.limits;
    const tokens = tokensPerMinute === null ? null : Math.min(agent.maxTokens, tokensPerMinute);
    const asked = { caller, requestId, operation, model: agent.model, signal };
    const result = await withAccounts(() => admissions.admit(tokens === null ? asked : { ...asked, tokens }));
    if (!result.admitted) throw rateLimited(result.rejection);
    setHeaders(rateLimitHeaders(result.admission.state));
    return new RunAccount(result.admission, background, tokens);
  }

  /**
   * To be called once, at the end of the run, and awaited before anybody is told of it: that is when the ledger holds it.
   * Throws `StoreError` where it cannot hold a success, which then is settled as failed.
   */
  async settle(
    status: Exclude<AgentRunStatus, 'running'>,
    { usage, uses, served }: Progress,
    stopReason: string | null,
    error: ServiceError | null,
  ): Promise<void> {
    const ok = this.#background ? 202 : 200;
    const outcome = {
      usage,
      uses,
      provider: served?.provider ?? null,
      model: served?.model ?? null,
      attempts: this.attempts,
      finishReason: stopReason,
      errorCode: error?.code ?? null,
      httpStatus: ok,
    };
    if (status === 'succeeded') {
      // The run goes on to its end whoever has left: it has its own record.
      await conclude(this.#admission, { ...outcome, status }, new AbortController().signal, () => ({
        status: 'failed',
        errorCode: 'storage_unavailable',
      }));
    } else if (status === 'cancelled')
      void this.#admission.settle({ ...outcome, status, httpStatus: this.#background ? ok : 499 });
    else await concludeFailed(this.#admission, { ...outcome, status: 'failed' });
  }
}
