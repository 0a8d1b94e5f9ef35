import { type Logger, ROOT_CONTEXT, SeverityNumber, TraceFlags, trace } from '@opentelemetry/api';

/** By the levels of pino. */
const severities: Readonly<Record<number, SeverityNumber>> = {
  10: SeverityNumber.TRACE,
  20: SeverityNumber.DEBUG,
  30: SeverityNumber.INFO,
  40: SeverityNumber.WARN,
  50: SeverityNumber.ERROR,
  60: SeverityNumber.FATAL,
};

/** Gives lines of the log, which have no secrets in them by then, to a logger of OpenTelemetry. */
export function logRecords(logger: Logger): (line: string) => void {
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
