/**
 * Tracing: spans of requests, of their calls to vendors and tools, and of work in the background. Off, which is how a
 * server starts, each place is one look at a variable; `observe/open-telemetry/` turns it on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Undefined values are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export type SpanKind = 'server' | 'client' | 'internal';

/** Trace context as headers carry it (https://www.w3.org/TR/trace-context/). */
export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

export interface Span {
  /** For lines of the log. */
  readonly ids: { readonly trace_id: string; readonly span_id: string };
  /** The operation of the contract that it is of, once that is known; null: none. */
  operation: string | null;
  /** For requests that are sent on its behalf. */
  readonly headers: TraceHeaders;
  /** Does nothing once it has ended: a build is settled long after the request that asked for it. */
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** @param failure of few values, such as the code of an error; null: it went well. Later calls do nothing. */
  end(failure?: string | null): void;
}

export interface Tracer {
  /** Whether prompts and answers are wanted in spans. */
  readonly contents: boolean;
  /** Whether names are wanted that conventions are about to have. */
  readonly latestNames: boolean;
  /** @param parent a span of this process, the headers of who asks, or null for a trace of its own */
  begin(name: string, kind: SpanKind, parent: Span | TraceHeaders | null, attributes: Attributes): Span;
}

/** One for the process, as what it sends to is. */
let tracer: Tracer | null = null;
const current = new AsyncLocalStorage<Span>();

/** Traces from now on; null: no more. */
export function traceBy(next: Tracer | null): void {
  tracer = next;
}

/** Null while nothing is traced. */
export function activeTracer(): Tracer | null {
  return tracer;
}

/** The span that what runs now belongs to; null: none, or nothing is traced. */
export function currentSpan(): Span | null {
  return tracer === null ? null : (current.getStore() ?? null);
}

/** Runs work, and all that it leads to, as a part of a span. */
export function inSpan<Result>(span: Span | null, work: () => Result): Result {
  return span === null ? work() : current.run(span, work);
}

/** A span within the current one; null while nothing is traced. */
export function beginSpan(name: string, kind: SpanKind, attributes: () => Attributes): Span | null {
  return tracer === null ? null : tracer.begin(name, kind, currentSpan(), attributes());
}

/** A span of work that belongs to no request; null while nothing is traced. */
export function beginTrace(name: string, kind: SpanKind, attributes: () => Attributes): Span | null {
  return tracer === null ? null : tracer.begin(name, kind, null, attributes());
}

/** Runs work in a span of its own, which ends with it. */
export async function traced<Result>(
  span: Span | null,
  work: () => Promise<Result>,
  failureOf: (thrown: unknown) => string,
): Promise<Result> {
  if (span === null) return work();
  try {
    const result = await inSpan(span, work);
    span.end();
    return result;
  } catch (thrown) {
    span.end(failureOf(thrown));
    throw thrown;
  }
}
