import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { addGauge, type LoadFigures, type MetricSources, watchLoad, watchSources } from './gauges.ts';
import type { Figures } from './joint-metrics.ts';

/** A request whose reply is out, or whose client went away. */
export interface EndedRequest {
  /** The contract's operation; null for a page and for what is no operation. */
  readonly operation: string | null;
  readonly status: number;
  readonly durationMs: number;
}

type CacheClass = 'cacheRead' | 'cacheWrite5m' | 'cacheWrite1h';
type MediaClass = 'audioIn' | 'audioOut' | 'imageIn' | 'imageOut';
type TokenClass = 'inputUncached' | 'output' | 'reasoning' | CacheClass | MediaClass;

/** The facts that are counted when an admitted request is settled. */
export interface SettledRequest {
  readonly provider?: string | null;
  readonly usage?: { readonly tokens: Readonly<Record<TokenClass, number>> } | null;
  readonly attempts?: readonly UpstreamAttempt[];
}

interface UpstreamAttempt {
  readonly provider: string;
  readonly outcome: string;
  readonly status: number | null;
  readonly durationMs: number;
}

/** Seconds; from a health check to the longest answer that a model may take. */
const requestBuckets = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const attemptBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/**
 * The metrics for Prometheus. Labels have few values, all of them known from the contract or the configuration: never a
 * tenant, a key, a request, a model or anything else that a client can choose.
 *
 * Counts on the request path are handed over when they are read; prom-client has no such way for histograms.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#counter(
    'requests_total',
    'Requests, by operation and status; 499: the client went away.',
    ['operation', 'status'],
  );
  readonly #durations = new Histogram({
    name: 'switchyard_request_duration_seconds',
    help: 'From the arrival of a request to the end of its reply, streams included.',
    labelNames: ['operation'],
    buckets: requestBuckets,
    registers: [this.#registry],
  });
  readonly #attempts = this.#counter(
    'upstream_attempts_total',
    'Calls to providers, retries and fallbacks included.',
    ['provider', 'outcome', 'status'],
  );
  readonly #attemptDurations = new Histogram({
    name: 'switchyard_upstream_attempt_duration_seconds',
    help: 'From the start of a call to a provider to the end of its answer.',
    labelNames: ['provider'],
    buckets: attemptBuckets,
    registers: [this.#registry],
  });
  readonly #tokens = this.#counter(
    'tokens_total',
    'Tokens used; those of every other kind are among the prompt tokens or the completion tokens.',
    ['provider', 'kind'],
  );
  readonly #decisions = this.#counter(
    'limiter_decisions_total',
    'Admissions and rejections, by the limit that was hit.',
    ['decision', 'limit'],
  );
  readonly #limitsAway = addGauge(
    this.#registry,
    'limits_away',
    'Whether it is unknown at the moment how much of the limits is left: 1, or 0.',
    [],
    undefined,
    'max',
  );

  readonly #analyticsRows = this.#counter(
    'analytics_rows_total',
    'Settled requests that a sink of analytics has taken from this server.',
    ['sink'],
  );
  readonly #analyticsFailures = this.#counter(
    'analytics_failures_total',
    'How often a sink of analytics did not take what was sent.',
    ['sink'],
  );

  readonly #shed = this.#counter(
    'overload_shed_total',
    'Requests that were refused with 503 overloaded, by reason and plan.',
    ['reason', 'plan'],
  );

  constructor(version: string) {
    const info = addGauge(
      this.#registry,
      'info',
      'The version that runs; always 1.',
      ['version'],
      undefined,
      'first',
    );
    info.set({ version }, 1);
    addGauge(this.#registry, 'processes', 'How many processes share the port.', [], (gauge) => gauge.set(1));
  }

  requestEnded({ operation, status, durationMs }: EndedRequest): void {
    const name = operation ?? 'none';
    this.#requests.add(1, name, status);
    this.#durations.observe({ operation: name }, durationMs / 1000);
  }

  /** @param limit the one that was hit; null: the request was admitted. */
  admissionDecided(limit: string | null): void {
    const decision = limit === null ? 'admitted' : 'rejected';
    this.#decisions.add(1, decision, limit ?? 'none');
  }

  requestShed(reason: string, plan: string): void {
    this.#shed.add(1, reason, plan);
  }

  admissionSettled({ provider, usage, attempts = [] }: SettledRequest): void {
    for (const { provider, outcome, status, durationMs } of attempts) {
      this.#attempts.add(1, provider, outcome, status ?? 'none');
      // A call that the breaker spared took no time.
      if (outcome !== 'skipped') this.#attemptDurations.observe({ provider }, durationMs / 1000);
    }
    if (!usage || !provider) return;
    const { tokens } = usage;
    const cacheWrites = tokens.cacheWrite5m + tokens.cacheWrite1h;
    this.#count(provider, 'prompt', tokens.inputUncached + tokens.cacheRead + cacheWrites);
    this.#count(provider, 'completion', tokens.output);
    this.#count(provider, 'cached', tokens.cacheRead);
    this.#count(provider, 'cache_write_5m', tokens.cacheWrite5m);
    this.#count(provider, 'cache_write_1h', tokens.cacheWrite1h);
    this.#count(provider, 'audio_prompt', tokens.audioIn);
    this.#count(provider, 'image_prompt', tokens.imageIn);
    this.#count(provider, 'reasoning', tokens.reasoning);
    this.#count(provider, 'audio_completion', tokens.audioOut);
    this.#count(provider, 'image_completion', tokens.imageOut);
  }

  limitsAway(away: boolean): void {
    this.#limitsAway.set(away ? 1 : 0);
  }

  /** Most answers have prompt and completion tokens alone, and counting the others would cost as much. */
  #count(provider: string, kind: string, tokens: number): void {
    if (tokens > 0) this.#tokens.add(tokens, provider, kind);
  }

  analyticsSent(sink: string, rows: number): void {
    this.#analyticsRows.add(rows, sink);
  }

  analyticsFailed(sink: string): void {
    this.#analyticsFailures.add(1, sink);
  }

  /** Adds what is read when it is asked for. */
  watch(sources: MetricSources): void {
    watchSources(this.#registry, sources);
  }

  /** Adds the load, as it is when it is asked for. */
  watchLoad(load: () => LoadFigures, plans: readonly string[]): void {
    watchLoad(this.#registry, load, plans);
  }

  /** Adds the process: memory, CPU, garbage collection and the delay of the event loop. For one a process. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /**
   * The text format of Prometheus, version 0.0.4.
   * @param figuresOfAll what all processes have counted that share the port; left out: there is one
   */
  async render(figuresOfAll?: () => Promise<readonly Figures[]>): Promise<string> {
    if (figuresOfAll === undefined) return this.#registry.metrics();
    return (await import('./joint-metrics.ts')).joinedText(await figuresOfAll());
  }

  /** The same as plain objects, of this process alone. */
  async read(): Promise<Figures> {
    return (await this.#registry.getMetricsAsJSON()) as unknown as Figures;
  }

  /** The same of this process, as one of several. */
  async figures(process: number): Promise<Figures> {
    const { labelled } = await import('./joint-metrics.ts');
    return labelled(await this.read(), process);
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Tally<Label> {
    const tally = new Tally(labelNames);
    new Counter({
      name: `switchyard_${name}`,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        tally.handOver(this);
      },
    });
    return tally;
  }
}

type LabelValue = string | number;

/** The counts under the values of the first labels, and under those of the others. */
class Branch {
  readonly below = new Map<LabelValue, Branch>();
  count = 0;
}

/**
 * The counts of a Prometheus counter, as plain numbers: they are handed over when the counter is read. prom-client's own
 * makes a text of the labels each time; all counts of a chat took 2.5 µs of CPU time that way (prom-client 15.1.3,
 * 2026-11-23).
 */
export class Tally<Label extends string> {
  readonly #labels: readonly Label[];
  readonly #root = new Branch();

  constructor(labels: readonly Label[]) {
    this.#labels = labels;
  }

  /** @param values of the labels, in their order */
  add(amount: number, ...values: readonly LabelValue[]): void {
    let branch = this.#root;
    for (const value of values) {
      let next = branch.below.get(value);
      if (next === undefined) {
        next = new Branch();
        branch.below.set(value, next);
      }
      branch = next;
    }
    branch.count += amount;
  }

  /** Adds to the counter what has been counted since it was read last. */
  handOver(counter: Counter<Label>): void {
    this.#handOver(counter, this.#root, {});
  }

  #handOver(counter: Counter<Label>, branch: Branch, labels: Partial<Record<Label, LabelValue>>): void {
    if (branch.count > 0) counter.inc(labels, branch.count);
    branch.count = 0;
    const label = this.#labels[Object.keys(labels).length];
    if (label === undefined) return;
    for (const [value, below] of branch.below)
      this.#handOver(counter, below, { ...labels, [label]: value } as typeof labels);
  }
}
