import type { Warning } from '../../generated/types.gen.ts';
import { type ServiceError, toServiceError } from '../contract/errors.ts';
import { sleep } from '../lib/sleep.ts';
import { inSpan } from '../lib/trace.ts';
import { beginAttempt, type OnAttempt, type RunningAttempt, reportSkipped } from './attempt.ts';
import type { Breakers } from './breaker.ts';
import type { Route, Target } from './catalogue.ts';
import type { AskedFor } from './port.ts';
import { ProviderError } from './provider-error.ts';
import type { RequestScope } from './request-scope.ts';
import { mayFallBack, mostTelling, retryDelay } from './retry.ts';

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
  const { route, scope, providers, maxAttempts, onAttempt, asked, prepare } = options;
  let failures = noFailures;
  const failed = (target: Target, error: ServiceError) => {
    failures = new Map(failures).set(target, error);
  };
  let made = 0;

  for (const [index, target] of route.targets.entries()) {
    const provider = providers.get(target.provider);
    if (!provider) throw new Error(`There is no adapter for the provider "${target.provider}".`);
    const breaker = provider.breakers.of(target.model);
    const fallbacksLeft = route.targets.length - index - 1;
    let prepared: Prepared<Result> | null = null;

    for (let attempts = 1; made < maxAttempts; attempts += 1) {
      try {
        prepared ??= prepare(provider, target);
      } catch (error) {
        failed(target, toServiceError(error));
        break;
      }
      const pass = breaker.enter();
      if (!pass) {
        const error = leftAlone(target, breaker.waitMs());
        failed(target, error);
        reportSkipped(target, error, onAttempt);
        break;
      }

      made += 1;
      const attempt = beginAttempt(target, breaker, pass, onAttempt, asked);
      try {
        const sending = prepared;
        const { span } = attempt;
        const result = await (span
          ? inSpan(span, () => sending.send(scope.signal))
          : sending.send(scope.signal));
        attempt.answered();
        const { provider, model } = target;
        const warnings = [...route.warnings, ...prepared.warnings, ...fallbackWarnings(failures, target)];
        return { provider, model, warnings, result, attempt };
      } catch (thrown) {
        const stopped = scope.signal.aborted;
        const error = stopped ? scope.signal.reason : toServiceError(thrown);
        attempt.ended(error);
        if (stopped) throw error;
        failed(target, error);
        const attemptsLeft = maxAttempts - made - fallbacksLeft;
        const remaining = scope.remaining();
        const delay = retryDelay({ error, attempts, attemptsLeft, remaining });
        if (delay === null) break;
        await sleep(delay, scope.signal);
      }
    }
    const failure = failures.get(target);
    if (failure && !mayFallBack(failure)) break;
  }
  throw mostTelling([...failures.values()]);
}

const noFailures: ReadonlyMap<Target, ServiceError> = new Map();

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
