import type { OperationInfo } from '../../generated/operations.gen.ts';
import { asksForDryRun, DryRun, DryRunOver, dryRunHeader } from '../contract/dry-run.ts';
import { ServiceError } from '../contract/errors.ts';
import type { OperationId } from '../contract/registry.ts';
import { isWireOperation } from '../contract/wire-operations.ts';
import type { AnswerOperation } from './dispatcher.ts';
import type { WireWayParts } from './wire-way.ts';
import { type ReplyOptions, writeJson } from './write-reply.ts';

export interface DryRunParts extends ReplyOptions {
  /** The findings of a dry run, in the words of the contract. */
  readonly dryRunReport: (
    dryRun: DryRun,
    operation: OperationId,
    statusOf: (refusal: ServiceError) => number,
  ) => object;
  readonly conventions: WireWayParts['conventions'];
}

/** Statuses of errors that are about the request itself, as against who sends it, how it is sent, and the server. */
const refused: ReadonlySet<number> = new Set([400, 402, 404, 409, 422, 429]);

/** Maximum dry runs of a key in a minute, in one process. */
const perMinute = 600;
const maxKeys = 10_000;

/** A dry run takes the way of the operation, up to where that would cost or count, and answers with its findings. */
export function withDryRuns(
  id: OperationId,
  { dryRun: kind }: OperationInfo,
  answer: AnswerOperation,
  rate: DryRunRate,
  parts: DryRunParts,
): AnswerOperation {
  const answerDry: AnswerOperation = async (request) => {
    const { context, exchange } = request;
    const header = context.headers[dryRunHeader];
    if (kind !== 'always' && !asksForDryRun(header ?? '')) return answer(request);
    if (kind === 'never')
      throw new ServiceError(
        'invalid_request',
        `This operation has no dry run: leave out the header ${dryRunHeader}.`,
      );
    rate.count(exchange.principal?.keyId ?? '');
    const dryRun = new DryRun();
    exchange.dryRun = dryRun;
    try {
      await answer(request);
      throw new Error('A dry run was carried out.');
    } catch (thrown) {
      // A request for an estimate that violates the contract is refused as any other.
      const own = kind === 'always' && !dryRun.checked;
      if (!own && thrown instanceof ServiceError && refused.has(thrown.info.status)) dryRun.refuse(thrown);
      else if (!(thrown instanceof DryRunOver)) throw thrown;
    }
    // Foreign interfaces have statuses of their own for some errors.
    const query = new URLSearchParams(context.querystring);
    const statusOf = (refusal: ServiceError) =>
      isWireOperation(id)
        ? parts.conventions({ operation: id, query }).error(refusal, exchange.requestId).status
        : refusal.info.status;
    const body = parts.dryRunReport(dryRun, id, statusOf);
    const headers = { [dryRunHeader]: 'true', 'cache-control': 'no-store' };
    // On the other operations it is no reply of theirs.
    writeJson(context, kind === 'always' ? id : null, { status: 200, body, headers }, parts);
  };
  return (request) =>
    kind !== 'always' && request.context.headers[dryRunHeader] === undefined
      ? answer(request)
      : answerDry(request);
}

/** Keeps the work for dry runs, which use up no limit, within bounds. */
export class DryRunRate {
  /** When the minute began: with the first dry run after the one before it. */
  #since = Number.NEGATIVE_INFINITY;
  readonly #counts = new Map<string, number>();

  /** Throws `rate_limited`. */
  count(keyId: string): void {
    const now = performance.now();
    if (now - this.#since > 60_000 || this.#counts.size >= maxKeys) {
      this.#since = now;
      this.#counts.clear();
    }
    const count = (this.#counts.get(keyId) ?? 0) + 1;
    if (count > perMinute) {
      const retryAfter = Math.max(1, Math.ceil((this.#since + 60_000 - now) / 1000));
      const message = `A key may ask for ${perMinute} dry runs in a minute. Try again in ${retryAfter} seconds.`;
      throw new ServiceError('rate_limited', message, { retryAfter, retryable: true });
    }
    this.#counts.set(keyId, count);
  }
}
