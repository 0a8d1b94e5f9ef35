import type { GenerateContentResponse } from '@google/genai';
import { isObject, objectIn } from '../../../../lib/json.ts';
import type { EndReason } from '../../../../model/port.ts';
import { errorIn } from '../../../upstream/endings.ts';
import { fieldsOf } from '../../../upstream/event-frames.ts';
import { AnswerReading, type NativeReader } from '../../../upstream/native.ts';
import { invalidReply, parseJson, type Untrusted, type Vendor } from '../../../upstream/vendor.ts';
import { errorOfObject } from '../../../upstream/vendor-errors.ts';
import { endReasonOf, isBlocked, readUsage } from './ending.ts';

/**
 * Reads along with an answer on this wire. Every event of a stream is parsed, since every one has usage; they are few and
 * large. A whole body may also be a stream that came as one array, without `alt=sse`.
 */
export function createGeminiReader(vendor: Vendor, model: string): NativeReader {
  return new GeminiReader(vendor, model);
}

class GeminiReader extends AnswerReading {
  #finish: { readonly reason: string; readonly blocked: boolean } | null = null;
  #calls = false;
  #empty = true;

  whole(body: Buffer): void {
    const reply = parseJson(this.vendor, body.toString(), 'a reply');
    const error = errorIn(reply);
    if (error !== undefined) throw errorOfObject(this.vendor, this.model, error);
    const answers = Array.isArray(reply) ? reply : [reply];
    if (!answers.every(isObject)) throw invalidReply(this.vendor, 'a reply that is no object', reply);
    for (const answer of answers) this.#take(answer);
  }

  event(bytes: Buffer): boolean {
    const chunk = objectIn(fieldsOf(bytes.toString()).data);
    // Anything but an object goes to the client unchanged.
    if (chunk === null) return true;
    const error = errorIn(chunk);
    if (error !== undefined) this.failure = errorOfObject(this.vendor, this.model, error);
    else this.#take(chunk);
    return true;
  }

  protected override ending(): EndReason | null {
    if (!this.#finish) return null;
    return endReasonOf({ ...this.#finish, message: null }, { calls: this.#calls, empty: this.#empty });
  }

  #take(received: object): void {
    const reply = received as NonNullable<Untrusted<GenerateContentResponse>>;
    this.#takeAnswer(reply);
    const usage = readUsage(reply.usageMetadata);
    this.usage = usage ?? this.usage;
    if (usage !== null && usage.output > 0) this.counted = this.characters;
  }

  #takeAnswer(reply: NonNullable<Untrusted<GenerateContentResponse>>): void {
    if (typeof reply.responseId === 'string') this.id = reply.responseId;
    const { blockReason } = reply.promptFeedback ?? {};
    if (isBlocked(blockReason)) this.#end(blockReason, true);
    const candidates: unknown = reply.candidates;
    if (!Array.isArray(candidates)) return;
    for (const candidate of candidates) if (isObject(candidate)) this.#takeCandidate(candidate);
  }

  #takeCandidate({ content, finishReason }: Readonly<Record<string, unknown>>): void {
    const parts: unknown = isObject(content) ? content['parts'] : null;
    for (const part of Array.isArray(parts) ? parts : []) {
      if (!isObject(part)) continue;
      if (typeof part['text'] === 'string') this.characters += part['text'].length;
      if (part['functionCall'] != null) {
        this.#calls = true;
        this.characters += JSON.stringify(part['functionCall']).length;
      }
      if (part['text'] || part['functionCall'] || part['inlineData']) this.#empty = false;
    }
    if (typeof finishReason === 'string') this.#end(finishReason, false);
  }

  #end(reason: string, blocked: boolean): void {
    this.#finish = { reason, blocked };
    this.complete = true;
  }
}
