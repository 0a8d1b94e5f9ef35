/** Part of a budget that stays free of new work, so that what has begun can grow and end. */
const keptForGrowth = 1 / 8;

/**
 * One limit for the memory of everything in flight. Nothing ever waits for it: a request without room is refused, so two
 * requests can never wait for each other.
 */
export class ByteBudget {
  /** In bytes. */
  readonly limit: number;
  #held = 0;
  #refusals = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Bytes that are taken. */
  get held(): number {
    return this.#held;
  }

  /** How often there was no room. */
  get refusals(): number {
    return this.#refusals;
  }

  /** Takes bytes for work that has not begun. False, and nothing is taken, when there is no room. */
  begin(bytes: number): boolean {
    return this.#takeWithin(bytes, this.limit * (1 - keptForGrowth));
  }

  /** Takes bytes for work that is under way. False, and nothing is taken, when there is no room. */
  take(bytes: number): boolean {
    return this.#takeWithin(bytes, this.limit);
  }

  /** Takes bytes even beyond the limit, for what is too small or too important to be refused. */
  force(bytes: number): void {
    this.#held += bytes;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }

  #takeWithin(bytes: number, limit: number): boolean {
    if (this.#held + bytes > limit) {
      this.#refusals += 1;
      return false;
    }
    this.#held += bytes;
    return true;
  }
}

/** The share of a budget of one piece of work, to be given back as a whole at its end. */
export class Holding {
  readonly #budget: ByteBudget;
  #held = 0;
  #over = false;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /** Takes bytes as the first thing of the work, or of a new part of it. False when there is no room. */
  begin(bytes: number): boolean {
    return this.#note(bytes, this.#over || this.#budget.begin(bytes));
  }

  /** Takes more. False when there is no room. */
  take(bytes: number): boolean {
    return this.#note(bytes, this.#over || this.#budget.take(bytes));
  }

  /** Takes what is missing until so many bytes are held. False when there is no room. */
  cover(bytes: number): boolean {
    return bytes <= this.#held || this.take(bytes - this.#held);
  }

  /** The same, even beyond the limit. */
  forceCover(bytes: number): void {
    const missing = bytes - this.#held;
    if (missing <= 0 || this.#over) return;
    this.#budget.force(missing);
    this.#held = bytes;
  }

  /** Gives back what is held beyond so many bytes. */
  keep(bytes: number): void {
    if (this.#held > bytes) this.give(this.#held - bytes);
  }

  give(bytes: number): void {
    if (this.#over) return;
    this.#held -= bytes;
    this.#budget.give(bytes);
  }

  /** Gives everything back. Later ends of its parts have no effect. */
  release(): void {
    if (this.#over) return;
    this.#over = true;
    this.#budget.give(this.#held);
    this.#held = 0;
  }

  #note(bytes: number, taken: boolean): boolean {
    if (taken && !this.#over) this.#held += bytes;
    return taken;
  }
}
