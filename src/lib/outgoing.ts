/** Maximum number of topics that wait to be sent; what comes beyond is lost. */
const maxWaiting = 5_000;

/**
 * Gathers the topics of signals, each once, and sends them together: the first at once, and then at most once in so many
 * milliseconds. One message is on its way at a time.
 */
export class Outgoing {
  readonly #everyMs: number;
  readonly #send: (topics: readonly string[]) => Promise<unknown>;
  #waiting = new Set<string>();
  #sentAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #sending = false;
  #ended = false;

  /** @param send what it rejects with is dropped, with the topics */
  constructor(everyMs: number, send: (topics: readonly string[]) => Promise<unknown>) {
    this.#everyMs = everyMs;
    this.#send = send;
  }

  add(topic: string): void {
    if (this.#ended || this.#waiting.size >= maxWaiting) return;
    this.#waiting.add(topic);
    this.#plan();
  }

  /** Sends nothing any more. */
  end(): void {
    this.#ended = true;
    this.#waiting.clear();
    if (this.#timer) clearTimeout(this.#timer);
  }

  #plan(): void {
    if (this.#timer || this.#sending || this.#waiting.size === 0) return;
    const waitMs = Math.max(0, this.#sentAt + this.#everyMs - performance.now());
    this.#timer = setTimeout(() => void this.#flush(), waitMs);
    this.#timer.unref();
  }

  async #flush(): Promise<void> {
    this.#timer = null;
    const topics = [...this.#waiting];
    this.#waiting = new Set();
    this.#sentAt = performance.now();
    this.#sending = true;
    // Whoever waits for the signal looks by itself.
    await this.#send(topics).catch(() => undefined);
    this.#sending = false;
    this.#plan();
  }
}
