/**
 * Time that goes by as fast as what happens in it can be reckoned. The timers of the process are replaced by it, so that the
 * product's own code lives in it too: for a process of its own.
 */

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

const realSetImmediate = globalThis.setImmediate;

export class VirtualTime {
  /** Milliseconds since the start. */
  now = 0;
  readonly #heap: Event[] = [];
  #count = 0;

  /** Lets something happen so many milliseconds from now. */
  after(milliseconds: number, run: () => void): Event {
    const event = { at: this.now + Math.max(0, milliseconds), order: ++this.#count, run, cancelled: false };
    this.#push(event);
    return event;
  }

  /** Resolves so many milliseconds from now. */
  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.after(milliseconds, resolve));
  }

  /** Lets happen what does until then, one thing after the other, each with all that follows from it at once. */
  async runUntil(end: number): Promise<void> {
    for (let event = this.#heap[0]; event && event.at <= end; event = this.#heap[0]) {
      this.#pop();
      if (event.cancelled) continue;
      this.now = event.at;
      event.run();
      await new Promise((resolve) => realSetImmediate(resolve));
    }
    this.now = end;
  }

  /** Replaces the timers of this process. */
  install(): void {
    const setVirtual = (run: () => void, milliseconds = 0) => {
      const event = this.after(milliseconds, run);
      return { event, unref() {}, ref() {} };
    };
    const clear = (timer?: { readonly event: Event }) => {
      if (timer) timer.event.cancelled = true;
    };
    Object.assign(globalThis, {
      setTimeout: setVirtual,
      setImmediate: (run: () => void) => setVirtual(run),
      clearTimeout: clear,
      clearImmediate: clear,
    });
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let place = heap.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent] as Event;
      if (!isBefore(event, above)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left === undefined) break;
      if (right !== undefined && isBefore(right, left)) child += 1;
      const lesser = heap[child] as Event;
      if (!isBefore(lesser, last)) break;
      heap[place] = lesser;
      place = child;
    }
    heap[place] = last;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
