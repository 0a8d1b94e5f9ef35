import type { TextPart } from '../../../../model/parts.ts';
import type { AnswerPart, Completion, CompletionEvent } from '../../../../model/port.ts';
import { invalidReply, type Vendor } from '../../../upstream/vendor.ts';
import { AnswerReader } from './answer-reader.ts';

/** Reads a whole reply of `generateContent`. Throws `ProviderError` when it holds no answer. */
export function readReply(
  vendor: Vendor,
  model: string,
  custom: ReadonlySet<string>,
  received: unknown,
): Completion {
  const reader = new AnswerReader(vendor, model, custom);
  const collector = new PartCollector();
  // Where events were asked for, some proxies send the stream as one array.
  for (const answer of Array.isArray(received) ? received : [received])
    reader.take(answer, (event) => collector.take(event));
  const ending = reader.ending ?? (collector.parts.length > 0 ? reader.endingUntold : null);
  if (!ending) throw invalidReply(vendor, 'a reply without an answer', received);
  return { parts: collector.parts, ...ending };
}

/** The parts of an answer from its events. */
class PartCollector {
  readonly parts: AnswerPart[] = [];
  /** Characters of text before the last text. */
  #before = 0;
  /** Characters of all text. */
  #length = 0;

  take(event: CompletionEvent): void {
    switch (event.type) {
      case 'delta':
        this.#addText(event.content);
        return;
      case 'refusal_delta':
        this.parts.push({ type: 'refusal', text: event.content });
        return;
      case 'thinking':
        this.parts.push(event.part);
        return;
      case 'tool_call':
        this.parts.push(event.toolCall);
        return;
      case 'citation': {
        const { start, end, ...citation } = event.citation;
        const place =
          start === undefined || end === undefined
            ? {}
            : { start: start - this.#before, end: end - this.#before };
        this.#lastText((text) => ({
          ...text,
          citations: [...(text.citations ?? []), { ...citation, ...place }],
        }));
        return;
      }
      default:
    }
  }

  #addText(content: string): void {
    const last = this.parts.at(-1);
    if (last?.type === 'text') this.parts[this.parts.length - 1] = { ...last, text: last.text + content };
    else {
      this.#before = this.#length;
      this.parts.push({ type: 'text', text: content });
    }
    this.#length += content.length;
  }

  #lastText(change: (text: TextPart) => TextPart): void {
    const index = this.parts.findLastIndex((part) => part.type === 'text');
    const part = this.parts[index];
    if (part?.type === 'text') this.parts[index] = change(part);
  }
}
