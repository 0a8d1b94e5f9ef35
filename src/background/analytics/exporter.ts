import { type Repeated, repeat } from '../../lib/timers.ts';
import type { Batch, Outbox } from './outbox.ts';

/** Where rows go. */
export interface Sink {
  /** As it is called in metrics. */
  readonly name: string;
  /** Resolves when the rows are safe there; sent again with the same id, they must not be there twice if it can be helped. */
  send(batch: Batch): Promise<void>;
  /** Is called now and then while nothing is sent. */
  idle?(): Promise<void>;
  close(): Promise<void>;
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

  /** What is under way is finished; what waits, waits for another process. */
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
