import { isObject, objectIn } from '../../../../lib/json.ts';
import { afterString, quote, standsIn, textLength } from '../../../../lib/string-bytes.ts';
import { errorIn, meaningOf } from '../../../upstream/endings.ts';
import { fieldsOf } from '../../../upstream/event-frames.ts';
import { AnswerReading, type NativeReader } from '../../../upstream/native.ts';
import { invalidReply, type Vendor } from '../../../upstream/vendor.ts';
import { errorOfObject, failureOf } from '../../../upstream/vendor-errors.ts';
import { endReasonOf } from './reply.ts';
import { StreamedUsage } from './usage.ts';

/** Reads along with an answer on this wire. Of a stream only the events that frame the message are parsed. */
export function createAnthropicReader(vendor: Vendor, model: string): NativeReader {
  return new AnthropicReader(vendor, model);
}

class AnthropicReader extends AnswerReading {
  readonly #usage = new StreamedUsage();

  whole(body: Buffer): void {
    const text = body.toString();
    const reply = objectIn(text);
    if (reply === null)
      throw invalidReply(this.vendor, 'a reply that is no JSON object', text.slice(0, 2000));
    const error = errorIn(reply);
    if (error !== undefined) throw errorOfObject(this.vendor, this.model, error);
    this.characters = charactersIn(reply['content']);
    this.#took(reply);
    if (this.failedEnd) throw this.failedEnd;
    this.complete = true;
  }

  event(bytes: Buffer): boolean {
    if (standsIn(bytes, pieceEvent, 0)) {
      this.characters += pieceLength(bytes);
      return true;
    }
    const text = bytes.toString();
    const name = eventName(text);
    if (name !== null && unread.has(name)) return true;
    const message = objectIn(fieldsOf(text).data);
    if (message !== null) this.#take(message['type'] ?? name, message);
    return true;
  }

  #take(type: unknown, message: Fields): void {
    const { delta } = message;
    switch (type) {
      case 'message_start':
        if (isObject(message['message'])) this.#took(message['message']);
        return;
      case 'message_delta':
        this.#count(message['usage']);
        if (isObject(delta)) this.#ended(delta['stop_reason']);
        return;
      case 'message_stop':
        this.complete = true;
        return;
      case 'content_block_delta':
        if (isObject(delta)) this.characters += lengthOf(delta);
        return;
      default: {
        const error = errorIn(message) ?? (type === 'error' ? message : undefined);
        if (error !== undefined) this.failure = errorOfObject(this.vendor, this.model, error);
      }
    }
  }

  #took({ id, usage, stop_reason: reason }: Fields): void {
    if (typeof id === 'string') this.id = id;
    this.#count(usage);
    this.#ended(reason);
  }

  #count(counts: unknown): void {
    this.#usage.merge(counts);
    this.usage = this.#usage.total;
    if (isObject(counts) && Number(counts['output_tokens']) > 0) this.counted = this.characters;
  }

  #ended(reason: unknown): void {
    if (typeof reason !== 'string') return;
    const meaning = meaningOf(reason);
    if (meaning === 'failed') this.failedEnd ??= failureOf(this.vendor, this.model, reason, {});
    else this.endReason = endReasonOf(reason, meaning === 'tool_calls');
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Events with nothing that the reader looks for. */
const unread: ReadonlySet<string> = new Set(['content_block_start', 'content_block_stop', 'ping']);

/** The event's name, if the first line has it. */
function eventName(text: string): string | null {
  if (!text.startsWith('event:')) return null;
  const end = text.indexOf('\n');
  return text.slice(6, end < 0 ? undefined : end).trim();
}

const pieceNames = ['text', 'thinking', 'partial_json'] as const;
const pieceFields = pieceNames.map((name) => Buffer.from(`"${name}":`));
const pieceEvent = Buffer.from('event: content_block_delta\n');

function lengthOf(delta: Fields): number {
  for (const name of pieceNames) {
    const text = delta[name];
    if (typeof text === 'string') return text.length;
  }
  return 0;
}

/** About as many characters as a piece of an answer has: an escape counts as it is written. */
function pieceLength(bytes: Buffer): number {
  for (const field of pieceFields) {
    const at = bytes.indexOf(field);
    if (at < 0) continue;
    const start = bytes.indexOf(quote, at + field.length);
    const end = afterString(bytes, start);
    return end === bytes.length ? 0 : textLength(bytes, start + 1, end - 1);
  }
  return 0;
}

function charactersIn(content: unknown): number {
  if (!Array.isArray(content)) return 0;
  let sum = 0;
  for (const block of content as unknown[])
    if (isObject(block))
      for (const value of [block['text'], block['thinking']])
        if (typeof value === 'string') sum += value.length;
  return sum;
}
