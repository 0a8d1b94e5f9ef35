import type { Candidate, FunctionCall, Part as GeminiPart, GenerateContentResponse } from '@google/genai';
import { ulid } from '../../../../lib/ids.ts';
import { isObject } from '../../../../lib/json.ts';
import type { ToolCallPart } from '../../../../model/parts.ts';
import type { Completion, CompletionEvent, Ending, EndReason, VendorUsage } from '../../../../model/port.ts';
import { invalidReply, type Untrusted, type Vendor } from '../../../upstream/vendor.ts';
import { AnswerParts } from '../../../upstream/whole-stream.ts';
import { citationsOf, TextPositions } from './citations.ts';
import {
  endReasonOf,
  type Finish,
  finishReasonOf,
  isBlocked,
  readUsage,
  requireAnswer,
  withheldText,
} from './ending.ts';
import { extraContentOf, type SignedPart } from './thinking.ts';

/** Maximum number of calls of tools in one answer. */
const maxCalls = 256;

type Emit = (event: CompletionEvent) => void;

type Received = NonNullable<Untrusted<GeminiPart>>;

/**
 * Reads an answer, which comes as one `GenerateContentResponse` or as several, each with further parts. Parts are whole,
 * except that texts go on. Throws `ProviderError` for what is not as the wire has it.
 */
export class AnswerReader {
  readonly #vendor: Vendor;
  readonly #model: string;
  readonly #custom: ReadonlySet<string>;
  readonly #text = new TextPositions();
  readonly #ids = new Set<string>();
  #thought = '';
  #calls = 0;
  #empty = true;
  #endReason: EndReason | null = null;
  #usage: VendorUsage = null;

  /** @param custom names of the tools that take a text in place of JSON */
  constructor(vendor: Vendor, model: string, custom: ReadonlySet<string>) {
    this.#vendor = vendor;
    this.#model = model;
    this.#custom = custom;
  }

