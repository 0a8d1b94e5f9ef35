import type { Secret } from '../../lib/redact.ts';
import { type Repeated, repeat } from '../../lib/timers.ts';
import type { Store } from '../../store/store.ts';
import { present } from '../../store/store.ts';
import { clickHouse } from './clickhouse.ts';
import { Exporter, type ExporterParts, type Sink } from './exporter.ts';
import { files } from './files.ts';
import { forgetSinks, Outbox } from './outbox.ts';

interface AnalyticsSettings {
  /** `ANALYTICS_CLICKHOUSE_URL`. */
  readonly analyticsClickhouseUrl: Secret | null;
  /** `ANALYTICS_DIR`. */
  readonly analyticsDir: string | null;
  /** This process among those on the database. */
  readonly instanceId: string;
  readonly observer?: AnalyticsObserver;
  readonly pace?: ExporterParts['pace'];
  readonly onError: (error: unknown) => void;
}

/** Counts what sinks take. */
interface AnalyticsObserver {
  analyticsSent(sink: string, rows: number): void;
  analyticsFailed(sink: string): void;
}

/** Pause between searches for sinks that no server has any more, in milliseconds. */
const forgetMs = 3_600_000;

/** Begins to feed the sinks that are set. Rejects with `StoreError`. */
export async function openAnalytics(store: Store, settings: AnalyticsSettings) {
  const { instanceId, observer, pace, onError } = settings;
  const opened: { readonly outbox: Outbox; readonly name: string; readonly exporter: Exporter }[] = [];
  for (const sink of sinksOf(store, settings)) {
    const { name } = sink;
    const outbox = new Outbox(store, name, instanceId);
    await outbox.open();
    const exporter = new Exporter({
      outbox,
      sink,
      ...(pace && { pace }),
      onSent: (rows) => observer?.analyticsSent(name, rows),
      onFailed: () => observer?.analyticsFailed(name),
      onError,
    });
    opened.push({ outbox, name, exporter });
  }
  const forgetting: Repeated = repeat(forgetMs, () => forgetSinks(store), onError);
  return {
    /** How long ago that was settled which a sink has waited for longest, in milliseconds, by sink. */
    async lagMs() {
      const lags = opened.map(async ({ name, outbox }) => [name, await outbox.lagMs()] as const);
      return Object.fromEntries(await Promise.all(lags));
    },
    async close() {
      await Promise.all([forgetting.stop(), ...opened.map(({ exporter }) => exporter.close())]);
    },
  };
}

function sinksOf(
  store: Store,
  { analyticsClickhouseUrl: url, analyticsDir: directory, instanceId }: AnalyticsSettings,
): Sink[] {
  const sinks: Sink[] = [];
  if (url !== null) sinks.push(clickHouse(url));
  if (directory !== null) {
    const living = async () => new Set((await present(store).execute()).map(({ id }) => id));
    sinks.push(files({ directory, now: () => store.clock.now(), instanceId, present: living }));
  }
  return sinks;
}
