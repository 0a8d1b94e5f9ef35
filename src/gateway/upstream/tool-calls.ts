import type { Tool } from '../../../generated/types.gen.ts';
import { fieldError } from '../../contract/errors.ts';
import { ulid } from '../../lib/ids.ts';
import { isObject, isTooDeep, objectIn, parseExactly } from '../../lib/json.ts';
import type { ToolCallPart } from '../../model/parts.ts';
import type { CompletionEvent, CustomTool, ModelTool } from '../../model/port.ts';
import { invalidReply, type Vendor } from './vendor.ts';

/** Maximum number of characters of arguments in one answer, and of calls. */
const maxArgumentsLength = 4 * 1024 * 1024;
const maxCalls = 256;

type Emit = (event: CompletionEvent) => void;

/** A call as a vendor sends it, all at once or in pieces. Values are unchecked. */
export interface ToolCallPiece {
  readonly id?: unknown;
  readonly name?: unknown;
  /** A piece of the JSON text. Some vendors give an object in place of the whole text. */
  readonly arguments?: unknown;
  readonly extraContent?: unknown;
  /** A call of a custom tool, whose arguments are a text and no JSON. */
  readonly custom?: boolean;
}

interface OpenCall {
  /** Among the calls of the answer; null while it is none for want of a name. */
  index: number | null;
  id: string;
  name: string;
  arguments: string;
  custom: boolean;
  extraContent: Record<string, unknown> | null;
  /** The part of the arguments that was not passed on yet. */
  pending: string;
  /** Whether anything was passed on. */
  begun: boolean;
  complete: boolean;
  /** The calls within it, if it is one of several at once. */
  inner: readonly ToolCallPart[] | null;
}

/**
 * Gathers the calls of tools in an answer. A vendor's own key says which pieces belong together. A call without an id
 * gets one, since its result must name it; one that has arguments and never names its function makes the answer invalid, and so
 * does what is of another type than the wire's. One that gets neither a name nor arguments is none: some vendors put such a stub
 * beside a text.
 */
export class ToolCallCollector {
  readonly #vendor: Vendor;
  readonly #wrapped: ReadonlySet<string>;
  readonly #calls = new Map<unknown, OpenCall>();
  readonly #ids = new Set<string>();
  #length = 0;
  #named = 0;

  /** @param wrapped names of the custom tools that the vendor was shown as functions (`wrappedTool`) */
  constructor(vendor: Vendor, wrapped: ReadonlySet<string> = noNames) {
    this.#vendor = vendor;
    this.#wrapped = wrapped;
  }

  /** How many calls there are so far. */
  get size(): number {
    return this.#named;
  }

  /** Whether pieces under this key have come. */
  has(key: unknown): boolean {
    return this.#calls.has(key);
  }

