import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RawAnswer {
  /** Statuses of the answers that came, in their order. */
  readonly statuses: readonly number[];
  readonly text: string;
  /** Whether the server closed the connection within the time. */
  readonly closed: boolean;
}

/**
 * Sends bytes as they are and gathers what comes back, until the server closes, `enough` answers have come, or the time
 * is over. Resolves also where the connection is refused.
 */
export async function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  { waitMs = 8_000, enough = 1 } = {},
): Promise<RawAnswer> {
  const socket = connect({ host: '127.0.0.1', port });
  let text = '';
  let closed = false;
  const done = Promise.withResolvers<void>();
  socket.setEncoding('latin1');
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
    done.resolve();
  });
  socket.on('data', (chunk) => {
    text += chunk;
    if (statusesIn(text).filter((status) => status >= 200).length >= enough) done.resolve();
  });
  socket.write(bytes);
  await Promise.race([done.promise, sleep(waitMs, undefined, { ref: false })]);
  socket.destroy();
  return { statuses: statusesIn(text), text, closed };
}

/** A connection that is held and does nothing more. */
export function holdRaw(port: number, bytes: string): Socket {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined);
  if (bytes !== '') socket.write(bytes);
  return socket;
}

export function statusesIn(text: string): number[] {
  // Not at the start of a line: an answer's body does not end with one.
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
