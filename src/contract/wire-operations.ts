import { operations } from '../../generated/operations.gen.ts';
import type { ServiceError } from './errors.ts';
import type { Form } from './form.ts';
import type { LimitState } from './limit-state.ts';
import type { Handler, OperationId, Scope } from './registry.ts';

/** The foreign interfaces in the contract. */
export type WireName = 'openai' | 'anthropic' | 'gemini' | 'mcp';

/** The operations of foreign interfaces. */
export type WireOperationId = {
  [Id in OperationId]: (typeof operations)[Id]['wire'] extends null ? never : Id;
}[OperationId];

/** Whether an operation is one of a foreign interface. */
export function isWireOperation(id: OperationId): id is WireOperationId {
  return operations[id].wire !== null;
}

/** A request to a foreign interface: only what we use of its body has been checked. */
export interface WireCall {
  readonly operation: WireOperationId;
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  /** The parsed body, of a form its values, with the model that the path names in place of its own; empty where there is none. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The same as it came, after decompression, but for a model that the path names; empty for a form. */
  readonly bytes: Buffer;
  /** The form that came, where the operation takes one. */
  readonly form?: Form;
  /** The headers of the request, in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Where it came as a message of a socket. */
  readonly turn?: SocketTurn;
}

/** The response that a message of a client's socket continues, and the vendors' sockets behind it. */
export interface SocketTurn {
  /** Its messages come one after another. */
  readonly lane: string;
  /** The response that it goes on from, and the items that it adds, as JSON with commas between; null: it begins a conversation. */
  readonly continues: { readonly id: string; readonly items: Buffer } | null;
  /** The vendor's socket of each lane; null once the client's has closed. */
  opened(): Map<string, { close(): void }> | null;
}

/** A whole reply, in the form of the interface. */
export interface WholeWireReply {
  readonly status: number;
  /** Null: there is no body. */
  readonly mediaType: string | null;
  readonly body: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A streamed reply of status 200. Each chunk is whole: a heartbeat may stand before or after it. */
export interface StreamedWireReply {
  readonly mediaType: string;
  /**
   * Whether the chunks are pieces of one thing, such as sound, into which nothing of ours can be written: no heartbeat, and where it
   * breaks off the connection does.
   */
  readonly opaque?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunks: AsyncIterable<Buffer | string>;
  /** The end if it breaks off, after the chunks that have come; that of the operation's conventions if left out. */
  readonly brokenOff?: (error: ServiceError, requestId: string) => string | readonly string[];
  /** A frame that keeps it alive in silence, once chunks have come; that of the operation's conventions if left out. */
  readonly ping?: () => string;
}

export type WireReply = WholeWireReply | StreamedWireReply;

export type WireHandler = (call: WireCall, scope: Scope) => Promise<WireReply>;

/** How an operation says what goes wrong, and that it is still there. */
export interface WireConventions {
  /** An error reply: its status, its body, and headers beside those of all errors. */
  error(
    error: ServiceError,
    requestId: string,
  ): { readonly status: number; readonly body: object; readonly headers: Readonly<Record<string, string>> };
  /** Headers of any reply: its id and how the caller's limits stand, where the vendor has names of its own for them. */
  headers(requestId: string, limits: LimitState): Readonly<Record<string, string>>;
  /** The end of a stream that breaks off. Of several chunks all but the first come with the end of the connection. */
  brokenOff(error: ServiceError, requestId: string): string | readonly string[];
  /** Whether the connection breaks off after that, so that no client takes the answer for a whole one. */
  readonly breaksOff: boolean;
  /** A whole answer as a stream has it; left out: as it is. */
  readonly framed?: (body: string) => string;
  /** A frame that keeps a silent stream alive; every client of the interface skips it. */
  readonly ping: string;
}

/** Methods of MCP that last, and so can answer with a stream. */
const lasting: ReadonlySet<unknown> = new Set(['tools/call', 'subscriptions/listen']);

/** The media type that a request has asked to be streamed in; null: it has asked for a whole answer. */
export function streamedAs({ operation, body, query, headers }: WireCall): string | null {
  if (operations[operation].wire === 'mcp')
    return lasting.has(body['method']) && String(headers['accept']).includes('text/event-stream')
      ? 'text/event-stream'
      : null;
  if (operation === 'streamGenerateContent')
    return query.get('alt') === 'sse' ? 'text/event-stream' : 'application/json';
  return body['stream'] === true ? 'text/event-stream' : null;
}

/** The handler of each operation. */
export type Handlers = {
  readonly [Id in OperationId]: Id extends WireOperationId ? WireHandler : Handler<Id>;
};

/** Joins the handlers. A missing one does not compile, and neither does an extra one, even when it comes by spread. */
export function defineHandlers<T extends Handlers>(
  handlers: T & { readonly [Extra in Exclude<keyof T, OperationId>]: never },
): Handlers {
  return handlers;
}
