/** An element of a `PassingSet` or an `IndexedHeap`, of one of them at a time. */
export interface Placed {
  /** Its index there, and that one's own; -1: not in it. */
  place: number;
}

export type Passing = Placed;

/**
 * A set of what comes and goes with each request, in no order.
 *
 * JavaScript's own `Set` is not for that: after some additions it takes a new table, and V8 has the old one refer to the new one,
 * for iterators that may be under way. Once a table that is done with has got into the old part of the heap, each table after it, with
 * all that was in it, outlives the collections of the young part: a tenth of all that requests had made
 * lived on until the next collection of the whole heap, which therefore came every 0.8 seconds under load.
 */
export class PassingSet<Item extends Passing> implements Iterable<Item> {
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    if (item.place !== -1) return;
    item.place = this.#items.length;
    this.#items.push(item);
  }

  /** Does nothing for what is not in it. */
  delete(item: Item): void {
    const { place } = item;
    if (this.#items[place] !== item) return;
    const last = this.#items.pop() as Item;
    if (last !== item) {
      this.#items[place] = last;
      last.place = place;
    }
    item.place = -1;
  }

  /** Those that are in it now; it may change meanwhile. */
  [Symbol.iterator](): Iterator<Item> {
    return this.#items.slice()[Symbol.iterator]();
  }
}

/**
 * A priority queue whose elements may change their order while they are in it: a binary heap that knows where each stands.
 * Each call takes time with the logarithm of what is in it.
 */
export class IndexedHeap<Element extends Placed> {
  readonly #isBefore: (a: Element, b: Element) => boolean;
  readonly #heap: Element[] = [];

  constructor(isBefore: (a: Element, b: Element) => boolean) {
    this.#isBefore = isBefore;
  }

  get first(): Element | undefined {
    return this.#heap[0];
  }

  get size(): number {
    return this.#heap.length;
  }

  add(element: Element): void {
    this.#put(element, this.#heap.length);
    this.#up(element);
  }

  /** To be called when the order of an element has changed. Does nothing for one that is not in the queue. */
  moved(element: Element): void {
    if (element.place < 0) return;
    this.#up(element);
    this.#down(element);
  }

  /** Does nothing for one that is not in the queue. */
  remove(element: Element): void {
    const { place } = element;
    if (place < 0) return;
    const last = this.#heap.pop() as Element;
    element.place = -1;
    if (last === element) return;
    this.#put(last, place);
    this.moved(last);
  }

  #put(element: Element, place: number): void {
    this.#heap[place] = element;
    element.place = place;
  }

  #up(element: Element): void {
    while (element.place > 0) {
      const parent = this.#heap[(element.place - 1) >> 1] as Element;
      if (!this.#isBefore(element, parent)) return;
      this.#swap(element, parent);
    }
  }

  #down(element: Element): void {
    for (;;) {
      const left = this.#heap[2 * element.place + 1];
      const right = this.#heap[2 * element.place + 2];
      if (left === undefined) return;
      const lesser = right !== undefined && this.#isBefore(right, left) ? right : left;
      if (!this.#isBefore(lesser, element)) return;
      this.#swap(element, lesser);
    }
  }

  #swap(a: Element, b: Element): void {
    const { place } = a;
    this.#put(a, b.place);
    this.#put(b, place);
  }
}
