import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { Figures } from '../joint-metrics.ts';

type Figure = Figures[number];
type Value = Figure['values'][number];

/** Gives what Prometheus reads to an exporter of OpenTelemetry, by the same names, so that nothing is counted twice. */
export function prometheusMetrics(read: () => Promise<Figures>): MetricProducer {
  const startTime = millisToHrTime(Date.now());
  return {
    async collect(): Promise<CollectionResult> {
      const scope = { name: 'switchyard' };
      try {
        const endTime = millisToHrTime(Date.now());
        const metrics = (await read()).flatMap((figure) => metricOf(figure, startTime, endTime));
        return {
          resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope, metrics }] },
          errors: [],
        };
      } catch (error) {
        return { resourceMetrics: { resource: emptyResource(), scopeMetrics: [] }, errors: [error] };
      }
    },
  };
}

function metricOf(figure: Figure, startTime: HrTime, endTime: HrTime): MetricData[] {
  const descriptor = { name: figure.name, description: figure.help, unit: '', valueType: ValueType.DOUBLE };
  const metric = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  const times = { startTime, endTime };
  const point = ({ value, labels }: Value) => ({ ...times, attributes: labels as Attributes, value });
  if (figure.type === 'counter') {
    const dataPoints = figure.values.map(point);
    return [{ ...metric, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }];
  }
  if (figure.type === 'gauge') {
    const dataPoints = figure.values.filter(({ value }) => Number.isFinite(value)).map(point);
    return [{ ...metric, dataPointType: DataPointType.GAUGE, dataPoints }];
  }
  if (figure.type !== 'histogram') return [];
  const dataPoints = [...bySeries(figure.values).values()].map(({ labels, values }) => ({
    ...times,
    attributes: labels,
    value: histogramOf(figure.name, values),
  }));
  return [{ ...metric, dataPointType: DataPointType.HISTOGRAM, dataPoints }];
}

function bySeries(values: readonly Value[]) {
  const series = new Map<string, { readonly labels: Attributes; readonly values: Value[] }>();
  for (const value of values) {
    const { le: _, ...labels } = value.labels as Record<string, string>;
    const name = JSON.stringify(labels);
    const found = series.get(name) ?? { labels, values: [] };
    found.values.push(value);
    series.set(name, found);
  }
  return series;
}

/** Prometheus counts in each bucket what is in those below it, too; OpenTelemetry does not. */
function histogramOf(name: string, values: readonly Value[]) {
  const of = (end: string) => values.find(({ metricName }) => metricName === `${name}_${end}`)?.value ?? 0;
  const buckets = values
    .filter(({ metricName }) => metricName === `${name}_bucket`)
    .map(({ labels, value }) => ({
      end: Number((labels as { le: string | number }).le === '+Inf' ? Infinity : labels['le']),
      value,
    }))
    .sort((one, other) => one.end - other.end);
  return {
    buckets: {
      boundaries: buckets.map(({ end }) => end).filter(Number.isFinite),
      counts: buckets.map(({ value }, at) => value - (buckets[at - 1]?.value ?? 0)),
    },
    sum: of('sum'),
    count: of('count'),
  };
}
