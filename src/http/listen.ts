import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../contract/errors.ts';
import { ConfigError } from '../lib/config-error.ts';
import type { Lifecycle } from '../lib/health-checks.ts';
import { ulid } from '../lib/ids.ts';
import type { PassingSet } from '../lib/placed.ts';
import { errorObject } from './error-reply.ts';
import type { Exchange } from './exchange.ts';
import { securityHeaders } from './headers.ts';
import { asksForWebSocket, replyToUpgrade } from './upgrade.ts';

// An import of `node:http` reads all of its exports, WebSocket among them, for which Node loads the HTTP client that it has
// inside: 40 ms and 13 MB for nothing.
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');

export interface Listener {
  /** The port that is listened on, for a start with port 0. */
  readonly port: number;
  /**
   * Stops: takes no new connections, lets what runs finish, and after `timeoutMs` aborts what still runs with
   * `shutting_down`. Resolves when the last connection is closed and what goes on without one is over.
   */
  drain(timeoutMs: number): Promise<void>;
}

/** Milliseconds that aborted requests get to say so to their clients, and who has connected to ask. */
const drainNoticeMs = 2_000;

type Handle = (req: IncomingMessage, res: ServerResponse) => unknown;

/** A server that listens already, while its application, which has to know the port, is still being made. */
interface Reception {
  readonly server: Server;
  readonly port: number;
  /** Whether requests for WebSockets are handed over with their connections; they are requests like any other else. */
  upgrades: boolean;
  /** Takes no new connections any more. Resolves when the last one is closed. */
  close(): Promise<void>;
  /** Hands over the requests that have arrived meanwhile, and all later ones, until they are handed over again. */
  handOver(handle: Handle): void;
}

/** Listens. Rejects with a `ConfigError` when the address cannot be had. */
export async function listen(host: string, port: number, sharing?: Sharing): Promise<Reception> {
  const server = createServer({
    // Longer than what common load balancers keep a connection idle, so that they close first and lose no request.
    keepAliveTimeout: 75_000,
    headersTimeout: 30_000,
    requestTimeout: 60_000,
    // Node's own refusal has no body; the application's has one.
    requireHostHeader: false,
    shouldUpgradeCallback: (req) => reception.upgrades && asksForWebSocket(req),
  });
  // An expectation that is not understood may be ignored (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (...request) => server.emit('request', ...request));
  // Node would request the body at once; the reader does so when it needs it.
  server.on('checkContinue', (...request) => server.emit('request', ...request));
  spareUnasked(server, drainNoticeMs);
  const early: Parameters<Handle>[] = [];
  let current: Handle = (...request) => early.push(request);
  server.on('request', (...request) => current(...request));
  server.on('upgrade', (req, socket, head) => current(req, replyToUpgrade(req, socket as Socket, head)));
  const close = await openListenSockets(server, host, port, sharing).catch((error: unknown) => {
    throw unlistenable(error, host, port);
  });
  const reception: Reception = {
    server,
    port: (server.address() as AddressInfo).port,
    upgrades: false,
    close,
    handOver(handle) {
      current = handle;
      for (const request of early.splice(0)) handle(...request);
    },
  };
  return reception;
}

function unlistenable(error: unknown, host: string, port: number): unknown {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `PORT is ${port}, which another program listens on; expected a free one.`,
    EACCES: `PORT is ${port}, which needs rights that this user has not; expected one from 1024 up.`,
    EADDRNOTAVAIL: `HOST is "${host}", which is no address of this machine.`,
    ENOTFOUND: `HOST is "${host}", which is no name or address of this machine.`,
  };
  const problem = problems[String((error as NodeJS.ErrnoException).code)];
  return problem === undefined ? error : new ConfigError([problem], { cause: error });
}

interface ServeParts {
  readonly lifecycle: Lifecycle;
  readonly running: PassingSet<Exchange>;
  readonly publicUrl: string;
  /** Null: there are none. */
  readonly sockets?: SocketsInService | null;
}

/** Connections that are no longer the server's own, and that it has to wait for at its end. */
export interface SocketsInService {
  /** Closes each as soon as nothing runs on it any more. */
  drain(): void;
  /** Cuts what is left. */
  cut(): void;
}

/** Joins the application to the server. */
export function serve(
  reception: Reception,
  handle: Handle,
  { lifecycle, running, publicUrl, sockets = null }: ServeParts,
): Listener {
  const { server, port, close, handOver } = reception;
  reception.upgrades = sockets !== null;
  handOver((req, res) => {
    if (lifecycle.draining) res.setHeader('connection', 'close');
    handle(req, res);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else {
      const begun = [...running].find(({ request }) => request.socket === socket && !request.complete);
      refuse(refusalOf(error, begun?.request), socket, publicUrl);
    }
  });
  server.on('connect', (_req, socket) => {
    // Node has released the socket, so its errors have no other listener.
    socket.on('error', () => socket.destroy());
    refuse(noProxy, socket as Socket, publicUrl);
  });
  return {
    port,
    async drain(timeoutMs) {
      lifecycle.draining = true;
      const closed = close();
      sockets?.drain();
      const abort = setTimeout(() => {
        const reason = new ServiceError(
          'shutting_down',
          'The server is stopping and could not finish this request.',
        );
        for (const exchange of running) exchange.abort(reason);
      }, timeoutMs);
      const cutAt = performance.now() + timeoutMs + drainNoticeMs;
      const cut = setTimeout(() => {
        server.closeAllConnections();
        sockets?.cut();
      }, timeoutMs + drainNoticeMs);
      // A connection that a client keeps open becomes idle when its request is done, which `close` does not wait for.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      await closed;
      // Requests that continue without their clients, for the next request with the same key.
      while (running.size > 0 && performance.now() < cutAt) await sleep(20);
      clearInterval(idle);
      clearTimeout(abort);
      clearTimeout(cut);
    },
  };
}

