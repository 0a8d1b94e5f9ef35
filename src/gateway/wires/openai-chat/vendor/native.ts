import { isUtf8 } from 'node:buffer';
import { isObject, objectIn } from '../../../../lib/json.ts';
import type { EndReason } from '../../../../model/port.ts';
import { meaningOf } from '../../../upstream/endings.ts';
import { fieldsOf } from '../../../upstream/event-frames.ts';
import { AnswerReading } from '../../../upstream/native.ts';
import { invalidReply, type Vendor } from '../../../upstream/vendor.ts';
import { errorOfObject, failureOf } from '../../../upstream/vendor-errors.ts';
import { callMissing, errorToldIn, firstChoice, isCallMissing, messageIn, reasonsOf } from './reply.ts';
import { TextChunks, textAlone } from './text-chunks.ts';
import { laterUsage, usageIn } from './usage.ts';

const endMark = '[DONE]';

export interface NativeOptions {
  /** Whether the client itself asked for usage at the end of a stream; we always do. */
  readonly usageWanted: boolean;
}

/**
 * Reads answers of `POST /chat/completions`, and of `POST /completions`, that go to the client as they came. Only chunks of a new
 * shape are parsed.
 */
export class OpenAiNativeReader extends AnswerReading {
  readonly #usageWanted: boolean;
  #finish: string | null = null;
  #refused = false;
  #callsTools = false;
  readonly #texts = new TextChunks();

  constructor(vendor: Vendor, model: string, { usageWanted }: NativeOptions) {
    super(vendor, model);
    this.#usageWanted = usageWanted;
  }

  whole(body: Buffer): void {
    const text = body.toString();
    const reply = isUtf8(body) ? objectIn(text) : null;
    if (reply === null)
      throw invalidReply(this.vendor, 'a reply that is no JSON object', text.slice(0, 20_000));
    const error = errorToldIn(reply);
    if (error !== undefined) throw errorOfObject(this.vendor, this.model, error);
    this.#take(reply);
    if (this.failedEnd) throw this.failedEnd;
    if (messageIn(firstChoice(this.vendor, reply)) === null)
      throw invalidReply(this.vendor, 'a reply without an answer', reply);
    if (this.#isCallMissing) throw callMissing(this.vendor, reply);
    this.complete = true;
  }

  event(bytes: Buffer): boolean {
    const length = this.#texts.lengthIn(bytes);
    if (length !== null) {
      this.characters += length;
      return true;
    }
    const event = bytes.toString();
    const { data, type } = fieldsOf(event);
    if (data === '') return true;
    if (data.startsWith(endMark)) {
      if (this.#isCallMissing) this.failedEnd ??= callMissing(this.vendor, '');
      this.complete = true;
      return true;
    }
    const chunk = objectIn(data);
    if (chunk === null) return true;
    const error = errorToldIn(chunk) ?? (type === 'error' ? chunk : undefined);
    if (error !== undefined) {
      this.failure ??= errorOfObject(this.vendor, this.model, error);
      return true;
    }
    this.#take(chunk);
    const alone = textAlone(chunk);
    if (alone !== null) this.#texts.learn(event, alone, chunk['obfuscation']);
    return this.#usageWanted || !isUsageAlone(chunk);
  }

  /** A whole reply or a chunk; their choices differ in the name of what they hold. */
  #take(received: Readonly<Record<string, unknown>>): void {
    const { id, choices } = received;
    // Azure's first chunk has an empty one.
    if (typeof id === 'string' && id !== '') this.id ??= id;
    for (const choice of Array.isArray(choices) ? choices : [])
      if (isObject(choice)) this.#takeChoice(choice);
    const usage = usageIn(received);
    this.usage = laterUsage(this.usage, usage);
    if (usage !== null && usage.output > 0) this.counted = this.characters;
  }

  #takeChoice(choice: Readonly<Record<string, unknown>>): void {
    const { finish_reason: reason, text, message, delta } = choice;
    if (typeof text === 'string') this.characters += text.length;
    const said = message ?? delta;
    if (isObject(said)) this.#takeMessage(said);
    if (typeof reason !== 'string' || reason === '') return;
    if (meaningOf(reason) === 'failed') this.failedEnd ??= failureOf(this.vendor, this.model, reason, choice);
    else this.#finish = reason;
  }

  get #isCallMissing(): boolean {
    return isCallMissing(this.#finish, this.#callsTools || this.characters > 0);
  }

  #takeMessage(message: Readonly<Record<string, unknown>>): void {
    const { content, refusal, reasoning_content, reasoning, tool_calls: listed, function_call } = message;
    const calls = Array.isArray(listed) && listed.length > 0 ? listed : [{ function: function_call }];
    for (const text of [content, refusal, reasoning_content, reasoning])
      if (typeof text === 'string') this.characters += text.length;
    if (Array.isArray(content))
      for (const part of content)
        if (isObject(part) && typeof part['text'] === 'string') this.characters += part['text'].length;
    if (typeof refusal === 'string' && refusal !== '') this.#refused = true;
    for (const call of calls) {
      this.#callsTools ||= isNamed(call);
      this.characters += argumentsLength(call);
    }
  }

  /** Usage may come after the reason of the end. */
  protected override ending(): EndReason | null {
    return this.#finish === null ? null : reasonsOf(this.#finish, this.#refused, this.#callsTools).endReason;
  }
}

/** Some vendors put an empty stub of a call beside a text. */
function isNamed(call: unknown): boolean {
  if (!isObject(call)) return false;
  const called = call['function'] ?? call['custom'];
  return isObject(called) && typeof called['name'] === 'string' && called['name'] !== '';
}

function argumentsLength(call: unknown): number {
  if (!isObject(call)) return 0;
  const { function: called, custom } = call;
  const text = isObject(called) ? called['arguments'] : isObject(custom) ? custom['input'] : '';
  return typeof text === 'string' ? text.length : 0;
}

/** The chunk that comes for `include_usage`: it has usage, no choices, and nothing else that could be news. */
function isUsageAlone({ choices, usage }: Readonly<Record<string, unknown>>): boolean {
  return isObject(usage) && Array.isArray(choices) && choices.length === 0;
}
