import type { ServerResponse } from 'node:http';
import type { Framing } from '../contract/registry.ts';

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // nginx would otherwise collect the events before it passes them on.
  'x-accel-buffering': 'no',
};

export interface StreamOptions {
  /** Milliseconds of silence after which a comment line keeps the connection open. */
  readonly heartbeatMs: number;
  /** Milliseconds that a reader may take nothing at all before it is given up. */
  readonly writeTimeoutMs: number;
}

type StreamEvent = { readonly type: string; readonly seq?: unknown };

/** How one stream is written, beyond what holds for all. */
interface WriteOptions extends StreamOptions {
  readonly framing?: Framing | undefined;
}

/**
 * Writes events as Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html): the event's
 * type, then one line of JSON. Takes the next event only when the connection has room for it. Returns when the events
 * are written or the reader is gone; throws what the events throw.
 */
export async function writeEvents(
  res: ServerResponse,
  events: AsyncIterable<StreamEvent>,
  { heartbeatMs, writeTimeoutMs, framing = 'named' }: WriteOptions,
): Promise<void> {
  const heartbeat = setInterval(() => {
    if (!res.writableNeedDrain) res.write(': ping\n\n');
  }, heartbeatMs);
  try {
    for await (const event of events) {
      if (res.destroyed) return;
      heartbeat.refresh();
      if (!res.write(onWire(event, framing))) await drained(res, writeTimeoutMs);
    }
    res.end();
  } finally {
    clearInterval(heartbeat);
  }
}

function onWire(event: StreamEvent, framing: Framing): string {
  const id = framing === 'named-numbered' && typeof event.seq === 'number' ? `id: ${event.seq}\n` : '';
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Resolves when the reader has caught up or is gone, and gives a reader up that takes nothing for too long. */
function drained(res: ServerResponse, timeoutMs: number): Promise<void> {
  return new Promise((fulfil) => {
    const deadline = setTimeout(() => res.destroy(), timeoutMs);
    const done = () => {
      clearTimeout(deadline);
      res.off('drain', done);
      res.off('close', done);
      fulfil();
    };
    res.on('drain', done);
    res.on('close', done);
    if (res.destroyed) done();
  });
}
