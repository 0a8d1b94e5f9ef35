import type { ToolCall } from '../../../generated/types.gen.ts';
import { ulid } from '../../lib/ids.ts';
import type { CompletionEvent } from '../port.ts';
import { invalidReply, type Vendor } from './vendor.ts';

/** Most characters of arguments in one answer, and most calls. */
const longestArguments = 4 * 1024 * 1024;
const mostCalls = 256;

type Emit = (event: CompletionEvent) => void;

/** What a vendor tells of a call, all at once or in pieces. Values are unchecked. */
export interface ToolCallPiece {
  readonly id?: unknown;
  readonly name?: unknown;
  /** A piece of the JSON text. Some vendors give an object in place of the whole text. */
  readonly arguments?: unknown;
  readonly extraContent?: unknown;
}

interface OpenCall {
  readonly index: number;
  id: string;
  name: string;
  arguments: string;
  extraContent: Record<string, unknown> | null;
  /** How much of the arguments was passed on. */
  told: number;
  complete: boolean;
}

/**
 * Gathers the calls of tools in an answer. A vendor's own key says which pieces belong together. A call without an id
 * gets one, since its result must name it; one that never names its function makes the answer invalid.
 */
export class ToolCallCollector {
  readonly #vendor: Vendor;
  readonly #calls = new Map<unknown, OpenCall>();
  #length = 0;

  constructor(vendor: Vendor) {
    this.#vendor = vendor;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Whether pieces under this key have come. */
  has(key: unknown): boolean {
    return this.#calls.has(key);
  }

  take(key: unknown, piece: ToolCallPiece, emit?: Emit): void {
    const call = this.#calls.get(key) ?? this.#open(key);
    if (typeof piece.id === 'string' && piece.id !== '') call.id ||= piece.id;
    if (typeof piece.name === 'string') call.name ||= piece.name;
    if (typeof piece.extraContent === 'object' && piece.extraContent !== null)
      call.extraContent = { ...piece.extraContent };
    const text = textOf(piece.arguments);
    this.#length += text.length;
    if (this.#length > longestArguments)
      throw invalidReply(this.#vendor, 'more than 4 MiB of arguments', `${this.#length} characters`);
    call.arguments += text;
    if (emit) this.#tell(call, emit);
  }

  /** No more pieces come under this key. */
  complete(key: unknown, emit?: Emit): void {
    const call = this.#calls.get(key);
    if (call) this.#complete(call, emit);
  }

  /** The calls of the answer, which is whole. */
  all(emit?: Emit): ToolCall[] {
    return [...this.#calls.values()].map((call) => this.#complete(call, emit));
  }

  #open(key: unknown): OpenCall {
    if (this.#calls.size === mostCalls)
      throw invalidReply(this.#vendor, `more than ${mostCalls} calls of tools`, '');
    const index = this.#calls.size;
    const call = { index, id: '', name: '', arguments: '', extraContent: null, told: -1, complete: false };
    this.#calls.set(key, call);
    return call;
  }

  #tell(call: OpenCall, emit: Emit): void {
    if (call.name === '' || call.told === call.arguments.length) return;
    const piece = call.arguments.slice(Math.max(0, call.told));
    call.told = call.arguments.length;
    call.id ||= newId();
    emit({ type: 'tool_call_delta', index: call.index, id: call.id, name: call.name, arguments: piece });
  }

  #complete(call: OpenCall, emit?: Emit): ToolCall {
    if (call.name === '') throw invalidReply(this.#vendor, 'a call of a tool without a name', call);
    call.id ||= newId();
    if (!call.complete && call.arguments === '') call.arguments = '{}';
    const toolCall: ToolCall = {
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
      ...(call.extraContent && { extra_content: call.extraContent }),
    };
    if (emit && !call.complete) {
      this.#tell(call, emit);
      emit({ type: 'tool_call', index: call.index, toolCall });
    }
    call.complete = true;
    return toolCall;
  }
}

function newId(): string {
  return `call_${ulid()}`;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}