/** How long a refused client has to close its side of the connection, in milliseconds. */
const lingerMs = 2_000;

/** Answers what never becomes a request, in the contract's error shape, and closes the connection. */
function refuse(refusal: ServiceError, socket: Socket, publicUrl: string): void {
  const requestId = `req_${ulid()}`;
  const body = JSON.stringify({ error: errorObject(refusal, requestId, publicUrl) });
  const head = [
    `HTTP/1.1 ${refusal.info.status} ${STATUS_CODES[refusal.info.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
    ...Object.entries({ ...securityHeaders, ...refusal.headers }).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // The rest of its data is dropped: closing before it is read could cost the client the answer.
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(cut));
}

const noProxy = new ServiceError('method_not_allowed', 'This server is no proxy and does not take CONNECT.', {
  headers: { allow: '' },
});

/** @param request of which the body has not arrived whole */
function refusalOf({ code }: NodeJS.ErrnoException, request: IncomingMessage | undefined): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ServiceError('headers_too_large', 'The request headers are larger than 16 KiB.');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError('request_timeout', 'The request did not arrive in time.');
  }
  if (code === 'HPE_INVALID_EOF_STATE' && request) {
    const chunked = request.headers['content-length'] === undefined;
    const expected = chunked ? 'its last chunk' : 'the length that its head gives';
    return new ServiceError('malformed_request', `The body ended before ${expected}.`);
  }
  return new ServiceError('malformed_request', 'The request is not valid HTTP.');
}

/**
 * Has a server that stops leave open a connection on which nothing has been asked yet: since Node.js 26 `closeIdleConnections`, which
 * `close` calls first, takes that for idle as well, and a request that is on its way would get no answer. A connection
 * without a request after `graceMs`, in milliseconds from the first call on, is idle.
 */
function spareUnasked(server: Server, graceMs: number): void {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  let until: number | null = null;
  server.closeIdleConnections = () => {
    until ??= performance.now() + graceMs;
    const mayAsk = performance.now() < until && [...open].some(({ bytesRead }) => bytesRead === 0);
    if (!mayAsk) closeIdle();
  };
}

/**
 * Sockets that listen for one server. Of each, one connection is taken in each turn of the event loop (libuv since 1.45), and a
 * busy server turns slowly: with one socket a crowd of 2,000 connections kept everybody out for 20 seconds and more, probes of
 * health included. The system spreads new connections over all of them (SO_REUSEPORT, socket(7)).
 */
const sockets = 32;

/**
 * How Node.js's HTTP server has its connections, which is decided where they come in. With Nagle's algorithm the end of nearly every stream
 * waited 40 ms, until its client had confirmed what came before.
 */
const likeHttp = { noDelay: true, allowHalfOpen: true };

/** Whether other processes listen on this port. */
export interface Sharing {
  /** Whether other processes of this server listen on the port too, now or later. */
  readonly shared: boolean;
  /** Whether one of them does already. */
  readonly taken: boolean;
}

/**
 * Lets a server listen. Rejects with the error of the system.
 * @param port 0: a free one, on a single socket, as no other could find it safely
 * @returns closes it to new connections; resolves when the last of them is closed
 */
export async function openListenSockets(
  server: Server,
  host: string,
  port: number,
  { shared, taken }: Sharing = { shared: false, taken: false },
): Promise<() => Promise<void>> {
  const many = port !== 0 && process.platform === 'linux';
  // Others could share the port otherwise, if they only asked for it in the same way.
  if (many && !taken) await requireFree(host, port);
  const reusePort = many || (shared && process.platform === 'linux');
  await listening(server.listen({ host, port, reusePort }));
  const further = many
    ? Array.from({ length: sockets - 1 }, () =>
        createNetServer(likeHttp, (socket: Socket) => server.emit('connection', socket)),
      )
    : [];
  const all = [server, ...further];
  const close = async () => {
    await Promise.all(all.map((each) => new Promise((resolve) => each.close(resolve))));
  };
  try {
    for (const each of further) await listening(each.listen({ host, port, reusePort: true }));
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}

async function requireFree(host: string, port: number): Promise<void> {
  const probe = createNetServer();
  await listening(probe.listen({ host, port, exclusive: true }));
  probe.close();
  await once(probe, 'close');
}

async function listening(server: NetServer): Promise<void> {
  await once(server, 'listening');
}
