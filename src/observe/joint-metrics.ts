import { AggregatorRegistry } from 'prom-client';
import type { Figures } from '../lib/figures.ts';

/** Figures of several processes as one: added up, or joined otherwise where the metric says so. */
export async function joined(all: readonly Figures[]): Promise<Figures> {
  return (await AggregatorRegistry.aggregate([...all]).getMetricsAsJSON()) as unknown as Figures;
}

/** The same in the text format of Prometheus. */
export function joinedText(all: readonly Figures[]): Promise<string> {
  return AggregatorRegistry.aggregate([...all]).metrics();
}

/** What is of the process itself, such as its memory, says in a label of which one, and so is never added to another's. */
export function labelled(figures: Figures, process: number): Figures {
  return figures.map((metric) => {
    if (metric.name.startsWith('switchyard_')) return metric;
    const values = metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } }));
    return { ...metric, aggregator: 'first', values };
  });
}
