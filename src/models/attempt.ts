import { ServiceError } from '../contract/errors.ts';
import type { Breaker, Pass } from './breaker.ts';
import type { Target } from './catalogue.ts';
import type { Attempt } from './port.ts';
import { ProviderError } from './provider-error.ts';

/** An attempt that has begun: tells the breaker and the log how it went. */
export interface RunningAttempt {
  /** The provider has begun to answer. */
  answered(): void;
  succeeded(): void;
  /** It ended with what was thrown; anything but a `ServiceError` means that it was given up. */
  ended(thrown: unknown): void;
}

export type OnAttempt = ((attempt: Attempt) => void) | undefined;

export function beginAttempt(
  { provider, model }: Target,
  breaker: Breaker,
  pass: Pass,
  onAttempt: OnAttempt,
): RunningAttempt {
  const startedAt = performance.now();
  let judged = false;

  const report = (outcome: Attempt['outcome'], error: ServiceError | null) =>
    onAttempt?.({
      provider,
      model,
      outcome,
      errorCode: error?.code ?? null,
      status: error instanceof ProviderError ? error.status : null,
      durationMs: performance.now() - startedAt,
    });

  const answered = () => {
    if (!judged) breaker.leave(pass, 'alive');
    judged = true;
  };

  return {
    answered,
    succeeded() {
      answered();
      report('succeeded', null);
    },
    ended(thrown) {
      if (thrown instanceof ProviderError)
        breaker.leave(pass, thrown.outage ? 'outage' : 'alive', thrown.waitMs);
      else if (!judged) breaker.leave(pass, 'unknown');
      report(
        thrown instanceof ServiceError ? 'failed' : 'cancelled',
        thrown instanceof ServiceError ? thrown : null,
      );
    },
  };
}

/** Reports an attempt that was not made because the breaker refused it. */
export function reportSkipped({ provider, model }: Target, error: ServiceError, onAttempt: OnAttempt): void {
  onAttempt?.({ provider, model, outcome: 'skipped', errorCode: error.code, status: null, durationMs: 0 });
}
