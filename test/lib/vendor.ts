import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** A model vendor that does to each request exactly what its script says, byte by byte. */
export interface ScriptedVendor {
  readonly port: number;
  /** `http://127.0.0.1:port/v1` */
  readonly baseUrl: string;
  /** In the order of their arrival. */
  readonly requests: readonly VendorRequest[];
  /** Sockets that are open now. */
  readonly openSockets: number;
  /** Connections that were made in all. */
  readonly connections: number;
  close(): Promise<void>;
}

export interface VendorRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body, parsed. */
  readonly json: Record<string, unknown>;
}

/** The vendor's side of one request. */
export interface VendorReply {
  readonly request: VendorRequest;
  /** 0 for the first request of all. */
  readonly index: number;
  readonly socket: Socket;
  /** Resolves when the client has closed the connection. */
  readonly closed: Promise<void>;
  write(bytes: string | Uint8Array): void;
  /** Head and body of a whole reply. */
  reply(status: number, body: string | Uint8Array, headers?: Record<string, string>): void;
  json(value: unknown, status?: number, headers?: Record<string, string>): void;
  /** Head of an event stream in chunked encoding. */
  eventStream(headers?: Record<string, string>): void;
  /** One chunk of a body in chunked encoding, which reaches the client's parser as one piece. */
  chunk(bytes: string | Uint8Array): void;
  /** The end of a body in chunked encoding. */
  lastChunk(): void;
  /** A whole event stream, in the given pieces. */
  events(...pieces: (string | Uint8Array)[]): void;
  /** FIN. */
  end(): void;
  /** RST. */
  reset(): void;
}

export type VendorScript = (reply: VendorReply) => void | Promise<void>;

/** @param remembers whether it keeps the requests, which one that is asked for hours does not */
export async function startVendor(script: VendorScript, remembers = true): Promise<ScriptedVendor> {
  const requests: VendorRequest[] = [];
  let asked = 0;
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    readRequests(socket, (request) => {
      if (remembers) requests.push(request);
      void script(replyTo(socket, closed, request, asked));
      asked += 1;
    });
  });
  const port = await listen(server);
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    get openSockets() {
      return sockets.size;
    },
    get connections() {
      return connections;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The vendor has no port.');
  return address.port;
}

function readRequests(socket: Socket, onRequest: (request: VendorRequest) => void): void {
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const [first = '', ...lines] = received.toString('latin1', 0, headEnd).split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 1).trim(),
        ]),
      );
      const bodyEnd = headEnd + 4 + Number(headers['content-length'] ?? 0);
      if (received.length < bodyEnd) return;
      const body = received.toString('utf8', headEnd + 4, bodyEnd);
      received = received.subarray(bodyEnd);
      const [method = '', path = ''] = first.split(' ');
      onRequest({ method, path, headers, body, json: body ? JSON.parse(body) : {} });
    }
  });
}

function replyTo(socket: Socket, closed: Promise<void>, request: VendorRequest, index: number): VendorReply {
  const write = (bytes: string | Uint8Array) => {
    if (!socket.destroyed) socket.write(bytes);
  };
  const reply: VendorReply = {
    request,
    index,
    socket,
    closed,
    write,
    reply(status, body, headers = {}) {
      const length = Buffer.byteLength(body);
      write(
        head(status, { 'content-type': 'application/json', 'content-length': String(length), ...headers }),
      );
      write(body);
    },
    json: (value, status = 200, headers = {}) => reply.reply(status, JSON.stringify(value), headers),
    eventStream: (headers = {}) =>
      write(head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked', ...headers })),
    chunk(bytes) {
      if (bytes.length > 0) write(chunked(bytes));
    },
    lastChunk: () => write('0\r\n\r\n'),
    events(...pieces) {
      reply.eventStream();
      for (const piece of pieces) reply.chunk(piece);
      reply.lastChunk();
    },
    end: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
  };
  return reply;
}

export function head(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`;
}

function chunked(bytes: string | Uint8Array): Buffer {
  const body = Buffer.from(bytes);
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
}
