/** The span of a request (https://opentelemetry.io/docs/specs/semconv/http/http-spans/); there is none while nothing is traced. */
import type { Context } from 'koa';
import { operations } from '../../generated/operations.gen.ts';
import type { OperationId } from '../contract/registry.ts';
import { activeTracer, type Span } from '../lib/trace.ts';

/** Begins it, as a part of the trace that the client names. Its name is filled in when its route is known. */
export function beginRequestSpan(context: Context, requestId: string): Span | null {
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

export interface RequestEnd {
  readonly status: number;
  readonly keyId: string | undefined;
  readonly errorCode: string | undefined;
}

/** Ends it. What a client did wrong is no failure of the server. */
export function endRequestSpan(span: Span, { status, keyId, errorCode }: RequestEnd): void {
  span.set({
    'http.response.status_code': status,
    'switchyard.key_id': keyId,
    'switchyard.error_code': errorCode,
  });
  span.end(status >= 500 ? (errorCode ?? String(status)) : null);
}
