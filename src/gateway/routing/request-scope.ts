import { ServiceError } from '../../contract/errors.ts';
import { durationInWords } from '../../lib/duration-in-words.ts';

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
