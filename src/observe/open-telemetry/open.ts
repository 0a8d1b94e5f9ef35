/** Sends traces, metrics and logs to a collector by OTLP over HTTP. Loaded only where there is one. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DiagLogLevel,
  diag,
  type Logger,
  ROOT_CONTEXT,
  SeverityNumber,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { schemaUrl } from '../../lib/gen-ai-conventions.ts';
import type { Secret } from '../../lib/redact.ts';
import { traceBy } from '../../lib/trace.ts';
import type { Figures } from '../joint-metrics.ts';
import { genAiMetrics } from './gen-ai-metrics.ts';

import { prometheusMetrics } from './prometheus-metrics.ts';

import { SpanMaker } from './span.ts';

/** By the levels of pino. */
const severities: Readonly<Record<number, SeverityNumber>> = {
  10: SeverityNumber.TRACE,
  20: SeverityNumber.DEBUG,
  30: SeverityNumber.INFO,
  40: SeverityNumber.WARN,
  50: SeverityNumber.ERROR,
  60: SeverityNumber.FATAL,
};

/** How long a stopping server waits for the collector, in milliseconds. */
const drainNoticeMs = 3_000;
/** How long an export may take, in milliseconds; it holds up nothing but the next one. */
const exportMs = 10_000;
/** Minimum pause between reports of problems with the collector, in milliseconds. */
const problemEveryMs = 60_000;
/** Maximum length of an attribute; prompts and answers, where they are wanted, may be longer. */
const attributeLength = 4_096;
const contentLength = 262_144;

interface TelemetryParts extends TelemetrySettings {
  readonly version: string;
  /** This process among those that send. */
  readonly instanceId: string;
  /** The metrics for Prometheus. */
  readonly figures: () => Promise<Figures>;
  /** Called at intervals while the collector cannot be reached or refuses data. */
  readonly onProblem: (message: string, times: number) => void;
}

/** The settings that begin with `OTEL_`. */
interface TelemetrySettings {
  /** As `name=value,name=value`. */
  readonly telemetryHeaders: Secret | null;
  readonly telemetryTraces: 'otlp' | 'none';
  readonly telemetryMetrics: 'otlp' | 'none';
  readonly telemetryLogs: 'otlp' | 'none';
  readonly telemetryService: string;
  readonly telemetrySampler: SamplerName;
  readonly telemetryShare: number;
  /** How long spans are gathered, and how often metrics are sent, in milliseconds. */
  readonly telemetrySpansMs: number;
  readonly telemetryMetricsMs: number;
  readonly telemetryNames: string | null;
  readonly telemetryContents: 'true' | 'false';
}

export interface Telemetry {
  /** Takes lines of the log; null: they are not sent. */
  readonly takeLine: ((line: string) => void) | null;
  /** Sends what is left, for three seconds at most. Never rejects. */
  close(): Promise<void>;
}

/**
 * Traces from now on. A collector that is unreachable, slow or answers nonsense costs no request anything: the queue is
 * bounded, and the rest is dropped. Addresses, compression and further limits are read by the exporters, from the variables
 * of the specification (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
 */
