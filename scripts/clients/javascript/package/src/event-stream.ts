import { Deadline } from './deadline.js';
import { errorOf, StreamInterruptedError } from './errors.js';
import type { ErrorObject } from './types.gen.js';

/** What every event of every stream has. */
interface AnyEvent {
  readonly type: string;
  readonly final?: boolean;
  readonly error?: ErrorObject;
}

/** How a stream is asked for. */
export interface StreamOptions {
  /** Ends the stream. */
  signal?: AbortSignal;
  /** Milliseconds that the stream may be silent, in place of the client's; 0 for no end. Over it: `TimeoutError`. */
  timeout?: number;
}

/**
 * The events of a stream as they arrive. Ends after the last event of the contract: throws `SwitchyardError` for an
 * `error` event, and `StreamInterruptedError` when the stream ends without any. Leaving the loop closes the connection.
 *
 * @param open Asks for the stream.
 */
export async function* readEvents<Event>(
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
  { signal, timeout = 0 }: StreamOptions,
): AsyncGenerator<Event, void, undefined> {
  const silence = new Deadline(timeout, signal);
  try {
    for await (const data of dataOf(await open(silence.signal), silence)) {
      const event = JSON.parse(data) as AnyEvent;
      if (event.type === 'error' && event.error) {
        throw errorOf(200, { error: event.error }, new Headers());
      }
      // The time that the caller takes is not the stream's.
      silence.pause();
      yield event as Event;
      if (event.type === 'end' || event.final === true) return;
      // What is aborted ends at once, however much has arrived.
      silence.signal.throwIfAborted();
      silence.restart();
    }
    throw new StreamInterruptedError();
  } finally {
    silence.end();
  }
}

/** The `data` of each event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
async function* dataOf(
  body: ReadableStream<Uint8Array>,
  silence: Deadline,
): AsyncGenerator<string, void, undefined> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw silence.signal.aborted ? silence.signal.reason : new StreamInterruptedError({ cause });
      });
      if (done) return;
      silence.restart();
      const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0) yield data.join('\n');
          data = [];
        } else if (line.startsWith('data:')) {
          data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
