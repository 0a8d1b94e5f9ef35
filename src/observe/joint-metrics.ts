import { AggregatorRegistry } from 'prom-client';

/** The metrics of a process as plain objects, to be sent to another one: prom-client's JSON. */
export type Figures = readonly {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator: string;
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Partial<Record<string, string | number>>>;
    /** In a histogram, of which of its series the value is. */
    readonly metricName?: string;
  }[];
}[];

/** Figures of several processes as one: added up, or joined otherwise where the metric says so. */
export async function joined(all: readonly Figures[]): Promise<Figures> {
  return (await AggregatorRegistry.aggregate([...all]).getMetricsAsJSON()) as unknown as Figures;
}

/** The same in the text format of Prometheus. */
export function joinedText(all: readonly Figures[]): Promise<string> {
  return AggregatorRegistry.aggregate([...all]).metrics();
}

/** Figures of the process itself, such as its memory, have a label with its number, so they are never added to another's. */
export function labelled(figures: Figures, process: number): Figures {
  return figures.map((metric) => {
    if (metric.name.startsWith('switchyard_')) return metric;
    const values = metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } }));
    return { ...metric, aggregator: 'first', values };
  });
}
