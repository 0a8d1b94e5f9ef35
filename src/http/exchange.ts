import type { Context } from 'koa';
import { type ErrorCodeInfo, errorCodes } from '../../generated/error-codes.gen.ts';
import { operations } from '../../generated/operations.gen.ts';
import type { ErrorObject } from '../../generated/types.gen.ts';
import type { DryRun } from '../contract/dry-run.ts';
import { type ServiceError, toServiceError } from '../contract/errors.ts';
import type { LimitState } from '../contract/limit-state.ts';
import type { OperationId, Principal, Scope, Work } from '../contract/registry.ts';
import type { Turn, Turns } from '../contract/turns.ts';
import { type ByteBudget, Holding } from '../lib/byte-budget.ts';
import { cookieName, cookieOf } from '../lib/cookies.ts';
import { ulid } from '../lib/ids.ts';
import type { Passing } from '../lib/placed.ts';
import { activeTracer, type Span } from '../lib/trace.ts';
import type { FaultLog } from '../observe/fault-log.ts';
import { type Logger, logRequest } from '../observe/log.ts';
import type { ClientAddress } from './client-address.ts';
import { errorObject } from './error-reply.ts';
import type { Recording } from './recording.ts';
import type { StreamOptions } from './sse.ts';

/** The status under which a request is shown whose client went away (nginx's convention). */
const clientClosedRequest = 499;

const infos: Readonly<Partial<Record<string, ErrorCodeInfo>>> = errorCodes;

/** The facts that are counted when a request is over. */
export interface EndedRequest {
  readonly operation: OperationId | null;
  readonly status: number;
  readonly durationMs: number;
}

export interface ExchangeParts {
  readonly log: Logger;
  readonly faults: FaultLog;
  /** Address under which clients reach this server, without a slash at the end. */
  readonly publicUrl: string;
  readonly clientAddress: ClientAddress;
  /** The memory for all requests and replies in flight. */
  readonly budget: ByteBudget;
  readonly stream: StreamOptions;
}

/** The exchange that a request of Koa's belongs to. */
export function exchangeOf(context: Context): Exchange {
  return context.state as Exchange;
}

/** One request from its first byte to the end of its reply: its id, its abort signal, its line in the log. */
export class Exchange implements Scope, Passing {
  readonly requestId: string;
  operation: OperationId | null = null;
  /** The path of the page that is asked for; null at anything else. */
  page: string | null = null;
  principal: Principal | null = null;
  mediaType = 'application/json';
  /** Among those that are under way. */
  place = -1;
  dryRun: DryRun | null = null;
  /** The caller's limit state; null until it is computed. */
  limitState: LimitState | null = null;
  /** The recording of its answer, for one with an `Idempotency-Key`. */
  recording: Recording | null = null;
  /** On the reply whatever it is. Set one by one on the response, Node would go through all headers twice. */
  readonly ownHeaders: Record<string, string>;
  readonly memory: Holding;
  /** Null while nothing is traced. */
  readonly span: Span | null;
  #turn: Turn | null = null;
  /** How long a reader may take nothing of its reply, in milliseconds. */
  readonly writeTimeoutMs: number;
  readonly #context: Context;
  readonly #log: Logger;
  readonly #faults: FaultLog;
  readonly #publicUrl: string;
  readonly #clientAddress: ClientAddress;
  readonly #abort = new AbortController();
  readonly #startedAt = performance.now();
  readonly #notes: Record<string, unknown> = {};

  constructor(context: Context, parts: ExchangeParts) {
    this.#context = context;
    this.#log = parts.log;
    this.#faults = parts.faults;
    this.#publicUrl = parts.publicUrl;
    this.#clientAddress = parts.clientAddress;
    this.memory = new Holding(parts.budget);
    this.writeTimeoutMs = parts.stream.writeTimeoutMs;
    context.state = this;
    this.requestId = requestIdOf(context.get('x-request-id'));
    this.ownHeaders = { 'x-request-id': this.requestId };
    this.span = beginRequestSpan(context, this.requestId);
  }

