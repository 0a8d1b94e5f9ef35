import type { ResponsesClientEvent } from 'openai/resources/responses/responses';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
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
