import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

/** A span as a collector gets it, with its attributes as plain values. */
export interface SentSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

export interface SentLog {
  readonly body: string;
  readonly severityText: string;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface SentMetric {
  readonly name: string;
  readonly unit?: string;
  readonly sum?: {
    readonly dataPoints: readonly Point[];
    readonly isMonotonic: boolean;
    readonly aggregationTemporality: number;
  };
  readonly gauge?: { readonly dataPoints: readonly Point[] };
  readonly histogram?: { readonly dataPoints: readonly (Point & HistogramPoint)[] };
}

interface Point {
  readonly attributes: readonly KeyValue[];
  readonly asDouble?: number;
}

interface HistogramPoint {
  readonly count: number;
  readonly sum: number;
  readonly bucketCounts: readonly number[];
  readonly explicitBounds: readonly number[];
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** What takes OTLP over HTTP, as JSON (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
export interface Collector {
  readonly url: string;
  readonly spans: SentSpan[];
  readonly logs: SentLog[];
  /** As they were sent last, by name. */
  readonly metrics: Map<string, SentMetric>;
  readonly resources: Readonly<Record<string, unknown>>[];
  readonly headers: IncomingHttpHeaders[];
  readonly paths: string[];
  /** Everything that came, as text. */
  text: string;
}

/** @param answer how requests are answered; left out: they are taken */
export async function startCollector(
  answer: { readonly status: number; readonly body: string; readonly afterMs?: number } = {
    status: 200,
    body: '{}',
  },
): Promise<Collector> {
  const collector: Collector = {
    url: '',
    spans: [],
    logs: [],
    metrics: new Map(),
    resources: [],
    headers: [],
    paths: [],
    text: '',
  };
  const server = createServer(async (req, res) => {
    const pieces: Buffer[] = [];
    for await (const piece of req) pieces.push(piece as Buffer);
    const bytes = Buffer.concat(pieces);
    const text = (req.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
    collector.text += text;
    collector.headers.push(req.headers);
    collector.paths.push(req.url ?? '');
    take(collector, JSON.parse(text));
    setTimeout(() => {
      res.writeHead(answer.status, { 'content-type': 'application/json' });
      res.end(answer.body);
    }, answer.afterMs ?? 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(collector, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

// biome-ignore lint/suspicious/noExplicitAny: what a program sends that is tested
function take(collector: Collector, sent: any): void {
  for (const { resource, scopeSpans } of sent.resourceSpans ?? []) {
    collector.resources.push(valuesOf(resource.attributes));
    for (const { spans } of scopeSpans)
      for (const span of spans) collector.spans.push({ ...span, attributes: valuesOf(span.attributes) });
  }
  for (const { scopeLogs } of sent.resourceLogs ?? [])
    for (const { logRecords } of scopeLogs)
      for (const record of logRecords)
        collector.logs.push({
          ...record,
          body: record.body.stringValue,
          attributes: valuesOf(record.attributes),
        });
  for (const { scopeMetrics } of sent.resourceMetrics ?? [])
    for (const { metrics } of scopeMetrics)
      for (const metric of metrics) collector.metrics.set(metric.name, metric);
}

export function valuesOf(attributes: readonly KeyValue[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
}

function plain(value: Readonly<Record<string, unknown>>): unknown {
  const [kind, held] = Object.entries(value)[0] ?? [];
  if (kind === 'intValue') return Number(held);
  if (kind === 'arrayValue')
    return (held as { readonly values: readonly Record<string, unknown>[] }).values.map(plain);
  return held;
}
