/**
 * The ids of calls as this wire has them: letters, digits, `_` and `-`. Other vendors use more, such as
 * `functions.search:0`. Two ids never become one, and an id is the same again when the conversation has grown, so that the
 * vendor's cache still knows the beginning of it.
 */
export class ToolIds {
  readonly #vendorIds = new Map<string, string>();
  readonly #taken = new Set<string>();

  vendorId(id: string): string {
    const known = this.#vendorIds.get(id);
    if (known !== undefined) return known;
    const plain = id.replaceAll(/[^A-Za-z0-9_-]/g, '_') || 'call';
    let made = plain;
    for (let n = 2; this.#taken.has(made); n += 1) made = `${plain}_${n}`;
    this.#vendorIds.set(id, made);
    this.#taken.add(made);
    return made;
  }
}
