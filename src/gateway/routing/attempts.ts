import type { Warning } from '../../../generated/types.gen.ts';
import { ServiceError, toServiceError } from '../../contract/errors.ts';
import { type AnswerEnding, answerAttributes, genAi } from '../../lib/gen-ai-conventions.ts';
import { sleep } from '../../lib/timers.ts';
import { activeTracer, inSpan, type Span } from '../../lib/trace.ts';
import { durationInWords } from '../../lib/utc.ts';
import type { AskedFor, Attempt } from '../../model/port.ts';
import { ProviderError } from '../upstream/provider-error.ts';
import type { Asking, Breakers, Passage } from './breakers.ts';
import type { Route, Target } from './catalogue.ts';
import { leftAlone, mayFallBack, mostTelling, retryDelay, withAttemptsSpent } from './retry.ts';
import { spanOf } from './span-contents.ts';

/** A vendor as attempts see it. */
export interface Provider {
  readonly breakers: Breakers;
}

/** A request in the terms of one vendor. It may be sent more than once. */
export interface Prepared<Result> {
  /** The adaptations to the model. */
  readonly warnings: readonly Warning[];
  send(attempt: AttemptScope): Promise<Result>;
}

/** The context of one attempt. */
export interface AttemptScope {
  readonly signal: AbortSignal;
  /** Milliseconds that may be spent on it where no other provider is left to ask; else 0. */
  readonly patienceMs: number;
}

export interface AttemptsOptions<Result, P extends Provider> {
  readonly route: Route;
  /** Of all attempts together; it is released where none answers, else by whoever has the answer. */
  readonly scope: RequestScope;
  readonly providers: ReadonlyMap<string, P>;
  /** Maximum number of attempts, over all targets together. Each target after the first is kept one. */
  readonly maxAttempts: number;
  readonly onAttempt: OnAttempt;
  /** For the breakers: the ability that is asked for, and the tenant. */
  readonly asking: Asking;
  /** For spans, where there are any. */
  readonly asked: AskedFor | undefined;
  /** Throws `ServiceError` for what the model cannot be asked. */
  readonly prepare: (provider: P, target: Target) => Prepared<Result>;
}

export interface Answer<Result> {
  readonly provider: string;
  /** The provider's own name of the model that answered. */
  readonly model: string;
  /** The adaptations to the model, and earlier failures. */
  readonly warnings: readonly Warning[];
  readonly result: Result;
  /** Still waits for its outcome. */
  readonly attempt: RunningAttempt;
  readonly scope: RequestScope;
}

/**
 * Tries the targets in turn, each with retries, until one answers. Throws the most telling `ServiceError` when none
 * does, and the reason of the scope's signal as soon as that is aborted.
 */
export async function firstAnswer<Result, P extends Provider>(
  options: AttemptsOptions<Result, P>,
): Promise<Answer<Result>> {
  const { route, providers, maxAttempts, scope } = options;
  const { targets } = route;
  const failures: Failed[] = [];
  let left = maxAttempts;
  try {
    for (let index = 0; index < targets.length && left > 0; index += 1) {
      const target = targets[index] as Target;
      const provider = providers.get(target.provider);
      if (!provider) throw new Error(`There is no adapter for the provider "${target.provider}".`);
      const others = targets.length - index - 1;
      // Each fallback is kept one.
      const tried = await askTarget(options, provider, target, Math.max(1, left - others), others === 0);
      if (!('made' in tried))
        return failures.length === 0
          ? tried
          : { ...tried, warnings: [...tried.warnings, fallbackWarning(failures, target)] };
      failures.push(tried);
      left -= tried.made;
      if (!mayFallBack(tried.error)) break;
    }
    const telling = mostTelling(failures.map(({ error }) => error));
    const repeated = failures.some(({ made, error }) => made > 1 && error === telling);
    throw repeated || (left <= 0 && maxAttempts > 1) ? withAttemptsSpent(telling) : telling;
  } catch (error) {
    scope.release();
    throw error;
  }
}

interface Failed {
  readonly target: Target;
  /** Attempts, none where it cannot be asked or is left alone. */
  readonly made: number;
  readonly error: ServiceError;
}

/**
 * Tries one target, with retries. Throws the reason of the scope's signal.
 * @param allowed maximum number of attempts
 * @param last whether no other target is left
 */
async function askTarget<Result, P extends Provider>(
  { route, scope, asking, asked, onAttempt, prepare }: AttemptsOptions<Result, P>,
  provider: P,
  target: Target,
  allowed: number,
  last: boolean,
): Promise<Answer<Result> | Failed> {
  let prepared: Prepared<Result>;
  try {
    prepared = prepare(provider, target);
  } catch (error) {
    return { target, made: 0, error: toServiceError(error) };
  }
  const passage = provider.breakers.enter(target.model, asking.ability, asking.of);
  if (typeof passage === 'number') {
    const error = leftAlone(target, passage);
    reportSkipped(target, error, onAttempt);
    return { target, made: 0, error };
  }
  try {
    for (let made = 1; ; made += 1) {
      const attempt = new RunningAttempt(target, passage, onAttempt, asked);
      try {
        const { span } = attempt;
        const within = { signal: scope.signal, patienceMs: last ? scope.remaining() : 0 };
        const result = await (span ? inSpan(span, () => prepared.send(within)) : prepared.send(within));
        attempt.answered();
        const { provider, model } = target;
        const warnings = joined(route.warnings, prepared.warnings);
        return { provider, model, warnings, result, attempt, scope };
      } catch (thrown) {
        const stopped = scope.signal.aborted;
        const error = stopped ? scope.signal.reason : toServiceError(thrown);
        attempt.ended(error);
        if (stopped) throw error;
        const remaining = scope.remaining();
        const delay = retryDelay({ error, attempts: made, attemptsLeft: allowed - made, remaining });
        if (delay === null || !passage.mayRetry()) return { target, made, error };
        await sleep(delay, scope.signal);
        // Others may have found out meanwhile that it is not working.
        if (!passage.mayRetry()) return { target, made, error };
      }
    }
  } finally {
    passage.close();
  }
}