  take(key: unknown, piece: ToolCallPiece, emit?: Emit): void {
    const call = this.#calls.get(key) ?? this.#open(key);
    if (call.id === '') call.id = this.#idFor(this.#text(piece.id, 'an id') ?? '');
    call.name ||= this.#text(piece.name, 'a name') ?? '';
    if (call.name !== '') call.index ??= this.#named++;
    if (piece.custom) call.custom = true;
    if (isObject(piece.extraContent)) call.extraContent = { ...piece.extraContent };
    const given = piece.arguments;
    const text = isObject(given) ? JSON.stringify(given) : (this.#text(given, 'arguments') ?? '');
    if (call.complete && text !== '')
      throw invalidReply(this.#vendor, 'more of a call of a tool after its end', text);
    this.#length += text.length;
    if (this.#length > maxArgumentsLength)
      throw invalidReply(this.#vendor, 'more than 4 MiB of arguments', `${this.#length} characters`);
    call.arguments += text;
    call.pending += text;
    if (emit) this.#tell(call, emit);
  }

  /** Whether the arguments under this key are a whole JSON object. */
  isWhole(key: unknown): boolean {
    const call = this.#calls.get(key);
    return call !== undefined && isWholeObject(call.arguments);
  }

  /** The answer seems to be over: calls whose arguments are whole are complete; of others some vendors still send more. */
  completeWhole(emit: Emit): void {
    for (const call of this.#calls.values())
      if (call.name !== '' && (call.custom || isWholeObject(call.arguments))) this.#complete(call, emit);
  }

  /** No more pieces come under this key: the calls that they are. */
  complete(key: unknown, emit?: Emit): readonly ToolCallPart[] {
    const call = this.#calls.get(key);
    return call ? this.#complete(call, emit) : [];
  }

  /** The calls of the answer, which is whole. */
  all(emit?: Emit): ToolCallPart[] {
    return [...this.#calls.values()].flatMap((call) => this.#complete(call, emit));
  }

  /** The id that the vendor gives, unless another call of the answer has it: its client must be able to distinguish them. */
  #idFor(given: string): string {
    const id = this.#ids.has(given) ? newId() : given;
    if (id !== '') this.#ids.add(id);
    return id;
  }

  /** Text, or null where there is none. */
  #text(value: unknown, what: string): string | null {
    if (value == null || typeof value === 'string') return value ?? null;
    throw invalidReply(this.#vendor, `a call of a tool with ${what} that is no text`, value);
  }

  #open(key: unknown): OpenCall {
    if (this.#calls.size === maxCalls)
      throw invalidReply(this.#vendor, `more than ${maxCalls} calls of tools`, '');
    const text = { id: '', name: '', arguments: '', pending: '' };
    const nothing = { index: null, extraContent: null, inner: null };
    const call = { ...text, ...nothing, custom: false, begun: false, complete: false };
    this.#calls.set(key, call);
    return call;
  }

  /** @param whole whether no more pieces come */
  #tell(call: OpenCall, emit: Emit, whole = false): void {
    if (call.index === null || (call.begun && call.pending === '')) return;
    // The text of a wrapped call cannot be read from half of its JSON.
    if (!whole && (call.name === several || (this.#wrapped.has(call.name) && !call.custom))) return;
    const piece = call.pending;
    const first = !call.begun;
    call.pending = '';
    call.begun = true;
    call.id ||= newId();
    const { index, id, name, custom } = call;
    emit({
      type: 'tool_call_delta',
      index,
      id,
      name,
      arguments: piece,
      ...(custom && { custom }),
      ...(first && call.extraContent && { extraContent: call.extraContent }),
    });
  }

  #complete(call: OpenCall, emit?: Emit): readonly ToolCallPart[] {
    if (call.index === null && call.arguments === '') return [];
    if (call.index === null) throw invalidReply(this.#vendor, 'a call of a tool without a name', call);
    call.id ||= newId();
    if (!call.complete && !call.custom && call.arguments === '') call.arguments = call.pending = '{}';
    if (!call.complete && !call.custom && isTooDeep(call.arguments))
      throw invalidReply(this.#vendor, 'arguments that are nested too deeply', call.arguments);
    if (call.name === several && !call.complete) call.inner = callsWithin(call);
    if (call.inner) {
      for (const [at, toolCall] of call.complete || !emit ? [] : call.inner.entries()) {
        const index = at === 0 ? call.index : this.#named++;
        const { id, name, arguments: text } = toolCall;
        emit?.({ type: 'tool_call_delta', index, id, name, arguments: text });
        emit?.({ type: 'tool_call', index, toolCall });
      }
      call.complete = true;
      return call.inner;
    }
    if (!call.custom && this.#wrapped.has(call.name)) {
      call.custom = true;
      call.arguments = call.pending = unwrappedInput(call.arguments);
    }
    const toolCall: ToolCallPart = {
      type: 'tool_call',
      id: call.id,
      name: call.name,
      arguments: call.arguments,
      ...(call.custom && { custom: true }),
      ...(call.extraContent && { extraContent: call.extraContent }),
    };
    if (emit && !call.complete) {
      this.#tell(call, emit, true);
      emit({ type: 'tool_call', index: call.index, toolCall });
    }
    call.complete = true;
    return [toolCall];
  }
}

/** OpenAI's own tool for several calls at once, which its models at times call by its name as if it were the client's. */
const several = 'multi_tool_use.parallel';

/** The calls that such a call is made of; null where it is made of something else. */
function callsWithin({ id, arguments: text }: OpenCall): ToolCallPart[] | null {
  const uses = objectIn(text, parseExactly)?.['tool_uses'];
  if (!Array.isArray(uses) || uses.length === 0 || uses.length > maxCalls) return null;
  const calls = uses.flatMap((use: unknown, index): ToolCallPart[] => {
    const { recipient_name: name, parameters = {} } = isObject(use) ? use : {};
    if (typeof name !== 'string' || !isObject(parameters)) return [];
    const called = { name: name.replace(/^functions\./, ''), arguments: JSON.stringify(parameters) };
    return [{ type: 'tool_call', id: index === 0 ? id : newId(), ...called }];
  });
  return calls.length === uses.length ? calls : null;
}

/** Whether a text is a JSON object from its beginning to its end. */
export function isWholeObject(json: string): boolean {
  return /\}\s*$/.test(json.slice(-16)) && objectIn(json) !== null;
}

const noNames: ReadonlySet<string> = new Set();

function newId(): string {
  return `call_${ulid()}`;
}

/**
 * A tool that takes a text (OpenAI's custom tools), as a function for vendors that know only functions: its one argument
 * `input` is the text. A grammar, which such a vendor cannot enforce, is described to the model in words.
 */
export function wrappedTool({ custom: { name, description, format } }: CustomTool): Tool {
  const text = [description, grammarOf(format)].filter((text) => text !== undefined).join('\n\n');
  return {
    type: 'function',
    function: {
      name,
      ...(text !== '' && { description: text }),
      parameters: {
        type: 'object',
        properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
        required: ['input'],
        additionalProperties: false,
      },
    },
  };
}

function grammarOf(format: CustomTool['custom']['format']): string | undefined {
  if (format?.['type'] !== 'grammar') return undefined;
  // Chat has the grammar in an object of its own, Responses beside the type.
  const grammar = (format['grammar'] ?? format) as {
    readonly syntax?: unknown;
    readonly definition?: unknown;
  };
  if (typeof grammar.definition !== 'string') return undefined;
  return `The input follows this grammar (${String(grammar.syntax)}):\n${grammar.definition}`;
}

/** The names of the custom tools, for the way back. */
export function customNames(tools: readonly ModelTool[] | undefined): ReadonlySet<string> {
  if (!tools?.some(({ type }) => type === 'custom')) return none;
  return new Set(tools.flatMap((tool) => (tool.type === 'custom' ? [tool.custom.name] : [])));
}

const none: ReadonlySet<string> = new Set();

/** The text that a custom tool was called with, as the arguments of its function. */
export function wrappedInput(text: string): string {
  return JSON.stringify({ input: text });
}

/** The text in the arguments of such a function; arguments of another form are passed on as they are. */
export function unwrappedInput(json: string): string {
  const input = objectIn(json)?.['input'];
  return typeof input === 'string' ? input : json;
}

/** The arguments of an earlier call, for a vendor that takes objects only. Throws `invalid_request` for any other text. */
export function argumentsAt(text: string, path: string): Record<string, unknown> {
  const value = objectIn(text, parseExactly);
  if (value === null) throw fieldError(path, 'json', 'must be a JSON object for this model');
  return { ...value };
}
