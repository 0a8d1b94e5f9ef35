import type { ServerResponse } from 'node:http';
import type { ErrorObject } from '../../generated/types.gen.ts';
import type { Framing } from '../contract/registry.ts';
import { drained, endInTime } from './slow-reader.ts';

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // nginx would otherwise collect the events before it passes them on.
  'x-accel-buffering': 'no',
};

export interface StreamOptions {
  /** Milliseconds of silence after which a comment line keeps the connection open. */
  readonly heartbeatMs: number;
  /** The same on foreign interfaces, whose clients complain sooner: also before the first byte of an answer. */
  readonly pingMs: number;
  /** Milliseconds that a reader may take nothing at all before it is given up. */
  readonly writeTimeoutMs: number;
}

type StreamEvent = { readonly type: string; readonly seq?: unknown; readonly error?: ErrorObject };

/** How one stream is written, beyond what holds for all. */
export interface WriteOptions extends StreamOptions {
  readonly framing?: Framing | undefined;
  /** What a reader is told who is given up; it still gets it if it reads on in time. */
  readonly tooSlow?: (() => StreamEvent) | undefined;
  /** What the client is told of a failure; null: the contract of the stream has no error event. */
  readonly describe: ((thrown: unknown) => ErrorObject) | null;
  /** Holds an event against the contract. Throws for one that does not fit. */
  readonly check?: ((event: StreamEvent) => void) | undefined;
}

/**
 * Writes events as Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html): the event's
 * type, then one line of JSON. Takes the next event only when the connection has room for it. A stream that breaks off
 * gets its terminal event here: one `error`, after which nothing comes. Returns when the events are written or the
 * reader is gone. Throws what the events throw where there is no error event, for the connection to be cut.
 */
export async function writeEvents(
  res: ServerResponse,
  events: AsyncIterable<StreamEvent>,
  { heartbeatMs, writeTimeoutMs, framing = 'named', tooSlow, describe, check }: WriteOptions,
): Promise<void> {
  const heartbeat = setInterval(() => {
    if (framing.startsWith('named') && !res.writableNeedDrain) res.write(': ping\n\n');
  }, heartbeatMs);
  const write = (event: StreamEvent) => {
    check?.(event);
    return res.write(onWire(event, framing));
  };
  try {
    for await (const event of events) {
      if (res.destroyed) return;
      heartbeat.refresh();
      if (write(event) || (await drained(res, writeTimeoutMs))) continue;
      if (tooSlow) write(tooSlow());
      else res.destroy();
      break;
    }
  } catch (thrown) {
    if (describe === null) throw thrown;
    const error = describe(thrown);
    if (!res.destroyed) write({ type: 'error', error });
  } finally {
    clearInterval(heartbeat);
  }
  if (res.writableNeedDrain) endInTime(res, writeTimeoutMs);
  res.end();
}

function onWire(event: StreamEvent, framing: Framing): string {
  const data = `data: ${JSON.stringify(event)}\n\n`;
  const name = framing.startsWith('named') ? `event: ${event.type}\n` : '';
  const id = framing.endsWith('numbered') && typeof event.seq === 'number' ? `id: ${event.seq}\n` : '';
  return id + name + data;
}
