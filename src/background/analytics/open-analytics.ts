import type { Secret } from '../../lib/redact.ts';
import { type Repeated, repeat } from '../../lib/timers.ts';
import type { Store } from '../../store/store.ts';
import { present } from '../../store/store.ts';
import { clickHouse } from './clickhouse.ts';
import { files } from './files.ts';
import { forgetSinks, type Outbox, openOutbox, type Sink } from './outbox.ts';

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
    const outbox = openOutbox(store, name, instanceId);
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

export interface ExporterParts {
  readonly outbox: Pick<Outbox, 'hold' | 'release' | 'next' | 'sent'>;
  readonly sink: Sink;
  /** How often it looks for what waits, and the maximum pause after failures, in milliseconds. */
  readonly pace?: { readonly everyMs: number; readonly maxPauseMs: number };
  readonly onSent?: (rows: number) => void;
  /** Called with the first failure of a row of failures. */
  readonly onError: (error: unknown) => void;
  readonly onFailed?: () => void;
}

const defaultPace = { everyMs: 1_000, maxPauseMs: 60_000 };

/** Sends what waits, in one process at a time. While the sink is away all of it stays in the outbox. */
export class Exporter {
  readonly #parts: ExporterParts;
  readonly #looking: Repeated;
  #failures = 0;
  #restsUntil = 0;

  constructor(parts: ExporterParts) {
    this.#parts = parts;
    const { everyMs } = parts.pace ?? defaultPace;
    this.#looking = repeat(everyMs, (signal) => this.#look(signal), parts.onError);
  }

  /** Batches under way are finished; waiting ones wait for another process. */
  async close(): Promise<void> {
    const { outbox, sink, onError } = this.#parts;
    await this.#looking.stop();
    await sink.close().catch(onError);
    await outbox.release().catch(onError);
  }

  async #look(signal: AbortSignal): Promise<void> {
    if (performance.now() < this.#restsUntil) return;
    const { outbox, sink, onSent, onError, onFailed, pace = defaultPace } = this.#parts;
    try {
      while (!signal.aborted && (await outbox.hold())) {
        const batch = await outbox.next();
        if (batch === null) {
          await sink.idle?.();
          break;
        }
        // All of it may have been deleted meanwhile, as too old.
        if (batch.rows.length > 0) await sink.send(batch);
        await outbox.sent(batch);
        onSent?.(batch.rows.length);
        this.#failures = 0;
      }
    } catch (error) {
      onFailed?.();
      if (this.#failures === 0) onError(error);
      this.#failures += 1;
      const pauseMs = Math.min(pace.maxPauseMs, pace.everyMs * 2 ** Math.min(this.#failures, 16));
      this.#restsUntil = performance.now() + pauseMs;
    }
  }
}
