/** What can be in a `PassingSet`, and in one of them at a time. */
export interface Passing {
  /** Where it stands in the set; -1: nowhere. The set's own. */
  place: number;
}

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
