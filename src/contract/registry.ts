import type { Operations } from '../../generated/operations.gen.ts';
import type { Holding } from '../lib/byte-budget.ts';
import type { DryRun } from './dry-run.ts';
import type { LimitState } from './limit-state.ts';

/**
 * The typed registry: every operation of the contract has exactly one handler, which can only receive what the
 * contract lets in and only answer what the contract declares. Anything else does not compile.
 */
export type OperationId = keyof Operations;

/** A checked request: body, path and query parameters as the contract types them. */
export type RequestOf<Id extends OperationId> = Required<
  Pick<Operations[Id]['data'], 'body' | 'path' | 'query'>
>;

/** The caller, as the security handlers found it. Null on public operations. */
export interface Principal {
  readonly keyId: string;
  readonly scopes: ReadonlySet<string>;
}

/**
 * Watches the key of what outlasts a request, such as a socket.
 * @param onRevoked called once, when the key is revoked, by whichever process
 * @returns what ends the watch
 */
export type WatchKey = (principal: Principal, onRevoked: () => void) => () => void;

/** The facts of a request that a handler may know beyond its data. */
export interface Scope {
  readonly requestId: string;
  readonly principal: Principal | null;
  /** The client's address, as far as this server can tell. */
  readonly client: string;
  /** The value of a cookie; null without one. */
  cookie(name: string): string | null;
  /** The value of a header that the contract names; null without it. */
  header(name: string): string | null;
  /** Gathers what the request would come to; null: it is carried out. */
  readonly dryRun: DryRun | null;
  /** The work that an `Idempotency-Key` names; null without one. */
  readonly work: Work | null;
  /** Aborted when the client goes away, unless it has sent an `Idempotency-Key`, or the server must stop. */
  readonly signal: AbortSignal;
  /** The request's share of the memory for all that is in flight; given back when its reply is out. */
  readonly memory: Holding;
  /** The reply's media type that the client likes best, among those the operation declares. */
  readonly mediaType: string;
  /** Takes the caller's limit state with this request counted; every reply shows it. */
  readonly tellLimits: (state: LimitState) => void;
  /** Adds a field to the log line of this request. */
  note(field: string, value: unknown): void;
}

type Headers = Readonly<Record<string, string>>;

/** A JSON reply of one of the operation's declared statuses. */
type JsonReply<Id extends OperationId> = {
  [Status in keyof Operations[Id]['json']]: {
    readonly status: Status;
    readonly body: Operations[Id]['json'][Status];
    readonly headers?: Headers;
  };
}[keyof Operations[Id]['json']];

/**
 * How events stand on the wire: `named` with an `event:` line and comments in silence; `data` as nothing but `data:`
 * lines; `numbered` as these with the `seq` of those that have one as `id:`, and `named-numbered` with all of it.
 */
export type Framing = 'named' | 'named-numbered' | 'data' | 'numbered';

/**
 * A stream of the operation's events, answered with status 200. One that throws breaks off: its reader gets an `error`
 * event where the contract has one, and is cut off where it has none.
 */
export interface EventReply<Event> {
  readonly status: 200;
  /** One by one, or those together that are there at the same time. */
  readonly events: AsyncIterable<Event | readonly Event[]>;
  readonly headers?: Headers;
  /** `named` if left out. */
  readonly framing?: Framing;
  /** The last event for a reader that takes nothing for too long, who is cut off without one. */
  readonly tooSlow?: () => Event;
}

/** A prepared document that is sent as it is, with an `ETag` for conditional requests. */
export interface DocumentReply<MediaType extends string> {
  readonly status: 200;
  readonly mediaType: MediaType;
  readonly text: string;
  /** Strong validator, with its quotes. */
  readonly etag: string;
  /** The text in gzip, for a document that is worth it. */
  readonly gzip?: () => Promise<Buffer>;
  /** The text in UTF-8, kept for all requests, for a document that is the same for all. */
  readonly utf8?: () => Buffer;
}

/** A text that is made for this request, in a media type of its own. */
export interface TextReply<MediaType extends string> {
  readonly status: 200;
  readonly mediaType: MediaType;
  readonly text: string;
}

/** A text that is sent while it is made, in pieces. One that throws is cut off. */
export interface ChunkedReply<MediaType extends string> {
  readonly status: 200;
  readonly mediaType: MediaType;
  readonly chunks: AsyncIterable<string>;
  readonly headers?: Headers;
}

/** A file to keep, with an `ETag` for conditional requests. */
export interface BinaryReply<MediaType extends string> {
  readonly status: 200;
  readonly mediaType: MediaType;
  readonly bytes: Uint8Array;
  /** Strong validator, with its quotes. */
  readonly etag: string;
  readonly headers?: Headers;
}

/** A reply without a body. */
export interface EmptyReply<Status extends number> {
  readonly status: Status;
  readonly headers?: Headers;
}

type Reply<Id extends OperationId> =
  | JsonReply<Id>
  | ([Operations[Id]['events']] extends [never] ? never : EventReply<Operations[Id]['events']>)
  | ([Operations[Id]['empty']] extends [never] ? never : EmptyReply<Operations[Id]['empty']>)
  | ([Operations[Id]['texts']] extends [never] ? never : DocumentReply<Operations[Id]['texts']>)
  | ([Operations[Id]['binaries']] extends [never] ? never : BinaryReply<Operations[Id]['binaries']>)
  | TextReply<Exclude<Operations[Id]['texts'], 'application/json' | 'application/yaml'>>
  | ChunkedReply<Exclude<Operations[Id]['texts'], 'application/json' | 'application/yaml'>>;

export type Handler<Id extends OperationId> = (request: RequestOf<Id>, scope: Scope) => Promise<Reply<Id>>;

/** The work that an `Idempotency-Key` names. */
export interface Work {
  /** 26 random characters: the name of what the work makes, whichever process does it. */
  readonly id: string;
  /** Whether another process began it and ended: its result may be there already. */
  readonly resumed: boolean;
}
