import type { IncomingMessage } from 'node:http';
import type { OperationInfo } from '../../generated/operations.gen.ts';
import { ServiceError } from '../contract/errors.ts';
import type { OperationId, Principal } from '../contract/registry.ts';
import { type AnswerOperation, scopesOf } from './dispatcher.ts';
import type { Exchange } from './exchange.ts';
import { type Upgrade, upgradeOf } from './upgrade.ts';

/** The operation whose requests also come as messages of a socket. */
export const socketOperation: OperationId = 'createResponse';

/** A request for a socket, of a caller that may have one. */
export interface Handshake {
  readonly req: IncomingMessage;
  readonly upgrade: Upgrade;
  readonly principal: Principal;
  readonly requestId: string;
}

/** The sockets of a server. */
export interface Sockets {
  /** Throws `ServiceError('websocket_unsupported')` where as many are open as may be, in all or of this caller. */
  admit(principal: Principal): void;
  /**
   * Answers a handshake with 101.
   * @returns whether its connection was still there
   */
  open(handshake: Handshake): boolean;
}

/**
 * A caller that may send a request of an operation may open a socket for many: the handshake is authenticated like such a
 * request, and each message becomes one.
 */
export function withSockets(
  { security }: OperationInfo,
  sockets: Sockets,
  answer: AnswerOperation,
): AnswerOperation {
  const requireScopes = scopesOf(security);
  return async (call) => {
    const { context, exchange } = call;
    const upgrade = upgradeOf(context.req);
    if (upgrade === null) return answer(call);
    const { principal, requestId } = exchange;
    requireScopes(principal);
    requireHandshake(context.req);
    if (principal === null) throw new Error('A socket was asked for without a caller.');
    admit(sockets, principal, exchange);
    const { req, res } = context;
    context.respond = false;
    res.detachSocket(upgrade.socket);
    res.statusCode = 101;
    // The exchange ends here; the socket stays open.
    exchange.brokenOff = sockets.open({ req, upgrade, principal, requestId });
    res.emit('close');
  };
}

/** A refusal is no reply of the operation's. Throws `ServiceError('websocket_unsupported')`. */
function admit(sockets: Sockets, principal: Principal, exchange: Exchange): void {
  const { operation } = exchange;
  exchange.operation = null;
  sockets.admit(principal);
  exchange.operation = operation;
}

/** Throws `ServiceError('malformed_request')` for what is no handshake (RFC 6455, section 4.2.1). */
function requireHandshake({ headers }: IncomingMessage): void {
  const version = headers['sec-websocket-version'];
  if (version !== '13')
    throw new ServiceError('malformed_request', 'The Sec-WebSocket-Version must be 13.', {
      headers: { 'sec-websocket-version': '13' },
    });
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? ''))
    throw new ServiceError('malformed_request', 'The Sec-WebSocket-Key must be 16 bytes in base64.');
}
