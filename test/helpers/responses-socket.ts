import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ResponsesClientEvent } from 'openai/resources/responses/responses';
import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { VendorScript } from '../lib/vendor.ts';
import { type TestApp, testKey } from './app.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into events of any kind.
export type SocketEvent = Record<string, any> & { readonly type: string; readonly response?: any };

export interface TestSocket {
  readonly ws: WebSocket;
  /** All that has come. */
  readonly events: readonly SocketEvent[];
  send(message: string | Buffer | ResponsesClientEvent | Record<string, unknown>): void;
  /** The first event of all that have come or will come, and that were not given before, which is so. */
  next(isIt: ((event: SocketEvent) => boolean) | string): Promise<SocketEvent>;
  /** Asks, and gives the event that ends the response. */
  ask(message: Record<string, unknown>): Promise<SocketEvent>;
  /** Code and reason. */
  readonly closed: Promise<readonly [code: number, reason: string]>;
}

const endings = new Set(['response.completed', 'response.incomplete', 'response.failed', 'error']);

/** A socket of a client that is as plain as can be. Rejects with the status of a refusal. */
export async function openSocket(
  app: Pick<TestApp, 'url'>,
  headers: Readonly<Record<string, string>> = { authorization: `Bearer ${testKey}` },
  path = '/v1/responses',
): Promise<TestSocket> {
  const ws = new WebSocket(app.url.replace('http', 'ws') + path, { headers });
  onTestFinished(() => ws.terminate());
  const events: SocketEvent[] = [];
  const unseen: SocketEvent[] = [];
  let look: () => void = () => undefined;
  ws.on('message', (data) => {
    const event = JSON.parse(String(data)) as SocketEvent;
    events.push(event);
    unseen.push(event);
    look();
  });
  const closed = new Promise<readonly [number, string]>((resolve) => {
    ws.once('close', (code, reason) => resolve([code, String(reason)]));
  });
  await new Promise((resolve, reject) => {
    ws.once('open', resolve);
    ws.once('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        ws.terminate();
        reject(Object.assign(new Error(text), { status: response.statusCode, ...JSON.parse(text) }));
      });
    });
    ws.on('error', reject);
  });
  const next: TestSocket['next'] = (isIt) =>
    new Promise((resolve, reject) => {
      const wanted = typeof isIt === 'string' ? ({ type }: SocketEvent) => type === isIt : isIt;
      look = () => {
        const index = unseen.findIndex(wanted);
        const [found] = index < 0 ? [] : unseen.splice(0, index + 1).slice(-1);
        if (!found) return;
        look = () => undefined;
        resolve(found);
      };
      look();
      void closed.then(([code]) => reject(new Error(`closed with ${code} before it came`)));
    });
  const send: TestSocket['send'] = (message) =>
    ws.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message));
  return {
    ws,
    events,
    send,
    next,
    ask(message) {
      send({ type: 'response.create', ...message });
      return next(({ type }) => endings.has(type));
    },
    closed,
  };
}

const usage = {
  ...{ input_tokens: 11, output_tokens: 5, total_tokens: 16 },
  ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
};

const eventOnWire = (event: { readonly type: string }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** A response of OpenAI's as it begins. */
export function responseBegun(id: string, more: object = {}): string {
  const response = { id, object: 'response', status: 'in_progress', model: 'gpt-4o', output: [], ...more };
  return eventOnWire({ type: 'response.created', sequence_number: 0, response } as never);
}

export function responseEnded(id: string, output: readonly object[], more: object = {}): string {
  const response = { id, object: 'response', status: 'completed', model: 'gpt-4o', output, usage, ...more };
  return eventOnWire({ type: 'response.completed', sequence_number: 1, response } as never);
}

export const messageSaying = (text: string) => ({
  ...{ type: 'message', id: 'msg_1', status: 'completed', role: 'assistant' },
  content: [{ type: 'output_text', text, annotations: [] }],
});

/** A vendor of Responses that says how many requests it has had, and whether it keeps the answer. */
export function countingVendor(
  output: (n: number) => readonly object[] = (n) => [messageSaying(`${n}`)],
): VendorScript {
  return ({ request, index, events }) => {
    const id = `resp_${index + 1}`;
    const store = request.json['store'] !== false;
    events(responseBegun(id, { store }), responseEnded(id, output(index + 1), { store }));
  };
}

/** A request to a vendor of Responses, over HTTP or as a message of one of its sockets. */
export interface TurnAtVendor {
  /** Of the sockets in the order in which they came, from 1; 0 over HTTP. */
  readonly socket: number;
  readonly headers: IncomingHttpHeaders;
  readonly json: Record<string, unknown>;
}

/** The vendor's side of one message of a socket. */
export interface SocketReply extends TurnAtVendor {
  /** 0 for the first request of all. */
  readonly index: number;
  readonly ws: WebSocket;
  send(event: object): void;
  /** Says this, in whole, as the response `resp_N`. */
  answer(...output: readonly object[]): void;
}

/**
 * A vendor that takes Responses over sockets, and over HTTP as `countingVendor` does.
 * @param refused the status with which it answers whoever asks for a socket; null: it opens it
 */
export async function socketVendor(
  script: (reply: SocketReply) => void,
  refused: () => number | null = () => null,
) {
  const turns: TurnAtVendor[] = [];
  const sockets = new WebSocketServer({ noServer: true });
  const parts = (index: number, output: readonly object[], more: object) => {
    const id = `resp_${index + 1}`;
    return [responseBegun(id, more), responseEnded(id, output, more)];
  };
  const server = createServer(async (req, res) => {
    const json = JSON.parse(await text(req));
    const index = turns.push({ socket: 0, headers: req.headers, json }) - 1;
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.end(parts(index, [messageSaying(`${index + 1}`)], { store: json.store !== false }).join(''));
  });
  let opened = 0;
  server.on('upgrade', (req, connection, head) => {
    const status = refused();
    if (status !== null) connection.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    else
      sockets.handleUpgrade(req, connection, head, (ws) => {
        opened += 1;
        const socket = opened;
        ws.on('message', (data) => {
          const turn = { socket, headers: req.headers, json: JSON.parse(String(data)) };
          const index = turns.push(turn) - 1;
          const send = (event: object) => ws.send(JSON.stringify(event));
          const answer = (...output: readonly object[]) => {
            for (const event of parts(index, output, { store: turn.json.store !== false }))
              ws.send(event.slice(event.indexOf('{')).trimEnd());
          };
          script({ ...turn, index, ws, send, answer });
        });
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const ws of sockets.clients) ws.terminate();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, turns, sockets: sockets.clients };
}
