import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { ModelMessage, Part, SealedThinking, ThinkingPart, ToolCallPart } from '../../model/parts.ts';
import type { AnswerPart } from '../../model/port.ts';
import { samePlace } from '../wires/source-paths.ts';

/** Of all that is remembered, in bytes; what was used longest ago is forgotten first. */
const maxBytes = 16 * 1024 * 1024;
/** Thinking longer than that is not worth the room. */
const maxEntryBytes = 256 * 1024;
/** How long it is remembered, in milliseconds: a vendor's turn is over by then. */
const keptMs = 60 * 60 * 1000;

/** What of an answer a vendor wants back with the result of a call. */
interface Remembered {
  readonly provider: string;
  readonly model: string;
  readonly thoughts: readonly SealedThinking[];
  readonly extraContent?: Readonly<Record<string, unknown>>;
}

interface Entry {
  readonly sealed: Buffer;
  readonly until: number;
}

/** Who is asked, as far as thinking is bound to it. */
export interface Thinker {
  readonly tenant: string;
  readonly provider: string;
  readonly model: string;
}

/**
 * Thinking that led to calls of tools, by the ids of the calls. Vendors want it back with the results, and clients of other wires do
 * not give back what their own vendor has no field for. Of one tenant each, encrypted with a key that ends with the process, and of
 * one process: a client that is answered by another one goes on without, as it would have.
 */
export class ThinkingMemory {
  readonly #key = randomBytes(32);
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;
  #bytes = 0;

  /** @param now milliseconds of a clock that does not step */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** An answer of a tenant's model is complete: what it thought before each of its calls is remembered. */
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

  /** A call with what was thought before it, as far as the client has left that out. */
  #with(call: ToolCallPart, thinks: boolean, { tenant, provider, model }: Thinker): Part[] {
    const known = this.#known(nameOf(tenant, call.id));
    if (known?.provider !== provider || known.model !== model) return [call];
    const thoughts: ThinkingPart[] = thinks
      ? []
      : known.thoughts.map((sealed) => ({ type: 'thinking', text: '', sealed }));
    if (call.extraContent || !known.extraContent) return [...thoughts, call];
    return [...thoughts, samePlace({ ...call, extraContent: known.extraContent }, call)];
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
    return this.#opened(entry.sealed);
  }

  #keep(name: string, what: Remembered): void {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv);
    const hidden = Buffer.concat([cipher.update(JSON.stringify(what)), cipher.final()]);
    const sealed = Buffer.concat([iv, cipher.getAuthTag(), hidden]);
    if (sealed.length > maxEntryBytes) return;
    const before = this.#entries.get(name);
    if (before) this.#bytes -= before.sealed.length;
    this.#entries.delete(name);
    this.#entries.set(name, { sealed, until: this.#now() + keptMs });
    this.#bytes += sealed.length;
    for (const [oldest, { sealed: old }] of this.#entries) {
      if (this.#bytes <= maxBytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= old.length;
    }
  }

  #opened(sealed: Buffer): Remembered {
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, 12));
    decipher.setAuthTag(sealed.subarray(12, 28));
    const text = Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString();
    return JSON.parse(text) as Remembered;
  }
}

function nameOf(tenant: string, callId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, callId]))
    .digest('base64url');
}
