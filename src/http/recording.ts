import type { Claimed } from '../contract/idempotency.ts';
import type { Work } from '../contract/registry.ts';
import type { Holding } from '../lib/byte-budget.ts';

/** Statuses that ask for the same request again: their answers are temporary. */
const passing: ReadonlySet<number> = new Set([429, 503, 529]);

/** Headers that belong to the request which is answered, not to what it is answered with. */
const ofTheRequest = /^(?:connection|date|content-length|request-id|retry-after|.*ratelimit.*)$/;

type Headers = Readonly<Record<string, string | readonly string[]>>;

/**
 * Records an answer, for clients that send the same request again. It is kept when something was done for it, and its
 * key is freed otherwise. A recorded request continues when its client leaves.
 */
export class Recording {
  readonly work: Work;
  /** Resolves when the key is kept or freed. Never rejects. */
  readonly over: Promise<void>;
  readonly #claimed: Claimed;
  readonly #memory: Holding;
  readonly #maxBytes: number;
  #begun = false;
  #failed = false;
  #ended = false;
  #head: { readonly status: number; readonly headers: Headers } | null = null;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #whole = true;
  #resolve: () => void = () => undefined;

  /** @param maxBytes of an answer that is kept */
  constructor(claimed: Claimed, memory: Holding, maxBytes: number) {
    this.#claimed = claimed;
    this.work = claimed.work;
    this.#memory = memory;
    this.#maxBytes = maxBytes;
    this.over = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** The work has begun: it is counted, and will cost or make something. */
  begin(): void {
    this.#begun = true;
  }

  /** An answer that has begun ends with an error, of this status. */
  fail(status: number): void {
    if (passing.has(status) || !this.#begun) this.#failed = true;
  }

  head(status: number, headers: Headers): void {
    this.#head = { status, headers };
  }

  /** Notes a piece of the body. Of one that is too large nothing is held. */
  chunk(chunk: Buffer | string): void {
    if (!this.#whole || this.#ended) return;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    this.#bytes += bytes.length;
    // Twice: it is sealed as a whole.
    if (this.#bytes <= this.#maxBytes && this.#memory.take(2 * bytes.length)) this.#chunks.push(bytes);
    else {
      this.#whole = false;
      this.#memory.give(2 * this.#chunks.reduce((sum, { length }) => sum + length, 0));
      this.#chunks = [];
    }
  }

  /** The answer is complete. Resolves when it is kept, which is to be awaited before its end goes out. Never rejects. */
  async end(): Promise<void> {
    const head = this.#head;
    if (this.#ended) return;
    // An answer without an error is one, also where nothing is counted.
    if (head === null || this.#failed || passing.has(head.status) || (head.status >= 400 && !this.#begun))
      return this.free();
    this.#ended = true;
    const headers = Object.fromEntries(
      Object.entries(head.headers).flatMap(([name, value]) =>
        ofTheRequest.test(name) ? [] : [[name, String(value)]],
      ),
    );
    const body = Buffer.concat(this.#chunks, this.#whole ? this.#bytes : 0);
    await this.#claimed.keep(this.#whole ? { status: head.status, headers, body } : null);
    this.#resolve();
  }

  /** Nothing whole came of it. Does nothing after an end. */
  async free(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#claimed.free();
    this.#resolve();
  }
}
