import { isObject } from '../lib/json.ts';
import { type Create, itemsOf, joined } from './create.ts';
import type { EndedResponse } from './reply-frames.ts';

/** A conversation up to a response, as the items of its input and output in JSON. */
interface Kept {
  readonly id: string;
  readonly items: Buffer;
  /** Takes it out of the connection that has it. */
  readonly forget: () => void;
}

/**
 * The memory for conversations of all sockets. The least recently continued make room for others: their clients get
 * `previous_response_not_found`, as OpenAI's do, and send the whole conversation.
 */
export class ConversationMemory {
  readonly #maxBytes: number;
  readonly #kept = new Set<Kept>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** False, and it is not kept, where it is larger than all of the memory. */
  keep(kept: Kept): boolean {
    if (kept.items.length > this.#maxBytes) return false;
    this.#kept.add(kept);
    this.#bytes += kept.items.length;
    for (const oldest of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.drop(oldest);
      oldest.forget();
    }
    return true;
  }

  drop(kept: Kept): void {
    if (this.#kept.delete(kept)) this.#bytes -= kept.items.length;
  }
}

/** The conversations of one connection, which ends with it: of each lane that up to its latest response. */
export class Conversations {
  readonly #memory: ConversationMemory;
  readonly #byLane = new Map<string | null, Kept>();

  constructor(memory: ConversationMemory) {
    this.#memory = memory;
  }

  /** The items up to a response; null: it is not known here. */
  find(id: string | null): Buffer | null {
    return this.#keptAs(id)?.[1].items ?? null;
  }

  /** @param items null: the latest response of the lane is one that is not kept here */
  latest(lane: string | null, id: string, items: Buffer | null): void {
    this.#forget(lane);
    if (items === null) return;
    const kept: Kept = { id, items, forget: () => this.#byLane.delete(lane) };
    if (this.#memory.keep(kept)) this.#byLane.set(lane, kept);
  }

  /** Forgets the response that a failed request was to continue. */
  evict(id: string | null): void {
    const found = this.#keptAs(id);
    if (found) this.#forget(found[0]);
  }

  clear(): void {
    for (const lane of [...this.#byLane.keys()]) this.#forget(lane);
  }

  #keptAs(id: string | null): [lane: string | null, kept: Kept] | undefined {
    return id === null ? undefined : [...this.#byLane].find(([, kept]) => kept.id === id);
  }

  #forget(lane: string | null): void {
    const kept = this.#byLane.get(lane);
    if (kept === undefined) return;
    this.#byLane.delete(lane);
    this.#memory.drop(kept);
  }
}

const none = Buffer.alloc(0);

/**
 * The id of a response, and the items up to it, for a request that continues it. Null where its vendor keeps it, or where it goes on
 * from one that is not known here.
 */
export function continued(
  create: Create,
  earlier: Buffer | null,
  { response, native }: EndedResponse,
): [id: string, items: Buffer | null] {
  const { id, output, store } = response;
  const kept = create.body['store'] === false || store === false || !create.generate;
  if (!kept || (create.previous !== null && earlier === null)) return [String(id), null];
  const items = Array.isArray(output) ? output.filter(isObject) : [];
  const said = native ? readable(items) : items;
  return [String(id), joined(earlier ?? none, itemsOf(create), Buffer.from(said.map(asJson).join(',')))];
}

const asJson = (item: object) => JSON.stringify(item);

type Item = Readonly<Record<string, unknown>>;

const saidByModels: ReadonlySet<unknown> = new Set(['message', 'function_call', 'custom_tool_call']);

/**
 * Items as a vendor reads them that keeps nothing: without reasoning that it could only find by its id, and then without the ids of
 * what belongs to that, by which it would look for it.
 */
function readable(items: readonly Item[]): readonly Item[] {
  const left = items.filter(
    (item) => item['type'] !== 'reasoning' || typeof item['encrypted_content'] === 'string',
  );
  if (left.length === items.length) return items;
  return left.map((item) => {
    const { id: _, ...rest } = item;
    return saidByModels.has(item['type']) ? rest : item;
  });
}