  get work(): Work | null {
    return this.recording?.work ?? null;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get request(): Context['req'] {
    return this.#context.req;
  }

  get client(): string {
    return this.#clientAddress(this.#context.req);
  }

  cookie(name: string): string | null {
    const secure = this.#publicUrl.startsWith('https:');
    return cookieOf(this.#context.get('cookie'), cookieName(name, secure));
  }

  header(name: string): string | null {
    return this.#context.get(name) || null;
  }

  /** Stops what runs for this request; `reason` is what the work then throws. */
  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  readonly tellLimits = (state: LimitState): void => {
    this.limitState = state;
    // Limits are reported only once the request is admitted.
    this.recording?.begin();
  };

  /**
   * Takes its turn among the requests that are answered, which ends with it, as `Turns.take` does. Throws the reason of its
   * signal as well.
   * @returns what is to be waited for; null: it may begin
   */
  takeTurn(turns: Turns): Promise<void> | null {
    // One that is over already would never give it back.
    this.signal.throwIfAborted();
    this.#turn = turns.take(this.principal, this.signal);
    return this.#turn?.begun ?? null;
  }

  note(field: string, value: unknown): void {
    this.#notes[field] = value;
  }

  /** Whether the connection breaks off by our own will, after all that its client is to read. */
  brokenOff = false;

  /** A failure in the middle of a stream, as the error that its last event carries; logged like any other. */
  describe(thrown: unknown): ErrorObject {
    this.report(toServiceError(thrown));
    return errorObject(thrown, this.requestId, this.#publicUrl);
  }

  /** Notes an error for the request's line; our own faults get a line with their cause. */
  report(error: ServiceError): void {
    this.note('error_code', error.code);
    // A request that a client abandons fails in many ways, none of which is a fault.
    if ((error.code !== 'internal_error' && error.code !== 'storage_unavailable') || this.signal.aborted)
      return;
    const { requestId: request_id, operation } = this;
    this.#faults.report(error.cause ?? error, operation ?? 'page', { request_id, operation });
  }

  /** To be called once, when the connection is done with the reply, and a recording is over: cancels what still runs and writes the line. */
  close(): EndedRequest {
    const { res, method } = this.#context;
    const completed = res.writableFinished || this.brokenOff;
    if (!completed) this.abort(new DOMException('The client went away.', 'AbortError'));
    this.memory.release();
    this.#turn?.end();
    const { operation } = this;
    const status = completed ? res.statusCode : clientClosedRequest;
    const durationMs = performance.now() - this.#startedAt;
    logRequest(this.#log, {
      request_id: this.requestId,
      operation,
      method,
      status,
      duration_ms: Math.round(durationMs * 10) / 10,
      key_id: this.principal?.keyId,
      ...this.#notes,
      ...this.span?.ids,
    });
    if (this.span) {
      const errorCode = this.#notes['error_code'] as string | undefined;
      this.span.set({
        'http.response.status_code': status,
        'switchyard.key_id': this.principal?.keyId,
        'switchyard.error_code': errorCode,
      });
      // A client's error is no failure of the server.
      this.span.end(status >= 500 ? (errorCode ?? String(status)) : null);
    }
    return { operation, status, durationMs };
  }
}

/** A client's own id is taken over only if it cannot do harm in a log or a header. */
function requestIdOf(given: string): string {
  return /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : `req_${ulid()}`;
}

/** The span of a request (https://opentelemetry.io/docs/specs/semconv/http/http-spans/); there is none while nothing is traced. */

/** Begins it, as a part of the trace that the client names. Its name is filled in when its route is known. */
function beginRequestSpan(context: Context, requestId: string): Span | null {
  const tracer = activeTracer();
  if (tracer === null) return null;
  const { method, path, headers, req } = context;
  const { traceparent, tracestate } = headers;
  const incoming = {
    ...(typeof traceparent === 'string' && { traceparent }),
    ...(typeof tracestate === 'string' && { tracestate }),
  };
  return tracer.begin(method, 'server', incoming, {
    'http.request.method': method,
    'url.path': path,
    'url.scheme': context.protocol,
    'network.protocol.version': req.httpVersion,
    'user_agent.original': headers['user-agent'],
    'switchyard.request_id': requestId,
  });
}

/** Names it by its route, which has few values. */
export function nameRequestSpan(span: Span, operation: OperationId): void {
  const { method, path } = operations[operation];
  span.operation = operation;
  span.rename(`${method} ${path}`);
  span.set({ 'http.route': path, 'switchyard.operation': operation });
}

/** How a request ended, as far as its status goes by it. */
interface EndedAs {
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  /** As the contract names it; a build has further codes, which no status shows. */
  readonly errorCode?: string | null;
  readonly clientSaw?: 'nothing' | 'answer' | 'acceptance';
}

/** The HTTP status of a request in the ledger: the one that its client got, or would have got. */
export function ledgerStatus({ status, errorCode, clientSaw = 'nothing' }: EndedAs): number {
  if (clientSaw === 'acceptance') return 202;
  if (status === 'cancelled') return clientClosedRequest;
  if (status === 'succeeded' || clientSaw === 'answer') return 200;
  return (infos[errorCode ?? 'internal_error'] ?? errorCodes.internal_error).status;
}
