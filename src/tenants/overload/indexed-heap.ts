/** What can be in the queue; `place` is the queue's own, -1 while it is not in it. */
export interface Placed {
  place: number;
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
