import { createParser } from 'eventsource-parser';
import { frameOf } from '../gateway/wires/openai-responses/client/answer.ts';
import { EventWriter } from '../gateway/wires/openai-responses/client/event-writer.ts';
import type { ReplySink } from '../http/message-exchange.ts';
import { ulid } from '../lib/ids.ts';
import { isObject, objectIn } from '../lib/json.ts';

/** An error on a socket. */
interface SocketError {
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
  readonly param: string | null;
}

/** Headers of a reply that say when to ask again, how limits stand and which request it was; on a socket an error has them with it. */
const forwarded = /^(?:x-request-id|retry-after|x-should-retry|(?:x-)?ratelimit.*)$/;

/** The error object for an error that only a socket has. */
export function socketError(code: string, message: string, param: string | null = null): SocketError {
  return { type: 'invalid_request_error', code, message, param };
}

/** An error, as a frame. Without the lane of its request where that is not known, or has no name. */
export function errorFrame(
  status: number,
  error: SocketError | Readonly<Record<string, unknown>>,
  streamId: string | null,
  headers: Readonly<Record<string, unknown>> = {},
): string {
  const some = Object.entries(headers).filter(([name]) => forwarded.test(name));
  return JSON.stringify({
    type: 'error',
    status,
    ...(streamId !== null && { stream_id: streamId }),
    error,
    ...(some.length > 0 && { headers: Object.fromEntries(some) }),
  });
}

/** A response that has ended, as its last event has it. */
export interface EndedResponse {
  readonly response: Readonly<Record<string, unknown>>;
  /** Whether its vendor's events have come as they are. */
  readonly native: boolean;
}

interface FrameParts {
  readonly streamId: string | null;
  send(frame: string): void;
  /** Calls it when there is room for more. */
  whenRoom(done: () => void): void;
}

/** An event that ends a response which can be continued; a quote within a text would have a backslash before it. */
const ending = /"type"\s*:\s*"response\.(?:completed|incomplete)"/;
/** So much is read of an error. */
const maxErrorBytes = 256 * 1024;

/** The reply to a request as frames: an event each, or one error. */
export class ReplyFrames implements ReplySink {
  readonly #parts: FrameParts;
  readonly #prefix: string;
  readonly #parser = createParser({ onEvent: ({ data }) => this.#event(data) });
  readonly #decoder = new TextDecoder();
  #status = 0;
  #headers: Readonly<Record<string, unknown>> = {};
  #streamed = false;
  #whole = '';
  #ended: EndedResponse | null = null;

  constructor(parts: FrameParts) {
    this.#parts = parts;
    this.#prefix = parts.streamId === null ? '{' : `{"stream_id":${JSON.stringify(parts.streamId)},`;
  }

  /** Whether the reply is one of status 200. */
  get succeeded(): boolean {
    return this.#status === 200;
  }

  /** Null: it failed, or has not ended. */
  get ended(): EndedResponse | null {
    return this.#ended;
  }

  /** The body of a whole reply. */
  get whole(): string {
    return this.#whole;
  }

  head(status: number, headers: Readonly<Record<string, unknown>>): void {
    this.#status = status;
    this.#headers = headers;
    this.#streamed = String(headers['content-type']).startsWith('text/event-stream');
  }

  chunk(chunk: string | Buffer, done: () => void): void {
    const text = typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true });
    if (this.#streamed) this.#parser.feed(text);
    else if (this.#whole.length < maxErrorBytes) this.#whole += text;
    this.#parts.whenRoom(done);
  }

  /** Takes events as if they were of the reply. */
  events(text: string): void {
    this.#parser.feed(text);
  }

  end(): void {
    if (this.#status >= 400) this.#parts.send(this.#error());
  }

  #error(): string {
    const error = objectIn(this.#whole)?.['error'];
    const known = isObject(error)
      ? error
      : { type: 'server_error', code: 'server_error', message: 'The request failed.', param: null };
    // The response to continue is unknown; clients with this error send the whole conversation.
    const lost = known['param'] === 'previous_response_id' && this.#status === 400;
    const said = lost ? { ...known, code: 'previous_response_not_found' } : known;
    return errorFrame(this.#status, said, this.#parts.streamId, this.#headers);
  }

  #event(data: string): void {
    // Some servers end a stream of events with a word.
    if (!data.startsWith('{')) return;
    if (ending.test(data)) this.#end(data);
    this.#parts.send(this.#prefix + data.slice(1));
  }

  #end(data: string): void {
    try {
      const { response } = JSON.parse(data) as { readonly response?: unknown };
      const native = this.#headers['x-switchyard-lane'] === 'native';
      if (isObject(response)) this.#ended = { response, native };
    } catch {
      // Its client will not understand it either.
    }
  }
}

/**
 * `generate: false`: a client sends the beginning of its next request in advance. No model is asked, so there is only an
 * id, by which that request names it.
 */

/** The events of a response without output. */
export function preparedEvents(body: Readonly<Record<string, unknown>>): string {
  const meta = { id: ulid(), model: String(body['model']), createdAt: Math.floor(Date.now() / 1000) };
  const events = new EventWriter(frameOf(body, meta));
  const state = { error: null, incomplete_details: null, output: [] };
  const details = { input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 } };
  const usage = {
    ...{ input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    ...{ ...details, output_tokens_details: { reasoning_tokens: 0 } },
  };
  return (
    events.response('response.created', { ...state, status: 'in_progress', usage: null }) +
    events.response('response.completed', { ...state, status: 'completed', usage })
  );
}

/** The refusal in a dry run's report, with its status; null: none. */
export function refusalIn(report: string): { readonly status: number; readonly error: SocketError } | null {
  const { refusals } = JSON.parse(report) as {
    readonly refusals: readonly (Omit<SocketError, 'type'> & { readonly status: number })[];
  };
  const [first] = refusals;
  if (first === undefined) return null;
  const { status, code, message, param } = first;
  return { status, error: { type: 'invalid_request_error', code, message, param } };
}
