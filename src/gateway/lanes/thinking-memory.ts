import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { SharedThoughts } from '../../background/vendor-objects/shared-thoughts.ts';
import { Sealer } from '../../lib/sealer.ts';
import type { ModelMessage, Part, SealedThinking, ThinkingPart, ToolCallPart } from '../../model/parts.ts';
import type { AnswerPart } from '../../model/port.ts';
import { withPathOf } from '../wires/source-paths.ts';

/** Of all entries, in bytes; the least recently used are forgotten first. */
const maxBytes = 16 * 1024 * 1024;
/** Thinking longer than that is not worth the room. */
const maxEntryBytes = 256 * 1024;
/** How long it is remembered, in milliseconds: a vendor's turn is over by then. */
const keptMs = 60 * 60 * 1000;
/** So many calls are remembered of which no process knows a thought. */
const maxAbsent = 10_000;
/** Only the last calls of a conversation are looked up at others: vendors want back the thinking of the current turn. */
const maxLookups = 64;

/** The part of an answer that a vendor wants back with the result of a call. */
interface Remembered {
  readonly provider: string;
  readonly model: string;
  readonly thoughts: readonly SealedThinking[];
  readonly extraContent?: Readonly<Record<string, unknown>>;
}

interface Entry {
  readonly sealed: Buffer;
  readonly until: number;
  /** Whether this process has shared it, and so has to take it back. */
  readonly own: boolean;
}

/** How processes share models' thinking. */
export interface Sharing {
  readonly thoughts: SharedThoughts;
  /** Of 32 bytes, the same for all of them. */
  readonly key: KeyObject;
  readonly onError: (error: unknown) => void;
}

/** Who is asked, as far as thinking is bound to it. */
export interface Thinker {
  readonly tenant: string;
  readonly provider: string;
  readonly model: string;
}

/**
 * Thinking that led to calls of tools, by the ids of the calls. Vendors want it back with the results, and clients of other wires do
 * not give back what their own vendor has no field for. Of one tenant each, and encrypted. Where there are several processes each
 * shares what it remembers, as far as it remembers it itself, after the answer and in batches; another one looks there for
 * thinking that it has not seen. If thinking cannot be shared or found, the client continues without, as it would have.
 */
export class ThinkingMemory {
  readonly #sealer: Sealer;
  readonly #entries = new Map<string, Entry>();
  /** Names that no process knew when it was asked; the first is forgotten first. */
  readonly #absent = new Set<string>();
  readonly #sharing: Sharing | null;
  readonly #now: () => number;
  /** The ids to be shared; of `#entries`, which bounds them. */
  readonly #unshared = new Set<string>();
  /** The ids to be taken back. */
  readonly #dropped = new Set<string>();
  #writing = false;
  #bytes = 0;

  /** `now`: milliseconds of a clock that does not step. */
  constructor({
    sharing = null,
    now = () => performance.now(),
  }: { sharing?: Sharing | null; now?: () => number } = {}) {
    this.#sharing = sharing;
    this.#sealer = new Sealer(sharing?.key ?? createSecretKey(randomBytes(32)));
    this.#now = now;
  }

