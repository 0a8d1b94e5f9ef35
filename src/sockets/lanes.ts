import { Refused } from './create.ts';

/** As OpenAI has them. */
const maxAtOnce = 16;
const maxNames = 32;
/** Requests that wait on one connection; OpenAI names no number. */
const maxWaiting = 64;

interface Waiting {
  readonly lane: string | null;
  readonly run: () => Promise<void>;
}

/** The order of requests on one connection: those of a lane come one after another, those of several at the same time. */
export class Lanes {
  readonly #busy = new Set<string | null>();
  readonly #names = new Set<string>();
  #waiting: Waiting[] = [];
  readonly #onIdle: () => void;

  /** @param onIdle is called when the last of them is over */
  constructor(onIdle: () => void) {
    this.#onIdle = onIdle;
  }

  /** Whether nothing runs or waits. */
  get idle(): boolean {
    return this.#busy.size === 0 && this.#waiting.length === 0;
  }

  /**
   * Runs it when its turn comes. Throws `Refused` where there are too many lanes or requests.
   * @param run never rejects
   */
  add(lane: string | null, run: () => Promise<void>): void {
    if (lane !== null && !this.#names.has(lane)) {
      if (this.#names.size >= maxNames) {
        const message = `This WebSocket connection has reached its maximum number of distinct stream IDs (${maxNames}). Reuse an existing stream_id or open a new WebSocket connection.`;
        throw new Refused('websocket_stream_limit_reached', message, 'stream_id', lane);
      }
      this.#names.add(lane);
    }
    if (this.#waiting.length >= maxWaiting) {
      const message = `${maxWaiting} requests wait on this connection; send more when some have ended.`;
      throw new Refused('too_many_requests', message, null, lane);
    }
    this.#waiting.push({ lane, run });
    this.#next();
  }

  #next(): void {
    while (this.#busy.size < maxAtOnce) {
      const index = this.#waiting.findIndex(({ lane }) => !this.#busy.has(lane));
      const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (next === undefined) return;
      this.#busy.add(next.lane);
      void next.run().then(() => {
        this.#busy.delete(next.lane);
        this.#next();
        if (this.idle) this.#onIdle();
      });
    }
  }
}
