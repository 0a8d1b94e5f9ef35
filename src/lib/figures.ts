/** The metrics of a process as plain objects, to be sent to another one: what prom-client gives as JSON. */
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
