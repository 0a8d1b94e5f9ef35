import { type Aggregator, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Figures } from '../lib/figures.ts';
import { Tally } from './tally.ts';

/** A request whose reply is out, or whose client went away. */
export interface EndedRequest {
  /** The contract's operation; null for a page and for what is no operation. */
  readonly operation: string | null;
  readonly status: number;
  readonly durationMs: number;
}

/** What is counted of an admitted request when it is settled. */
export interface SettledRequest {
  readonly provider?: string | null;
  readonly usage?: TokenUsage | null;
  readonly attempts?: readonly UpstreamAttempt[];
}

interface TokenUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details: {
    readonly cached_tokens: number;
    readonly cache_write_5m_tokens?: number;
    readonly cache_write_1h_tokens?: number;
    readonly audio_tokens?: number;
    readonly image_tokens?: number;
  };
  readonly completion_tokens_details: {
    readonly reasoning_tokens: number;
    readonly audio_tokens?: number;
    readonly image_tokens?: number;
  };
}

interface UpstreamAttempt {
  readonly provider: string;
  readonly outcome: string;
  readonly status: number | null;
  readonly durationMs: number;
}

/** What is read at the moment somebody asks for the metrics. */
export interface MetricSources {
  runningRequests(): number;
  /** WebSockets that are open; left out: there are to be none. */
  readonly responsesSockets?: () => number;
  /** Admitted requests that are not settled yet. */
  openAdmissions(): number;
  /** Settlements that are not on disk yet. */
  waitingSettlements(): number;
  /** The memory for everything in flight, in bytes. */
  readonly budget: { readonly held: number; readonly limit: number; readonly refusals: number };
  /** How long a sink of analytics has waited for a request, at most, in milliseconds, by sink; rejects without a database. */
  analyticsLagMs?(): Promise<Readonly<Record<string, number>>>;
  /** What the checks of the server's health find. Never rejects. */
  health(): Promise<Readonly<Record<string, { readonly ok: boolean }>>>;
}

/** The load of a process, as far as it is shown. */
export interface LoadFigures {
  readonly state: string;
  readonly running: number;
  readonly limit: number;
  readonly waiting: ReadonlyMap<string, number>;
}

/** Seconds; from a health check to the longest answer that a model may take. */
const requestBuckets = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const attemptBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/**
 * What Prometheus reads. Labels have few values, all of them known from the contract or the configuration: never a
 * tenant, a key, a request, a model or anything else that a client can choose.
 *
 * What is counted on the way of each request is handed over when somebody reads it; prom-client has no such way for histograms.
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
  readonly #limitsAway = this.#gauge(
    'limits_away',
    'Whether nobody can say at the moment how much of the limits is left: 1, or 0.',
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
    const info = this.#gauge('info', 'The version that runs; always 1.', ['version'], undefined, 'first');
    info.set({ version }, 1);
    this.#gauge('processes', 'How many processes share the port.', [], () => 1);
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
    this.#count(provider, 'prompt', usage.prompt_tokens);
    this.#count(provider, 'completion', usage.completion_tokens);
    const { prompt_tokens_details: read, completion_tokens_details: written } = usage;
    this.#count(provider, 'cached', read.cached_tokens);
    this.#count(provider, 'cache_write_5m', read.cache_write_5m_tokens);
    this.#count(provider, 'cache_write_1h', read.cache_write_1h_tokens);
    this.#count(provider, 'audio_prompt', read.audio_tokens);
    this.#count(provider, 'image_prompt', read.image_tokens);
    this.#count(provider, 'reasoning', written.reasoning_tokens);
    this.#count(provider, 'audio_completion', written.audio_tokens);
    this.#count(provider, 'image_completion', written.image_tokens);
  }

  limitsAway(away: boolean): void {
    this.#limitsAway.set(away ? 1 : 0);
  }

  /** Most answers have prompt and completion tokens alone, and counting the others would cost as much. */
  #count(provider: string, kind: string, tokens = 0): void {
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
    const { runningRequests, openAdmissions, waitingSettlements, health, budget, analyticsLagMs } = sources;
    this.#gauge('requests_running', 'Requests that are being answered.', [], runningRequests);
    const { responsesSockets } = sources;
    if (responsesSockets)
      this.#gauge('responses_sockets', 'WebSockets on /v1/responses that are open.', [], responsesSockets);
    this.#gauge('ledger_open_admissions', 'Admitted requests that are not settled yet.', [], openAdmissions);
    this.#gauge(
      'ledger_settlements_waiting',
      'Settlements that are not on disk yet.',
      [],
      waitingSettlements,
    );
    const { limit } = budget;
    this.#gauge(
      'buffer_bytes',
      'Memory that requests and answers in flight have taken.',
      [],
      () => budget.held,
    );
    this.#gauge('buffer_limit_bytes', 'Memory that they may take in all.', [], () => limit);
    this.#gauge('buffer_refusals', 'How often there was none left.', [], () => budget.refusals);
    if (analyticsLagMs) this.#watchLag(analyticsLagMs);
    new Gauge({
      name: 'switchyard_check_up',
      help: 'Whether a check of `GET /readyz` passes: 1, or 0 when it fails.',
      labelNames: ['check'],
      aggregator: 'min',
      registers: [this.#registry],
      async collect() {
        for (const [check, { ok }] of Object.entries(await health())) this.set({ check }, ok ? 1 : 0);
      },
    });
  }

  #watchLag(analyticsLagMs: () => Promise<Readonly<Record<string, number>>>): void {
    new Gauge({
      name: 'switchyard_analytics_lag_seconds',
      help: 'How long the settled request has waited that a sink of analytics has waited for longest; 0: none waits.',
      labelNames: ['sink'],
      aggregator: 'max',
      registers: [this.#registry],
      async collect() {
        // Without its database the server has other metrics to say so.
        const lags = await analyticsLagMs().catch(() => ({}));
        this.reset();
        for (const [sink, lagMs] of Object.entries(lags)) this.set({ sink }, lagMs / 1000);
      },
    });
  }

  /** Adds the load, as it is when it is asked for. */
  watchLoad(load: () => LoadFigures, plans: readonly string[]): void {
    const shedding = () => (load().state === 'shedding' ? 1 : 0);
    this.#gauge(
      'overload_shedding',
      'Whether requests are shed: 1, or 0 while all is well.',
      [],
      shedding,
      'max',
    );
    const running = () => load().running;
    this.#gauge('overload_running', 'Requests of tenants that have their turn.', [], running);
    const limit = () => load().limit;
    this.#gauge('overload_running_limit', 'How many may have it; fewer after pressure.', [], limit);
    new Gauge({
      name: 'switchyard_overload_waiting',
      help: 'Requests of tenants that wait for their turn, by plan.',
      labelNames: ['plan'],
      registers: [this.#registry],
      collect() {
        const { waiting } = load();
        for (const plan of plans) this.set({ plan }, waiting.get(plan) ?? 0);
      },
    });
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

  /** @param aggregator what becomes of it where several processes have it */
  #gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read?: () => number,
    aggregator: Aggregator = 'sum',
  ): Gauge<Label> {
    return new Gauge({
      name: `switchyard_${name}`,
      help,
      labelNames,
      aggregator,
      registers: [this.#registry],
      ...(read && {
        collect() {
          this.set(read());
        },
      }),
    });
  }
}
