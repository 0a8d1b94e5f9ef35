import { ServiceError } from '../../contract/errors.ts';
import {
  type AnswerEnding,
  answerAttributes,
  genAi,
  operationName,
  providerName,
} from '../../lib/gen-ai-conventions.ts';
import { activeTracer, beginSpan, currentSpan, type Span } from '../../lib/trace.ts';
import type { AskedFor, Attempt } from '../../model/port.ts';
import { ProviderError } from '../upstream/provider-error.ts';
import type { Passage } from './breakers.ts';
import type { Target } from './catalogue.ts';

/** An attempt that has begun: tells the breaker and the log how it went. */
export interface RunningAttempt {
  /** Null while nothing is traced. */
  readonly span: Span | null;
  /** The provider has begun to answer. */
  answered(): void;
  /** @param ending how the answer ended, where somebody has read it */
  succeeded(ending?: AnswerEnding | null): void;
  /** It ended with what was thrown; anything but a `ServiceError` means that it was given up. */
  ended(thrown: unknown): void;
}

function spanOf(provider: string, model: string, asked: AskedFor | undefined): Span | null {
  if (activeTracer() === null) return null;
  const operation = operationName(currentSpan()?.operation ?? null);
  return beginSpan(`${operation} ${model}`, 'client', () => ({
    [genAi.operation]: operation,
    [genAi.provider]: providerName(provider),
    [genAi.requestModel]: model,
    [genAi.stream]: asked?.streaming || undefined,
    [genAi.maxTokens]: asked?.maxTokens,
    [genAi.temperature]: asked?.temperature,
    [genAi.topP]: asked?.topP,
    'switchyard.provider': provider,
  }));
}

export type OnAttempt = ((attempt: Attempt) => void) | undefined;

export function beginAttempt(
  { provider, model }: Target,
  passage: Passage,
  onAttempt: OnAttempt,
  asked: AskedFor | undefined,
): RunningAttempt {
  const startedAt = performance.now();
  const span = spanOf(provider, model, asked);
  let answering = false;

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
    if (answering) return;
    answering = true;
    passage.answered();
    if (asked?.streaming) span?.set({ [genAi.timeToFirstChunk]: (performance.now() - startedAt) / 1000 });
  };

  return {
    span,
    answered,
    succeeded(ending = null) {
      answered();
      report('succeeded', null);
      if (span && ending) span.set(answerAttributes(ending));
      span?.end();
    },
    ended(thrown) {
      if (thrown instanceof ProviderError) passage.failed(thrown);
      const error = thrown instanceof ServiceError ? thrown : null;
      report(error ? 'failed' : 'cancelled', error);
      if (error instanceof ProviderError && error.status !== null)
        span?.set({ 'http.response.status_code': error.status });
      span?.end(error?.code ?? 'cancelled');
    },
  };
}

/** Reports an attempt that was not made because the breaker refused it. */
export function reportSkipped({ provider, model }: Target, error: ServiceError, onAttempt: OnAttempt): void {
  onAttempt?.({ provider, model, outcome: 'skipped', errorCode: error.code, status: null, durationMs: 0 });
}
