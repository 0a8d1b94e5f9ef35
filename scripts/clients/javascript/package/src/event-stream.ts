import { errorOf, StreamInterruptedError } from './errors.js';
import type { ErrorObject } from './types.gen.js';

/** What every event of every stream has. */
interface AnyEvent {
  readonly type: string;
  readonly final?: boolean;
  readonly error?: ErrorObject;
}

/**
 * The events of a stream as they arrive. Ends after the last event of the contract: throws `SwitchyardError` for an
 * `error` event, and `StreamInterruptedError` when the stream ends without any. Leaving the loop closes the connection.
 */
export async function* readEvents<Event>(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Event, void, undefined> {
  for await (const data of dataOf(body)) {
    const event = JSON.parse(data) as AnyEvent;
    if (event.type === 'error' && event.error) {
      throw errorOf(200, { error: event.error }, new Headers());
    }
    yield event as Event;
    if (event.type === 'end' || event.final === true) return;
  }
  throw new StreamInterruptedError();
}

/** The `data` of each event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
async function* dataOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
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