export function openTelemetry(parts: TelemetryParts): Telemetry {
  const { version, instanceId, telemetryService, telemetryHeaders } = parts;
  diag.setLogger(problemsTo(parts.onProblem), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const resource = resourceFromAttributes({
    'service.version': version,
    'service.instance.id': instanceId,
  }).merge(
    detectResources({ detectors: [envDetector] }).merge(
      resourceFromAttributes({ 'service.name': telemetryService }),
    ),
  );
  const exporter = {
    timeoutMillis: exportMs,
    ...(telemetryHeaders && { headers: parseKeyPairsIntoRecord(telemetryHeaders.reveal()) }),
  };
  const latestNames = (parts.telemetryNames ?? '')
    .split(',')
    .some((name) => name.trim() === 'gen_ai_latest_experimental');
  const contents = parts.telemetryContents === 'true';
  const closing: (() => Promise<void>)[] = [];

  let countCalls: ReturnType<typeof genAiMetrics> = () => undefined;
  if (parts.telemetryMetrics === 'otlp') {
    const reader = new PeriodicExportingMetricReader({
      exporter: new OTLPMetricExporter(exporter),
      exportIntervalMillis: parts.telemetryMetricsMs,
      exportTimeoutMillis: Math.min(parts.telemetryMetricsMs, exportMs),
      metricProducers: [prometheusMetrics(parts.figures)],
    });
    const meters = new MeterProvider({ resource, readers: [reader] });
    countCalls = genAiMetrics(meters.getMeter('switchyard', version, { schemaUrl }), latestNames);
    closing.push(() => meters.shutdown());
  }
  if (parts.telemetryTraces === 'otlp') {
    const spans = new TracerProvider({
      resource,
      sampler: samplerOf(parts.telemetrySampler, parts.telemetryShare),
      spanLimits: { attributeValueLengthLimit: contents ? contentLength : attributeLength },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: new OTLPTraceExporter(exporter),
          scheduledDelayMillis: parts.telemetrySpansMs,
          exportTimeoutMillis: exportMs,
        }),
      ],
    });
    const tracer = spans.getTracer('switchyard', version, { schemaUrl });
    traceBy(new SpanMaker({ tracer, contents, latestNames, onEnd: (end) => countCalls(end) }));
    closing.push(() => spans.shutdown());
  }
  let takeLine: Telemetry['takeLine'] = null;
  if (parts.telemetryLogs === 'otlp') {
    const logs = new LoggerProvider({
      resource,
      processors: [
        new BatchLogRecordProcessor({
          exporter: new OTLPLogExporter(exporter),
          exportTimeoutMillis: exportMs,
        }),
      ],
    });
    takeLine = logRecords(logs.getLogger('switchyard', version));
    closing.push(() => logs.shutdown());
  }
  return {
    takeLine,
    async close() {
      const left = Promise.allSettled(closing.map((close) => close()));
      await Promise.race([left, sleep(drainNoticeMs, undefined, { ref: false })]);
      traceBy(null);
    },
  };
}

/** Reports the first problem at once, and the number of those that come soon after it. */
function problemsTo(onProblem: TelemetryParts['onProblem']) {
  let toldAt = Number.NEGATIVE_INFINITY;
  let times = 0;
  const tell = (message: string) => {
    times += 1;
    if (performance.now() - toldAt < problemEveryMs) return;
    toldAt = performance.now();
    onProblem(message, times);
    times = 0;
  };
  const ignore = () => undefined;
  return { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore };
}

/** Gives lines of the log, which have no secrets in them by then, to a logger of OpenTelemetry. */
function logRecords(logger: Logger): (line: string) => void {
  return (line) => {
    const { level, time, msg, trace_id: traceId, span_id: spanId, ...attributes } = JSON.parse(line);
    const severityNumber = severities[level as number] ?? SeverityNumber.UNSPECIFIED;
    logger.emit({
      timestamp: new Date(time as string),
      severityNumber,
      severityText: SeverityNumber[severityNumber] ?? '',
      body: String(msg ?? ''),
      attributes,
      context:
        typeof traceId === 'string' && typeof spanId === 'string'
          ? trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED })
          : ROOT_CONTEXT,
    });
  };
}

/** The values of `OTEL_TRACES_SAMPLER`. */
type SamplerName = `${'' | 'parentbased_'}${'always_on' | 'always_off' | 'traceidratio'}`;

/**
 * Decides which traces are kept
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration).
 * @param share of those that `traceidratio` keeps, 0 to 1
 */
function samplerOf(name: SamplerName, share: number): Sampler {
  const roots = {
    always_on: new AlwaysOnSampler(),
    always_off: new AlwaysOffSampler(),
    traceidratio: new TraceIdRatioBasedSampler(share),
  };
  const root = roots[name.replace('parentbased_', '') as keyof typeof roots];
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}