const joined = (one: readonly Warning[], other: readonly Warning[]) =>
  one.length === 0 ? other : other.length === 0 ? one : [...one, ...other];

function fallbackWarning(failures: readonly Failed[], answering: Target): Warning {
  const each = failures.map(
    ({ target: { provider, model }, error }) => `${model} of ${provider} failed (${error.code})`,
  );
  const message = `${each.join(', ')}; ${answering.model} of ${answering.provider} answered instead.`;
  return { code: 'fallback_used', message, param: 'model' };
}

type OnAttempt = ((attempt: Attempt) => void) | undefined;

/** An attempt that has begun: reports to the breaker and the log how it went. */
export class RunningAttempt {
  /** Null while nothing is traced. */
  readonly span: Span | null;
  readonly #target: Target;
  readonly #passage: Passage;
  readonly #onAttempt: OnAttempt;
  readonly #asked: AskedFor | undefined;
  readonly #startedAt = performance.now();
  #answering = false;

  constructor(target: Target, passage: Passage, onAttempt: OnAttempt, asked: AskedFor | undefined) {
    this.#target = target;
    this.#passage = passage;
    this.#onAttempt = onAttempt;
    this.#asked = asked;
    this.span = activeTracer() && spanOf(target.provider, target.model, asked);
  }

  /** The provider has begun to answer. */
  answered(): void {
    if (this.#answering) return;
    this.#answering = true;
    this.#passage.answered();
    if (this.#asked?.streaming)
      this.span?.set({ [genAi.timeToFirstChunk]: (performance.now() - this.#startedAt) / 1000 });
  }

  /** @param ending how the answer ended, where it has been read */
  succeeded(ending: AnswerEnding | null = null): void {
    this.answered();
    this.#report('succeeded', null);
    if (this.span && ending) this.span.set(answerAttributes(ending));
    this.span?.end();
  }

  /** It ended with what was thrown; anything but a `ServiceError` means that it was given up. */
  ended(thrown: unknown): void {
    if (thrown instanceof ProviderError) this.#passage.failed(thrown);
    const error = thrown instanceof ServiceError ? thrown : null;
    this.#report(error ? 'failed' : 'cancelled', error);
    if (error instanceof ProviderError && error.status !== null)
      this.span?.set({ 'http.response.status_code': error.status });
    this.span?.end(error?.code ?? 'cancelled');
  }

  #report(outcome: Attempt['outcome'], error: ServiceError | null): void {
    const { provider, model } = this.#target;
    this.#onAttempt?.({
      provider,
      model,
      outcome,
      errorCode: error?.code ?? null,
      status: error instanceof ProviderError ? error.status : null,
      durationMs: performance.now() - this.#startedAt,
    });
  }
}

/** Reports an attempt that was not made because the breaker refused it. */
function reportSkipped({ provider, model }: Target, error: ServiceError, onAttempt: OnAttempt): void {
  onAttempt?.({ provider, model, outcome: 'skipped', errorCode: error.code, status: null, durationMs: 0 });
}

/**
 * The scope that all attempts of one request share: its deadline and the client's abort. One controller for the whole
 * request is cheaper than `AbortSignal.any`, and nothing is left on the client's signal.
 */
export class RequestScope {
  readonly #controller = new AbortController();
  readonly #client: AbortSignal;
  readonly #deadline: number;
  readonly #timer: NodeJS.Timeout;
  readonly #stop = () => this.#controller.abort(this.#client.reason);
  readonly #onRelease: (() => void) | undefined;
  #released = false;

  /**
   * @param totalMs how long the request may take in all, in milliseconds
   * @param onRelease called once
   */
  constructor(client: AbortSignal, totalMs: number, onRelease?: () => void) {
    this.#client = client;
    this.#onRelease = onRelease;
    this.#deadline = performance.now() + totalMs;
    this.#timer = setTimeout(expire, totalMs, this, totalMs);
    if (client.aborted) this.#stop();
    else client.addEventListener('abort', this.#stop, once);
  }

  /** Aborted when the client gives up, with its reason, and when the deadline passes, with the error of that. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Milliseconds until the deadline. */
  remaining(): number {
    return this.#deadline - performance.now();
  }

  /** Stops whatever still runs. */
  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Lets go of the timer and of the client's signal. To be called when the request is over. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    clearTimeout(this.#timer);
    this.#client.removeEventListener('abort', this.#stop);
    this.#onRelease?.();
  }
}

const once = { once: true };

function expire(scope: RequestScope, totalMs: number): void {
  scope.abort(tooLong(totalMs));
}

function tooLong(totalMs: number): ServiceError {
  const message = `The request took longer than the ${durationInWords(totalMs)} that it may take in all, retries and fallbacks included.`;
  return new ServiceError('provider_total_timeout', message);
}
