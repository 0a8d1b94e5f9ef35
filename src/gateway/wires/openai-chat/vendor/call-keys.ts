import type { ToolCallPiece } from '../../../upstream/tool-calls.ts';

interface Begun {
  readonly key: number;
  id: unknown;
  name: unknown;
}

/**
 * Tells which pieces of calls in a stream belong together: those of one `index`, as OpenAI has it. Some vendors leave it out, and
 * some give all calls of an answer the same, with ids or without.
 */
export class CallKeys {
  readonly #at = new Map<unknown, Begun>();
  #last: Begun | undefined;
  #begun = 0;

  /** @param isWhole whether the arguments under a key are a whole object */
  keyOf(index: unknown, piece: ToolCallPiece, isWhole: (key: unknown) => boolean): number {
    const last = index == null ? this.#last : this.#at.get(index);
    const call = last && !isAnother(last, index, piece, isWhole) ? last : this.#begin();
    call.id ||= piece.id;
    call.name ||= piece.name;
    this.#last = call;
    if (index != null) this.#at.set(index, call);
    return call.key;
  }

  #begin(): Begun {
    const key = this.#begun;
    this.#begun += 1;
    return { key, id: null, name: null };
  }
}

/** Whether a piece begins another call than the last one at its index; some vendors say id and name with every piece. */
function isAnother(
  last: Begun,
  index: unknown,
  { id, name, arguments: text }: ToolCallPiece,
  isWhole: (key: unknown) => boolean,
): boolean {
  if (id && last.id) return id !== last.id && (Boolean(name) || index == null);
  if (!name || !last.name) return false;
  return name !== last.name || (Boolean(text) && isWhole(last.key));
}
