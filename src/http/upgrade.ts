import type { IncomingMessage, ServerResponse as Reply } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../contract/errors.ts';

// As in `listen.ts`: an import would load an HTTP client for nothing.
const { ServerResponse } = process.getBuiltinModule('node:http');

/** The connection of a request for a WebSocket, of which Node.js has let go. */
export interface Upgrade {
  readonly socket: Socket;
  /** The bytes after the head of the request. */
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Whether a request asks for a WebSocket (RFC 6455, section 4.1). */
export function asksForWebSocket({ headers: { upgrade } }: Pick<IncomingMessage, 'headers'>): boolean {
  return upgrade !== undefined && /(?:^|,)\s*websocket\s*(?:,|$)/i.test(upgrade);
}

/** Why a request gets no WebSocket. Its client falls back to HTTP at once. */
export function noWebSocket(message: string): ServiceError {
  return new ServiceError('websocket_unsupported', message, {
    headers: { upgrade: 'HTTP/1.1', connection: 'close' },
  });
}

/** Null: the request asks for none, or this server has none. */
export function upgradeOf(req: IncomingMessage): Upgrade | null {
  return upgrades.get(req) ?? null;
}

/** The reply to a request for a WebSocket, which is written, where it is refused, on its connection like any other, and ends that. */
export function replyToUpgrade(req: IncomingMessage, socket: Socket, head: Buffer): Reply {
  upgrades.set(req, { socket, head });
  // Node.js has released it, so its errors have no other listener.
  socket.on('error', () => socket.destroy());
  const reply = new ServerResponse(req);
  reply.shouldKeepAlive = false;
  reply.assignSocket(socket);
  reply.once('finish', () => socket.destroySoon());
  return reply;
}