  take(received: unknown, emit: Emit): void {
    const reply = received as Untrusted<GenerateContentResponse>;
    if (!isObject(reply)) throw invalidReply(this.#vendor, 'a reply that is no object', received);
    const candidate = this.#candidateIn(reply);
    if (candidate) this.#takeCandidate(candidate, emit);
    const blocked = this.#blockIn(reply);
    if (blocked) this.#end(blocked, emit);
    this.#usage = readUsage(reply.usageMetadata) ?? this.#usage;
  }

  /** How the answer ended; null while it goes on. */
  get ending(): Ending | null {
    const endReason = this.#endReason;
    return endReason && { finishReason: finishReasonOf(endReason), endReason, usage: this.#usage };
  }

  /** The ending of a whole answer that states none. */
  get endingUntold(): Ending {
    const reason = this.#calls > 0 ? 'tool_calls' : 'stop';
    return { finishReason: reason, endReason: reason, usage: this.#usage };
  }

  #candidateIn({ candidates }: NonNullable<Untrusted<GenerateContentResponse>>): Untrusted<Candidate> {
    const list: unknown = candidates ?? [];
    const [candidate] = Array.isArray(list) ? list : [null];
    if (candidate === undefined || isObject(candidate)) return candidate as Untrusted<Candidate>;
    throw invalidReply(this.#vendor, 'a candidate that is none', candidates);
  }

  #takeCandidate(candidate: NonNullable<Untrusted<Candidate>>, emit: Emit): void {
    const starts: number[] = [];
    for (const part of this.#partsIn(candidate)) {
      starts.push(this.#text.bytes);
      this.#takePart(part, emit);
    }
    const startOf = (index: number) => (starts.length > 1 ? (starts[index] ?? 0) : 0);
    for (const citation of citationsOf(candidate, this.#text, startOf)) emit({ type: 'citation', citation });
    const { finishReason: reason, finishMessage: message } = candidate;
    if (reason == null) return;
    if (typeof reason !== 'string')
      throw invalidReply(this.#vendor, 'a finish reason that is no text', candidate);
    this.#end({ reason, message: typeof message === 'string' ? message : null, blocked: false }, emit);
  }

  #partsIn({ content }: NonNullable<Untrusted<Candidate>>): readonly Received[] {
    const parts: unknown = isObject(content ?? {}) ? (content?.parts ?? []) : null;
    if (Array.isArray(parts) && parts.every(isObject)) return parts as Received[];
    throw invalidReply(this.#vendor, 'content that has no parts', content);
  }

  #blockIn({ promptFeedback }: NonNullable<Untrusted<GenerateContentResponse>>): Finish | null {
    const { blockReason: reason, blockReasonMessage: message } = promptFeedback ?? {};
    if (!isBlocked(reason)) return null;
    return { reason, message: typeof message === 'string' ? message : null, blocked: true };
  }

  #takePart(part: Received, emit: Emit): void {
    const { text, thought, functionCall, inlineData } = part;
    const signature = part.thoughtSignature || null;
    if (signature !== null && typeof signature !== 'string')
      throw invalidReply(this.#vendor, 'a signature that is no text', part);
    if (text != null && typeof text !== 'string')
      throw invalidReply(this.#vendor, 'content that is no text', part);
    if (functionCall != null) this.#takeCall(functionCall, signature, emit);
    else if (thought === true) this.#takeThought(text ?? '', signature, emit);
    else if (isObject(inlineData)) this.#takeText(this.#pictureOf(inlineData), signature, emit);
    // Parts of the vendor's own tools, which we do not ask for, have neither.
    else if (text != null || signature !== null) this.#takeText(text ?? '', signature, emit);
  }

  #takeText(text: string, signature: string | null, emit: Emit): void {
    if (text !== '') {
      this.#endThought(emit);
      this.#empty = false;
      this.#text.add(text);
      emit({ type: 'delta', content: text });
    }
    if (signature !== null) {
      this.#seal(this.#thought, { text, thoughtSignature: signature }, emit);
      this.#thought = '';
    }
  }

  #takeThought(text: string, signature: string | null, emit: Emit): void {
    if (signature !== null) this.#endThought(emit);
    if (text !== '') emit({ type: 'thinking_delta', content: text });
    if (signature === null) {
      this.#thought += text;
      return;
    }
    this.#seal(text, { text, thought: true, thoughtSignature: signature }, emit);
  }

  #seal(text: string, part: SignedPart, emit: Emit): void {
    const { id: provider } = this.#vendor;
    const sealed = { wire: 'gemini', provider, model: this.#model, value: { ...part } } as const;
    emit({ type: 'thinking', part: { type: 'thinking', text, sealed } });
  }

  #endThought(emit: Emit): void {
    if (this.#thought === '') return;
    emit({ type: 'thinking', part: { type: 'thinking', text: this.#thought, sealed: null } });
    this.#thought = '';
  }

  #takeCall(call: unknown, signature: string | null, emit: Emit): void {
    const toolCall = this.#callOf(call, signature);
    if (signature === null) this.#endThought(emit);
    else {
      const part = { functionCall: { name: toolCall.name }, thoughtSignature: signature };
      this.#seal(this.#thought, part, emit);
      this.#thought = '';
    }
    const index = this.#calls;
    this.#calls += 1;
    this.#empty = false;
    const { id, name, arguments: text, custom } = toolCall;
    emit({ type: 'tool_call_delta', index, id, name, arguments: text, ...(custom && { custom }) });
    emit({ type: 'tool_call', index, toolCall });
  }

  #callOf(received: unknown, signature: string | null): ToolCallPart {
    if (this.#calls === maxCalls)
      throw invalidReply(this.#vendor, `more than ${maxCalls} calls of tools`, '');
    if (!isObject(received)) throw invalidReply(this.#vendor, 'a call of a tool that is none', received);
    const { id, name, args } = received as NonNullable<Untrusted<FunctionCall>>;
    if (typeof name !== 'string' || name === '')
      throw invalidReply(this.#vendor, 'a call of a tool without a name', received);
    if (args != null && !isObject(args))
      throw invalidReply(this.#vendor, 'a call of a tool whose arguments are no object', received);
    const extra = signature === null ? {} : { extraContent: extraContentOf(signature) };
    const base = { type: 'tool_call', id: this.#idOf(id), name, ...extra } as const;
    if (!this.#custom.has(name)) return { ...base, arguments: JSON.stringify(args ?? {}) };
    const input = (args as Readonly<Record<string, unknown>> | null | undefined)?.['input'];
    return {
      ...base,
      arguments: typeof input === 'string' ? input : JSON.stringify(args ?? {}),
      custom: true,
    };
  }

  /** Many answers have no ids; results need one to name. */
  #idOf(given: unknown): string {
    const id = typeof given === 'string' && given !== '' && !this.#ids.has(given) ? given : `call_${ulid()}`;
    this.#ids.add(id);
    return id;
  }

  /** A picture of a model that draws, as Markdown has it: there is no part for it. */
  #pictureOf({ mimeType, data }: Readonly<Record<string, unknown>>): string {
    if (typeof mimeType === 'string' && typeof data === 'string')
      return `![](data:${mimeType};base64,${data})`;
    throw invalidReply(this.#vendor, 'data that is none', mimeType);
  }

  #end(finish: Finish, emit: Emit): void {
    requireAnswer(this.#vendor, finish);
    this.#endThought(emit);
    this.#endReason = endReasonOf(finish, { calls: this.#calls > 0, empty: this.#empty });
    if (this.#endReason === 'content_filter' && this.#empty)
      emit({ type: 'refusal_delta', content: withheldText(finish) });
  }
}

/** Reads a whole reply of `generateContent`. Throws `ProviderError` when it holds no answer. */
export function readReply(
  vendor: Vendor,
  model: string,
  custom: ReadonlySet<string>,
  received: unknown,
): Completion {
  const reader = new AnswerReader(vendor, model, custom);
  const collector = new AnswerParts();
  // Where events were asked for, some proxies send the stream as one array.
  for (const answer of Array.isArray(received) ? received : [received])
    reader.take(answer, (event) => collector.take(event));
  const ending = reader.ending ?? (collector.parts.length > 0 ? reader.endingUntold : null);
  if (!ending) throw invalidReply(vendor, 'a reply without an answer', received);
  return { parts: collector.parts, ...ending };
}
