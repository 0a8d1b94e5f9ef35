import type { ServiceError } from '../../contract/errors.ts';
import type { VendorWire } from '../../model/parts.ts';
import type { Completion, CompletionEvent, UnroutedCall } from '../../model/port.ts';
import type { TokenUsage } from '../../model/usage.ts';
import type { ClientWire } from './fields/field-rows.ts';

/** A parsed body, of which nothing is known but that it is an object. */
export type Body = Readonly<Record<string, unknown>>;

/**
 * One foreign interface on the side of the client, for the translated lane: it reads requests into the internal form and
 * writes answers, streams and errors as its vendor does.
 */
export interface Wire {
  readonly name: VendorWire;
  /** The table that its fields are judged by; that of its name if left out. */
  readonly fields?: ClientWire;
  /**
   * Reads a request. The table of fields has judged it before (`fields/table.ts`), so the rest is mapped. Reads only the
   * fields that it uses, and checks those: throws `ServiceError('invalid_request')`, which names the path of the wrong
   * field (`messages[3].content[0].image_url.url`).
   */
  read(body: Body): WireRequest;
  /**
   * Reads what a request allows of its answers, whatever else is in it: for what is reserved of limits and budgets, so on the native
   * lane as well. Throws `ServiceError('invalid_request')`, which names the field, for what is of the wrong type or out of its range.
   */
  bound(body: Body): AnswerBound;
}

/** A request's bounds on its answers. */
export interface AnswerBound {
  /** Maximum of each, in tokens, at least 1; undefined: the request sets none. */
  readonly maxTokens: number | undefined;
  /** How many the model makes, at least 1. */
  readonly answers: number;
  /** Tokens of prompts that come as ids; left out: they come as text. */
  readonly promptIds?: number;
}

/** A request in the internal form, and how its answer is written: names changed on the way in are restored on the way out. */
export interface WireRequest {
  readonly call: UnroutedCall;
  /** A whole answer, as the body of a reply of 200. */
  answer(completion: Completion, meta: AnswerMeta): object;
  /** A writer of one streamed answer. */
  stream(meta: AnswerMeta): StreamWriter;
}

/** The fields of an answer that no model provides. */
export interface AnswerMeta {
  /** 26 characters that no other answer has, for ids in the wire's own form, such as `chatcmpl-…` and `msg_…`. */
  readonly id: string;
  /** The model's name as the client asked for it. */
  readonly model: string;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  /** An estimate of the tokens of the prompt, for wires that report it at the beginning of a stream. */
  readonly inputTokens: number;
  /** The tokens that were used, with an estimate where the vendor reported none. Called at the end of the answer only. */
  readonly usage: () => TokenUsage;
}

/** Writes the events of one answer as the wire's own, each call giving whole events (with their blank line), or nothing. */
export interface StreamWriter {
  /** Before the first event of the answer, as soon as the model is known to answer. */
  start(): string;
  take(event: CompletionEvent): string;
  /** A frame that keeps a silent stream alive, between two calls of `take`; left out: the wire's own. */
  ping?(): string;
  /** The end of a stream that broke off; nothing follows it. Of several chunks all but the first come with the end of the connection. */
  fail(error: ServiceError, requestId: string): string | readonly string[];
}

/** How a wire says what went wrong, for requests on either lane. */
export interface WireErrors {
  /** Status, body with every field that the vendor's own error has, and headers beside those of all errors. */
  reply(error: ServiceError, requestId: string): WireError;
  /** The same as the last of a stream, in chunks as `StreamWriter` has them. */
  event(error: ServiceError, requestId: string): string | readonly string[];
  /** Whether the connection breaks off after them: some clients of the wire take what ends in good order for a whole answer. */
  readonly breaksOff: boolean;
  /** A frame that keeps a silent stream alive: an event or a comment that every client of the wire skips. */
  readonly ping: string;
}

export interface WireError {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}
