import { type Aggregator, Gauge, type Registry } from 'prom-client';

/** Gauges that are read on each scrape. */
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
  /** The results of the server's health checks. Never rejects. */
  health(): Promise<Readonly<Record<string, { readonly ok: boolean }>>>;
}

/** The load of a process, as far as it is shown. */
export interface LoadFigures {
  readonly state: string;
  readonly running: number;
  readonly limit: number;
  readonly waiting: ReadonlyMap<string, number>;
}

/** Adds what is read when it is asked for. */
export function watchSources(registry: Registry, sources: MetricSources): void {
  const { runningRequests, openAdmissions, waitingSettlements, health, budget, analyticsLagMs } = sources;
  const { responsesSockets } = sources;
  const { limit } = budget;
  const gauges: readonly (readonly [name: string, help: string, read: () => number])[] = [
    ['requests_running', 'Requests that are being answered.', runningRequests],
    ...(responsesSockets
      ? [['responses_sockets', 'WebSockets on /v1/responses that are open.', responsesSockets] as const]
      : []),
    ['ledger_open_admissions', 'Admitted requests that are not settled yet.', openAdmissions],
    ['ledger_settlements_waiting', 'Settlements that are not on disk yet.', waitingSettlements],
    ['buffer_bytes', 'Memory that requests and answers in flight have taken.', () => budget.held],
    ['buffer_limit_bytes', 'Memory that they may take in all.', () => limit],
    ['buffer_refusals', 'How often there was none left.', () => budget.refusals],
  ];
  for (const [name, help, read] of gauges) addGauge(registry, name, help, [], (gauge) => gauge.set(read()));
  if (analyticsLagMs) watchLag(registry, analyticsLagMs);
  const passes = 'Whether a check of `GET /readyz` passes: 1, or 0 when it fails.';
  const readChecks = async (gauge: Gauge<'check'>) => {
    for (const [check, { ok }] of Object.entries(await health())) gauge.set({ check }, ok ? 1 : 0);
  };
  addGauge(registry, 'check_up', passes, ['check'], readChecks, 'min');
}

function watchLag(registry: Registry, analyticsLagMs: () => Promise<Readonly<Record<string, number>>>): void {
  const help =
    'How long the settled request has waited that a sink of analytics has waited for longest; 0: none waits.';
  const read = async (gauge: Gauge<'sink'>) => {
    // Without its database the server has other metrics to say so.
    const lags = await analyticsLagMs().catch(() => ({}));
    gauge.reset();
    for (const [sink, lagMs] of Object.entries(lags)) gauge.set({ sink }, lagMs / 1000);
  };
  addGauge(registry, 'analytics_lag_seconds', help, ['sink'], read, 'max');
}

/** Adds the load, as it is when it is asked for. */
export function watchLoad(registry: Registry, load: () => LoadFigures, plans: readonly string[]): void {
  const isShedding = 'Whether requests are shed: 1, or 0 while all is well.';
  const shedding = (gauge: Gauge) => gauge.set(load().state === 'shedding' ? 1 : 0);
  addGauge(registry, 'overload_shedding', isShedding, [], shedding, 'max');
  const running = (gauge: Gauge) => gauge.set(load().running);
  addGauge(registry, 'overload_running', 'Requests of tenants that have their turn.', [], running);
  const limit = (gauge: Gauge) => gauge.set(load().limit);
  addGauge(registry, 'overload_running_limit', 'How many may have it; fewer after pressure.', [], limit);
  const waiting = (gauge: Gauge<'plan'>) => {
    for (const plan of plans) gauge.set({ plan }, load().waiting.get(plan) ?? 0);
  };
  const waits = 'Requests of tenants that wait for their turn, by plan.';
  addGauge(registry, 'overload_waiting', waits, ['plan'], waiting);
}

/** @param collect reads it @param aggregator what becomes of it where several processes have it */
export function addGauge<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: Label[],
  collect?: (gauge: Gauge<Label>) => void | Promise<void>,
  aggregator: Aggregator = 'sum',
): Gauge<Label> {
  return new Gauge({
    name: `switchyard_${name}`,
    help,
    labelNames,
    aggregator,
    registers: [registry],
    ...(collect && {
      collect() {
        return collect(this);
      },
    }),
  });
}
