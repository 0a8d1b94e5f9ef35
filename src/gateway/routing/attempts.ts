import type { Warning } from '../../../generated/types.gen.ts';
import { type ServiceError, toServiceError } from '../../contract/errors.ts';
import { sleep } from '../../lib/sleep.ts';
import { inSpan } from '../../lib/trace.ts';
import type { AskedFor } from '../../model/port.ts';
import { ProviderError } from '../upstream/provider-error.ts';
import { beginAttempt, type OnAttempt, type RunningAttempt, reportSkipped } from './attempt.ts';
import type { Asking, Breakers } from './breakers.ts';
import type { Route, Target } from './catalogue.ts';
import type { RequestScope } from './request-scope.ts';
import { mayFallBack, mostTelling, retryDelay, withAttemptsSpent } from './retry.ts';

/** A vendor as attempts see it. */
export interface Provider {
  readonly breakers: Breakers;
}

/** A request in the terms of one vendor. It may be sent more than once. */
export interface Prepared<Result> {
  /** What was adapted to fit the model. */
  readonly warnings: readonly Warning[];
  send(signal: AbortSignal): Promise<Result>;
}

export interface AttemptsOptions<Result, P extends Provider> {
  readonly route: Route;
  readonly scope: RequestScope;
  readonly providers: ReadonlyMap<string, P>;
  /** Maximum number of attempts, over all targets together. Each target after the first is kept one. */
  readonly maxAttempts: number;
  readonly onAttempt: OnAttempt;
  /** For the breakers: what is asked for, and by whom. */
  readonly asking: Omit<Asking, 'model'>;
  /** For spans, where there are any. */
  readonly asked: AskedFor | undefined;
  /** Throws `ServiceError` for what the model cannot be asked. */
  readonly prepare: (provider: P, target: Target) => Prepared<Result>;
}

export interface Answer<Result> {
  readonly provider: string;
  /** The provider's own name of the model that answered. */
  readonly model: string;
  /** What was adapted to fit the model, and what had failed before. */
  readonly warnings: readonly Warning[];
  readonly result: Result;
  /** Still to be told how it ended. */
  readonly attempt: RunningAttempt;
}

/**
 * Tries the targets in turn, each with retries, until one answers. Throws the most telling `ServiceError` when none
 * does, and the reason of the scope's signal as soon as that is aborted.
 */
export async function firstAnswer<Result, P extends Provider>(
  options: AttemptsOptions<Result, P>,
): Promise<Answer<Result>> {
  const { route, providers, maxAttempts } = options;
  const failures = new Map<Target, ServiceError>();
  /** Those of targets that were asked more than once. */
  const repeated = new Set<ServiceError>();
  let left = maxAttempts;

  for (const [index, target] of route.targets.entries()) {
    if (left <= 0) break;
    const provider = providers.get(target.provider);
    if (!provider) throw new Error(`There is no adapter for the provider "${target.provider}".`);
    // Each fallback is kept one.
    const allowed = Math.max(1, left - (route.targets.length - index - 1));
    const { made, answered, error } = await askTarget(options, provider, target, allowed);
    left -= made;
    if (answered)
      return { ...answered, warnings: [...answered.warnings, ...fallbackWarnings(failures, target)] };
    failures.set(target, error);
    if (made > 1) repeated.add(error);
    if (!mayFallBack(error)) break;
  }
  const telling = mostTelling([...failures.values()]);
  const spent = repeated.has(telling) || (left <= 0 && maxAttempts > 1);
  throw spent ? withAttemptsSpent(telling) : telling;
}

type Tried<Result> = {
  /** Attempts, none where it cannot be asked or is left alone. */
  readonly made: number;
} & (
  | { readonly answered: Answer<Result>; readonly error?: undefined }
  | { readonly answered?: undefined; readonly error: ServiceError }
);

/** Tries one target, with retries. Throws the reason of the scope's signal. */
async function askTarget<Result, P extends Provider>(
  { route, scope, asking, asked, onAttempt, prepare }: AttemptsOptions<Result, P>,
  provider: P,
  target: Target,
  allowed: number,
): Promise<Tried<Result>> {
  let prepared: Prepared<Result>;
  try {
    prepared = prepare(provider, target);
  } catch (error) {
    return { made: 0, error: toServiceError(error) };
  }
  const passage = provider.breakers.enter({ ...asking, model: target.model });
  if (typeof passage === 'number') {
    const error = leftAlone(target, passage);
    reportSkipped(target, error, onAttempt);
    return { made: 0, error };
  }
  try {
    for (let made = 1; ; made += 1) {
      const attempt = beginAttempt(target, passage, onAttempt, asked);
      try {
        const { span } = attempt;
        const result = await (span
          ? inSpan(span, () => prepared.send(scope.signal))
          : prepared.send(scope.signal));
        attempt.answered();
        const { provider, model } = target;
        const warnings = [...route.warnings, ...prepared.warnings];
        return { made, answered: { provider, model, warnings, result, attempt } };
      } catch (thrown) {
        const stopped = scope.signal.aborted;
        const error = stopped ? scope.signal.reason : toServiceError(thrown);
        attempt.ended(error);
        if (stopped) throw error;
        const remaining = scope.remaining();
        const delay = retryDelay({ error, attempts: made, attemptsLeft: allowed - made, remaining });
        if (delay === null || !passage.mayRetry()) return { made, error };
        await sleep(delay, scope.signal);
        // Others may have found out meanwhile that it is not working.
        if (!passage.mayRetry()) return { made, error };
      }
    }
  } finally {
    passage.close();
  }
}

function leftAlone({ provider, model }: Target, waitMs: number): ProviderError {
  const names = `The model ${JSON.stringify(model)} of the provider ${JSON.stringify(provider)}`;
  const message = `${names} failed repeatedly and is left alone for a moment.`;
  return new ProviderError('provider_unavailable', message, { waitMs, worthRetrying: false });
}

function fallbackWarnings(
  failures: ReadonlyMap<Target, ServiceError>,
  answering: Target,
): readonly Warning[] {
  const failed = [...failures].filter(([target]) => target !== answering);
  if (failed.length === 0) return [];
  const each = failed.map(([{ provider, model }, { code }]) => `${model} of ${provider} failed (${code})`);
  const message = `${each.join(', ')}; ${answering.model} of ${answering.provider} answered instead.`;
  return [{ code: 'fallback_used', message, param: 'model' }];
}
