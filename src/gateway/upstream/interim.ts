import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** Maximum number of bytes of interim responses before a reply: beyond it undici gets what there is, and refuses it. */
const maxBytes = 64 * 1024;

/**
 * The connections of `connect`, without the interim responses (1xx) that vendors and their proxies send, which a client
 * has to be able to skip also when it has not asked for them (RFC 9110 section 15.2). undici closes the connection at
 * `100 Continue`. `101 Switching Protocols` is no interim response to us: nothing of HTTP follows it.
 */
export function skippingInterim(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error) callback(error, null);
      else callback(null, withoutInterim(socket as Socket));
    });
}

/**
 * undici takes what arrives by `read`. Only between a request and the first bytes of its reply can there be an interim
 * response; later the same bytes are part of a body.
 */
function withoutInterim(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let beforeReply = false;
  let held: Buffer | null = null;
  let skipped = 0;
  socket.write = (...args: unknown[]) => {
    beforeReply = true;
    skipped = 0;
    return write(...args);
  };
  socket.read = (size?: number): unknown => {
    const chunk = read(size) as Buffer | null;
    if (!beforeReply || chunk === null) return chunk;
    const received = held ? Buffer.concat([held, chunk]) : chunk;
    const rest = afterInterim(received);
    skipped += received.length - rest.length;
    beforeReply = mayBeInterim(rest) && skipped + rest.length <= maxBytes;
    held = beforeReply && rest.length > 0 ? rest : null;
    return beforeReply ? null : rest;
  };
  return socket;
}

/** What follows the interim responses that are whole. */
function afterInterim(received: Buffer): Buffer {
  let rest = received;
  while (mayBeInterim(rest) && rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    rest = rest.subarray(end + 4);
  }
  return rest;
}

/** Whether it is the start of an interim response, or may still become one. */
function mayBeInterim(received: Buffer): boolean {
  const start = received.toString('latin1', 0, 12);
  const pattern = 'HTTP/1.x 1xx';
  for (let at = 0; at < start.length; at += 1) {
    const [given = '', expected] = [start[at], pattern[at]];
    if (expected === 'x' ? !/\d/.test(given) : given !== expected) return false;
  }
  return start.slice(9) !== '101';
}
