import type { Warning } from '../../../generated/types.gen.ts';
import { ServiceError, toServiceError } from '../../contract/errors.ts';
import {
  type AnswerEnding,
  answerAttributes,
  genAi,
  operationName,
  providerName,
} from '../../lib/gen-ai-conventions.ts';
import { sleep } from '../../lib/timers.ts';
import { activeTracer, beginSpan, currentSpan, inSpan, type Span } from '../../lib/trace.ts';
import { durationInWords } from '../../lib/utc.ts';
import type { AskedFor, Attempt } from '../../model/port.ts';
import { ProviderError } from '../upstream/provider-error.ts';
import type { Asking, Breakers, Passage } from './breakers.ts';
import type { Route, Target } from './catalogue.ts';
import { mayFallBack, mostTelling, retryDelay, withAttemptsSpent } from './retry.ts';

/** A vendor as attempts see it. */
export interface Provider {
  readonly breakers: Breakers;
}

/** A request in the terms of one vendor. It may be sent more than once. */
export interface Prepared<Result> {
  /** What was adapted to fit the model. */
  readonly warnings: readonly Warning[];
  send(attempt: AttemptScope): Promise<Result>;
}

/** What one attempt goes by. */
export interface AttemptScope {
  readonly signal: AbortSignal;
  /** Milliseconds that may be spent on it where no other provider is left to ask; else 0. */
  readonly patienceMs: number;
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
    const last = index === route.targets.length - 1;
    const { made, answered, error } = await askTarget(options, provider, target, { allowed, last });
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
  { allowed, last }: { readonly allowed: number; readonly last: boolean },
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
        const within = { signal: scope.signal, patienceMs: last ? scope.remaining() : 0 };
        const result = await (span ? inSpan(span, () => prepared.send(within)) : prepared.send(within));
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

type OnAttempt = ((attempt: Attempt) => void) | undefined;

function beginAttempt(
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
function reportSkipped({ provider, model }: Target, error: ServiceError, onAttempt: OnAttempt): void {
  onAttempt?.({ provider, model, outcome: 'skipped', errorCode: error.code, status: null, durationMs: 0 });
}

/** What all attempts of one request share: its deadline and the client's wish to go on. */
export interface RequestScope {
  /** Aborted when the client gives up, with its reason, and when the deadline passes, with the error of that. */
  readonly signal: AbortSignal;
  /** Milliseconds until the deadline. */
  remaining(): number;
  /** Stops whatever still runs. */
  abort(reason: unknown): void;
  /** Lets go of the timer and of the client's signal. To be called when the request is over. */
  release(): void;
}

/** One controller for the whole request: cheaper than `AbortSignal.any`, and nothing is left on the client's signal. */
export function createRequestScope(client: AbortSignal, totalMs: number): RequestScope {
  const controller = new AbortController();
  const deadline = performance.now() + totalMs;
  const stop = () => controller.abort(client.reason);
  const timer = setTimeout(() => controller.abort(tooLong(totalMs)), totalMs);
  if (client.aborted) stop();
  else client.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    remaining: () => deadline - performance.now(),
    abort: (reason) => controller.abort(reason),
    release() {
      clearTimeout(timer);
      client.removeEventListener('abort', stop);
    },
  };
}

function tooLong(totalMs: number): ServiceError {
  const message = `The request took longer than the ${durationInWords(totalMs)} that it may take in all, retries and fallbacks included.`;
  return new ServiceError('provider_total_timeout', message);
}
