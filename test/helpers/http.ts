import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import type { ErrorObject } from '../../generated/types.gen.ts';
import { testKey } from './app.ts';
import { textUntilItEnds } from './broken-body.ts';
import { byPrism, isOfPrism, straight } from './prism.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies whose shape the contract check has confirmed.
  readonly json: any;
  readonly error: ErrorObject;
  /** Whether the connection ended the body in good order, where it may also break off. */
  readonly whole: boolean;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** Sent as JSON; a string or Buffer is sent as it is. */
  readonly body?: unknown;
  /** Null: no key. */
  readonly key?: string | null;
  /** How the key is sent; as `bearer` if left out. */
  readonly keyAs?: 'bearer' | 'x-api-key';
  readonly signal?: AbortSignal;
  /** Whether the reply has to be the server's own bytes: never by way of Prism, which writes them again. */
  readonly direct?: boolean;
  /** Whether the connection may break off in the body, of which then is told what has come. */
  readonly mayBreakOff?: boolean;
  /** Is given all that has come of the body, whenever more comes; never by way of Prism. */
  readonly seen?: (text: string) => void;
}

/** One request over a real connection. */
export async function ask(
  url: string,
  {
    method,
    headers = {},
    body,
    key = testKey,
    keyAs = 'bearer',
    signal,
    direct = false,
    mayBreakOff = false,
    seen,
  }: Ask = {},
): Promise<Answer> {
  const raw = typeof body === 'string' || Buffer.isBuffer(body);
  const verb = method ?? (body === undefined ? 'GET' : 'POST');
  // With these another operation answers, whose reply Prism does not find in this one.
  const handedOver =
    (!raw && (body as { stream?: unknown } | undefined)?.stream === true) ||
    'x-switchyard-dry-run' in headers;
  const { to, marks, reset } =
    raw || signal || direct || seen || handedOver ? straight(url) : byPrism(url, verb);
  const response = await request(to, {
    method: verb as Dispatcher.HttpMethod,
    reset,
    headers: {
      ...marks,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === null || keyAs !== 'bearer' ? {} : { authorization: `Bearer ${key}` }),
      ...(key === null || keyAs !== 'x-api-key' ? {} : { 'x-api-key': key }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string | Buffer) : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const { text, whole } = mayBreakOff
    ? await textUntilItEnds(response.body)
    : { text: await (seen ? textAsItComes(response.body, seen) : response.body.text()), whole: true };
  if (isOfPrism(response.headers)) throw new Error(`Prism got no answer: ${text}`);
  return {
    status: response.statusCode,
    headers: response.headers as Record<string, string | undefined>,
    text,
    whole,
    get json() {
      return JSON.parse(text);
    },
    get error() {
      return JSON.parse(text).error;
    },
  };
}

async function textAsItComes(body: Readable, seen: (text: string) => void): Promise<string> {
  let text = '';
  for await (const piece of body.setEncoding('utf8')) {
    text += piece;
    seen(text);
  }
  return text;
}

/** The events of a whole SSE body, each with the name of its `event:` line. */
export function eventsOf(
  text: string,
): { event: string | null; data: { type: string; [field: string]: unknown } }[] {
  return text
    .split('\n\n')
    .filter((block) => block.includes('data:'))
    .map((block) => {
      const field = (name: string) =>
        block
          .split('\n')
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).trimStart());
      return { event: field('event')[0] ?? null, data: JSON.parse(field('data').join('\n')) };
    });
}

/** A bare connection, for what no HTTP client would send. */
export function open(port: number): Promise<Socket> {
  return new Promise((fulfil, reject) => {
    const socket = connect(port, '127.0.0.1', () => fulfil(socket));
    socket.once('error', reject);
  });
}

/** Everything that arrives until the other side closes. */
export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
