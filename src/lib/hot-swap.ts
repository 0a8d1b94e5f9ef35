/** What can be exchanged while it is in use: the former one is closed when the last who uses it is done. */
export class HotSwap<T> {
  readonly #close: (one: T) => Promise<void>;
  #current: Line<T>;
  /** Those that are not closed. */
  readonly #open = new Set<Line<T>>();

  /** @param close closes one; never rejects */
  constructor(first: T, close: (one: T) => Promise<void>) {
    this.#close = close;
    this.#current = { value: first, users: 0 };
    this.#open.add(this.#current);
  }

  get current(): T {
    return this.#current.value;
  }

  /** The current one, which is kept open until it is released; to release it again does nothing. */
  hold(): { readonly held: T; readonly release: () => void } {
    const line = this.#current;
    line.users += 1;
    let over = false;
    const release = () => {
      if (over) return;
      over = true;
      line.users -= 1;
      if (line.users === 0 && line !== this.#current) void this.#end(line);
    };
    return { held: line.value, release };
  }

  exchange(next: T): void {
    const former = this.#current;
    this.#current = { value: next, users: 0 };
    this.#open.add(this.#current);
    if (former.users === 0) void this.#end(former);
  }

  /** Closes what is open, in use or not. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((line) => this.#end(line)));
  }

  async #end(line: Line<T>): Promise<void> {
    if (this.#open.delete(line)) await this.#close(line.value);
  }
}

interface Line<T> {
  readonly value: T;
  users: number;
}