  /** Remembers a complete answer's thinking before each of its calls of tools. */
  remember({ tenant, provider, model }: Thinker, parts: Iterable<AnswerPart>): void {
    let thoughts: SealedThinking[] = [];
    for (const part of parts) {
      if (part.type === 'thinking') {
        if (part.sealed) thoughts.push(part.sealed);
      } else if (part.type === 'tool_call' && (thoughts.length > 0 || part.extraContent)) {
        const { extraContent } = part;
        this.#keep(nameOf(tenant, part.id), {
          provider,
          model,
          thoughts,
          ...(extraContent && { extraContent }),
        });
        // Calls that were made at once have their thinking once.
        thoughts = [];
      }
    }
  }

  /** The conversation with the thinking of the model that is asked where its client has left it out; the same list where it has none. */
  recall(messages: readonly ModelMessage[], asked: Thinker): readonly ModelMessage[] {
    if (this.#entries.size === 0) return messages;
    let found = false;
    const all = messages.map((message) => {
      if (message.role !== 'assistant') return message;
      const thinks = message.content.some(({ type }) => type === 'thinking');
      const content = message.content.flatMap((part) =>
        part.type === 'tool_call' ? this.#with(part, thinks, asked) : [part],
      );
      if (content.every((part, index) => part === message.content[index])) return message;
      found = true;
      return { ...message, content };
    });
    return found ? all : messages;
  }

  /** The calls whose results are given without the thinking before them, of which others may know it; by their names. */
  missing(messages: readonly ModelMessage[], tenant: string): readonly string[] {
    if (!this.#sharing || messages.at(-1)?.role === 'assistant') return [];
    const results = messages.flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'tool_result' ? [part.callId] : [])),
    );
    if (results.length === 0) return [];
    const thoughtOf = new Set(
      messages
        .filter(({ content }) => content.some(({ type }) => type === 'thinking'))
        .flatMap(({ content }) => content.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []))),
    );
    return results
      .slice(-maxLookups)
      .filter((id) => !thoughtOf.has(id))
      .map((id) => nameOf(tenant, id))
      .filter((name) => !this.#entries.has(name) && !this.#absent.has(name));
  }

  /** Asks what other processes know of these. Whether that is anything. */
  async fetch(names: readonly string[]): Promise<boolean> {
    if (!this.#sharing || names.length === 0) return false;
    try {
      const found = await this.#sharing.thoughts.find(names);
      for (const { name, sealed, leftMs } of found)
        this.#put(name, { sealed, until: this.#now() + Math.min(leftMs, keptMs), own: false });
      for (const name of names) if (!this.#entries.has(name)) this.#absent.add(name);
      for (const name of this.#absent) {
        if (this.#absent.size <= maxAbsent) break;
        this.#absent.delete(name);
      }
      return found.length > 0;
    } catch (error) {
      this.#sharing.onError(error);
      return false;
    }
  }

  /** A call with what was thought before it, as far as the client has left that out. */
  #with(call: ToolCallPart, thinks: boolean, { tenant, provider, model }: Thinker): Part[] {
    const known = this.#known(nameOf(tenant, call.id));
    if (known?.provider !== provider || known.model !== model) return [call];
    const thoughts: ThinkingPart[] = thinks
      ? []
      : known.thoughts.map((sealed) => ({ type: 'thinking', text: '', sealed }));
    if (call.extraContent || !known.extraContent) return [...thoughts, call];
    return [...thoughts, withPathOf({ ...call, extraContent: known.extraContent }, call)];
  }

  #known(name: string): Remembered | null {
    const entry = this.#entries.get(name);
    if (!entry) return null;
    this.#entries.delete(name);
    if (entry.until < this.#now()) {
      this.#bytes -= entry.sealed.length;
      return null;
    }
    this.#entries.set(name, entry);
    return this.#opened(name, entry.sealed);
  }

  #keep(name: string, what: Remembered): void {
    const sealed = this.#sealer.seal(JSON.stringify(what), name);
    if (sealed.length > maxEntryBytes) return;
    this.#put(name, { sealed, until: this.#now() + keptMs, own: this.#sharing !== null });
    if (!this.#sharing) return;
    this.#absent.delete(name);
    this.#unshared.add(name);
    if (!this.#writing) void this.#share(this.#sharing);
  }

  #put(name: string, entry: Entry): void {
    const before = this.#entries.get(name);
    if (before) this.#bytes -= before.sealed.length;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    this.#bytes += entry.sealed.length;
    for (const [oldest, { sealed: old, own }] of this.#entries) {
      if (this.#bytes <= maxBytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= old.length;
      if (own && !this.#unshared.delete(oldest)) this.#dropped.add(oldest);
    }
  }

  /** Shares what has come since, until there is no more. A failure is given up: the client continues without. */
  async #share({ thoughts, onError }: Sharing): Promise<void> {
    this.#writing = true;
    try {
      // After what is on its way to the client in this turn.
      await new Promise(setImmediate);
      while (this.#unshared.size + this.#dropped.size > 0) {
        const dropped = [...this.#dropped];
        const unshared = [...this.#unshared].flatMap((name) => {
          const entry = this.#entries.get(name);
          return entry ? [{ name, sealed: entry.sealed, leftMs: entry.until - this.#now() }] : [];
        });
        this.#dropped.clear();
        this.#unshared.clear();
        if (dropped.length > 0) await thoughts.drop(dropped);
        if (unshared.length > 0) await thoughts.put(unshared.filter(({ leftMs }) => leftMs > 0));
      }
    } catch (error) {
      onError(error);
    } finally {
      this.#writing = false;
    }
  }

  /** Null: another secret sealed it, or it was sealed for another name. */
  #opened(name: string, sealed: Buffer): Remembered | null {
    try {
      return JSON.parse(this.#sealer.open(sealed, name)) as Remembered;
    } catch {
      return null;
    }
  }
}

function nameOf(tenant: string, callId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, callId]))
    .digest('base64url');
}
