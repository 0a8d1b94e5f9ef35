import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import type { ErrorObject } from '../../generated/types.gen.ts';
import { isBinary } from '../../scripts/generate/document.ts';
import { mediaTypesOf, operationsOf } from '../../src/contract/served/document.ts';
import { testKey } from './app.ts';
import { contract } from './contract.ts';

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
  /** Whether the connection may break off in the body; the text is then what has come. */
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

/**
 * `.ci/end-to-end` runs these tests with Prism between them and the server, which holds every reply against the contract, and
 * names its address here. Behind it a switch passes each request on to the server of its test, whose port a header names.
 */
const prism = process.env['PRISM_URL'];

/** What Prism can pass on: it answers what the contract does not name itself, and reads binary replies as text. */
const operations = operationsOf(contract)
  .filter(({ operation }) => !mediaTypesOf(contract, operation).some(isBinary))
  .map(({ method, path }) => ({ method, path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));

interface Way {
  readonly to: string;
  readonly marks: Readonly<Record<string, string>>;
  /**
   * Whether to take a connection for this request alone: when Prism has been busy for seconds with a large body, it first closes
   * the connections that were idle, and only then reads what was sent on them.
   */
  readonly reset: boolean;
}

/** To the server without a detour. */
export const straight = (url: string): Way => ({ to: url, marks: {}, reset: false });

/** Where a request goes: by way of Prism in a run with it, if Prism can pass it on. */
export function byPrism(url: string, method: string): Way {
  const { pathname, search, port } = new URL(url);
  const passes = operations.some(
    (operation) => operation.method === method.toLowerCase() && operation.path.test(pathname),
  );
  if (prism === undefined || !passes) return straight(url);
  return { to: `${prism}${pathname}${search}`, marks: { 'x-switch-to': port }, reset: true };
}

/** Whether Prism has answered itself, as it does when it reaches no server. */
export function isOfPrism(headers: Readonly<Record<string, unknown>>): boolean {
  return headers['content-type'] === 'application/problem+json';
}

export interface ReadBody {
  readonly text: string;
  /** Whether the connection ended it in good order. */
  readonly whole: boolean;
}

/** The text of a body as far as it comes: its connection may break off. */
export async function textUntilItEnds(body: AsyncIterable<unknown>): Promise<ReadBody> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const piece of body) text += decoder.decode(piece as Uint8Array, { stream: true });
    return { text, whole: true };
  } catch {
    return { text, whole: false };
  }
}

/** The rows of a CSV with a row of names (RFC 4180), by these names. Throws for one that ends in the middle of a line. */
export function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const found = cell.exec(text);
    if (found === null) throw new Error(`no cell of CSV: ${text.slice(at, at + 80)}`);
    const [, quoted, plain = '', end] = found;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  const [names = [], ...cells] = rows;
  for (const { length } of cells) if (length !== names.length) throw new Error('a row has another length');
  return cells.map((values) => Object.fromEntries(names.map((name, n) => [name, values[n] ?? ''])));
}
