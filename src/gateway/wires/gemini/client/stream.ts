import type { Part } from '@google/genai';
import type { ServiceError } from '../../../../contract/errors.ts';
import type { Citation } from '../../../../model/parts.ts';
import type { CompletionEvent } from '../../../../model/port.ts';
import type { AnswerMeta, StreamWriter } from '../../wire.ts';
import { endOf, usageMetadata } from './ending.ts';
import type { Frames } from './errors.ts';
import { errorBody } from './errors.ts';
import { groundingOf, PartWriter } from './part-writer.ts';

/** Maximum of the answer's text that is kept to count bytes for citations, in characters. */
const maxKept = 1024 * 1024;

/** Writes a streamed answer. Calls of tools are told whole, as the wire has them. */
export function createStreamWriter(meta: AnswerMeta, shown: boolean, frames: Frames): StreamWriter {
  return new GeminiStreamWriter(meta, shown, frames);
}

class GeminiStreamWriter implements StreamWriter {
  readonly #meta: AnswerMeta;
  readonly #frames: Frames;
  readonly #parts: PartWriter;
  readonly #citations: Citation[] = [];
  #text = '';
  #malformed: string | null = null;

  constructor(meta: AnswerMeta, shown: boolean, frames: Frames) {
    this.#meta = meta;
    this.#frames = frames;
    this.#parts = new PartWriter(shown);
  }

  /** The wire has no event for it. */
  start(): string {
    return '';
  }

  take(event: CompletionEvent): string {
    switch (event.type) {
      case 'delta':
        if (this.#text.length < maxKept) this.#text += event.content;
        return this.#chunk(this.#parts.text(event.content));
      case 'refusal_delta':
        return this.#chunk(this.#parts.text(event.content));
      case 'thinking_delta':
        return this.#chunk(this.#parts.thought(event.content));
      case 'thinking':
        return this.#chunk(this.#parts.sealed(event.part));
      case 'citation':
        this.#citations.push(event.citation);
        return '';
      case 'tool_call': {
        const call = this.#parts.call(event.toolCall);
        if (!call) this.#malformed ??= event.toolCall.name;
        return this.#chunk(call ?? []);
      }
      case 'tool_call_delta':
        return '';
      case 'end':
        return this.#end(event);
    }
  }

  fail(error: ServiceError, requestId: string): string {
    return this.#frames.last(errorBody(error, requestId));
  }

  #chunk(parts: readonly Part[]): string {
    if (parts.length === 0) return '';
    const candidate = { content: { parts, role: 'model' }, index: 0 };
    return this.#frames.chunk(this.#response(candidate, {}));
  }

  #end({ endReason }: Extract<CompletionEvent, { type: 'end' }>): string {
    const left = this.#parts.end();
    const text = this.#text.length < maxKept ? this.#text : null;
    const grounding = groundingOf(this.#citations.map((citation) => ({ citation, text, part: 0 })));
    const candidate = {
      // As the vendor does: a client that looks for content finds it in each chunk.
      content: { parts: left.length > 0 ? left : [{ text: '' }], role: 'model' },
      ...endOf(endReason, this.#malformed),
      index: 0,
      ...(grounding && { groundingMetadata: grounding }),
    };
    const usage = { usageMetadata: usageMetadata(this.#meta.usage()) };
    return this.#frames.last(this.#response(candidate, usage));
  }

  #response(candidate: object, more: object): object {
    return { candidates: [candidate], ...more, modelVersion: this.#meta.model, responseId: this.#meta.id };
  }
}
