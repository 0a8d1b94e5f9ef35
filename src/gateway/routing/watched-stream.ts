import { toServiceError } from '../../contract/errors.ts';
import { activeTracer, type Span } from '../../lib/trace.ts';
import type { CompletionEvent, CompletionStream } from '../../model/port.ts';
import { ProviderError } from '../upstream/provider-error.ts';
import type { RequestScope, RunningAttempt } from './attempts.ts';
import { tellStreamed } from './span-contents.ts';

const done = { value: undefined, done: true } as const;

/**
 * The stream of a request, tied to the request's scope: however it ends, the scope is released and the attempt gets its outcome.
 * A stream that stops without an `end` event throws, whatever the adapter made of it.
 */
export function watchStream(
  inner: CompletionStream,
  scope: RequestScope,
  attempt: Pick<RunningAttempt, 'span' | 'succeeded' | 'ended'>,
): CompletionStream {
  let over = false;
  /** The text so far, where it is wanted in the span. */
  let text = attempt.span && activeTracer()?.contents ? '' : null;

  const fail = (thrown: unknown) => {
    if (over) return;
    over = true;
    scope.release();
    attempt.ended(thrown);
  };

  const passed = (event: CompletionEvent) => {
    if (text !== null && event.type === 'delta') text += event.content;
    if (event.type !== 'end') return;
    over = true;
    if (text !== null) tellStreamed(attempt.span as Span, text);
    scope.release();
    attempt.succeeded(event);
  };

  const stream: CompletionStream = {
    [Symbol.asyncIterator]: () => stream,
    async next() {
      if (over) return done;
      try {
        const result = await inner.next();
        // `return` was called meanwhile.
        if (over) return done;
        if (result.done) throw stopped();
        passed(result.value);
        return result;
      } catch (thrown) {
        if (over) return done;
        const error: unknown = scope.signal.aborted ? scope.signal.reason : toServiceError(thrown);
        fail(error);
        throw error;
      }
    },
    take() {
      const event = over ? null : inner.take();
      if (event !== null) passed(event);
      return event;
    },
    async return() {
      if (!over) {
        fail(closedByReader);
        scope.abort(closedByReader);
        await inner.return();
      }
      return done;
    },
  };
  return stream;
}

const closedByReader = new Error('The reader of the stream closed it.');

function stopped(): ProviderError {
  return new ProviderError('provider_stream_interrupted', 'The answer broke off without an end.', {
    outage: true,
  });
}
