import {
  type Context,
  type Attributes as OtelAttributes,
  SpanKind as OtelKind,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Attributes, Span, SpanKind, TraceHeaders, Tracer } from '../../lib/trace.ts';

/** The use of spans beside their export, whether they are sampled or not. */
export interface SpanEnd {
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly durationMs: number;
  readonly failure: string | null;
}

interface SpanParts {
  readonly tracer: OtelTracer;
  readonly contents: boolean;
  readonly latestNames: boolean;
  readonly onEnd: (end: SpanEnd) => void;
}

const kinds: Readonly<Record<SpanKind, OtelKind>> = {
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  internal: OtelKind.INTERNAL,
};

const propagator = new W3CTraceContextPropagator();
const getter = {
  keys: (carrier: TraceHeaders) => Object.keys(carrier),
  get: (carrier: TraceHeaders, name: string) => carrier[name as keyof TraceHeaders],
};
const setter = {
  set(carrier: Record<string, string>, name: string, value: string) {
    carrier[name] = value;
  },
};

/** Our spans as those of OpenTelemetry's SDK, which samples and exports them. */
export class SpanMaker implements Tracer {
  readonly #parts: SpanParts;

  constructor(parts: SpanParts) {
    this.#parts = parts;
  }

  get contents(): boolean {
    return this.#parts.contents;
  }

  get latestNames(): boolean {
    return this.#parts.latestNames;
  }

  begin(name: string, kind: SpanKind, parent: Span | TraceHeaders | null, attributes: Attributes): Span {
    const context = contextOf(parent);
    const parentOperation = parent instanceof MadeSpan ? parent.operation : null;
    const span = this.#parts.tracer.startSpan(
      name,
      { kind: kinds[kind], attributes: attributes as OtelAttributes },
      context,
    );
    return new MadeSpan(this.#parts, span, trace.setSpan(context, span), kind, attributes, parentOperation);
  }
}

function contextOf(parent: Span | TraceHeaders | null): Context {
  if (parent === null) return ROOT_CONTEXT;
  if (parent instanceof MadeSpan) return parent.context;
  return propagator.extract(ROOT_CONTEXT, parent as TraceHeaders, getter);
}

class MadeSpan implements Span {
  readonly context: Context;
  operation: string | null;
  readonly #parts: SpanParts;
  readonly #span: OtelSpan;
  readonly #kind: SpanKind;
  readonly #begunAt = performance.now();
  #attributes: Attributes;
  #over = false;

  constructor(
    parts: SpanParts,
    span: OtelSpan,
    context: Context,
    kind: SpanKind,
    attributes: Attributes,
    operation: string | null,
  ) {
    this.#parts = parts;
    this.#span = span;
    this.context = context;
    this.#kind = kind;
    this.#attributes = attributes;
    this.operation = operation;
  }

  get ids() {
    const { traceId, spanId } = this.#span.spanContext();
    return { trace_id: traceId, span_id: spanId };
  }

  get headers(): TraceHeaders {
    const carrier: Record<string, string> = {};
    propagator.inject(this.context, carrier, setter);
    return carrier;
  }

  set(attributes: Attributes): void {
    if (this.#over) return;
    this.#attributes = { ...this.#attributes, ...attributes };
    this.#span.setAttributes(attributes as OtelAttributes);
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  end(failure: string | null = null): void {
    if (this.#over) return;
    this.#over = true;
    if (failure !== null) {
      this.#span.setAttribute('error.type', failure);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
    const durationMs = performance.now() - this.#begunAt;
    this.#parts.onEnd({ kind: this.#kind, attributes: this.#attributes, durationMs, failure });
  }
}
