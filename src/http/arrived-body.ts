import type { IncomingMessage } from 'node:http';

/**
 * The body of a request of which every byte is there, as it is for most that are small: they come with the head, in one packet. Null
 * for any other, which is to be read by its events, with five listeners that come and go.
 *
 * `req.complete` does not tell: Node.js sets it a turn of the event loop after the last byte.
 */
export function arrivedBody(req: IncomingMessage): Buffer | null {
  if (req.readableFlowing !== null || req.readableLength === 0) return null;
  return Number(req.headers['content-length']) === req.readableLength ? (req.read() as Buffer | null) : null;
}
