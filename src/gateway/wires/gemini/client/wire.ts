import type { Part } from '@google/genai';
import type { ServiceError } from '../../../../contract/errors.ts';
import type { Citation } from '../../../../model/parts.ts';
import type { Completion, CompletionEvent } from '../../../../model/port.ts';
import type { AnswerMeta, Body, StreamWriter, Wire, WireRequest } from '../../wire.ts';
import { endOf, usageMetadata } from './ending.ts';
import { arrayFrames, errorBody, eventFrames, type Frames } from './errors.ts';
import { groundingOf, PartWriter } from './part-writer.ts';
import { readBound, readRequest } from './read.ts';

/** Gemini's interface: `generateContent`, and `streamGenerateContent` with `alt=sse`. */
export const geminiWire: Wire = {
  name: 'gemini',
  read: (body) => request(body, eventFrames),
  bound: readBound,
};

/** The same, whose streams are one JSON array: `streamGenerateContent` without `alt=sse`. */
export const geminiArrayWire: Wire = { ...geminiWire, read: (body) => request(body, arrayFrames) };

function request(body: Body, frames: () => Frames): WireRequest {
  const call = readRequest(body);
  const shown = call.thinking?.shown === true;
  return {
    call,
    answer: (completion, meta) => writeAnswer(completion, meta, shown),
    stream: (meta) => new GeminiStreamWriter(meta, shown, frames()),
  };
}

/** A `GenerateContentResponse`. */
function writeAnswer(completion: Completion, meta: AnswerMeta, shown: boolean): object {
  const writer = new PartWriter(shown);
  const parts: Part[] = [];
  const cited: Parameters<typeof groundingOf>[0][number][] = [];
  let malformed: string | null = null;
  for (const part of completion.parts) {
    if (part.type === 'text') {
      parts.push(...writer.text(part.text));
      for (const citation of part.citations ?? [])
        cited.push({ citation, text: part.text, part: parts.length - 1 });
    } else if (part.type === 'refusal') parts.push(...writer.text(part.text));
    else if (part.type === 'thinking')
      addThinking(parts, [...writer.thought(part.text), ...writer.sealed(part)]);
    else {
      const call = writer.call(part);
      if (call) parts.push(...call);
      else malformed ??= part.name;
    }
  }
  parts.push(...writer.end());
  const grounding = groundingOf(cited);
  return {
    candidates: [
      {
        content: { parts, role: 'model' },
        ...endOf(completion.endReason, malformed),
        index: 0,
        ...(grounding && { groundingMetadata: grounding }),
      },
    ],
    usageMetadata: usageMetadata(meta.usage()),
    modelVersion: meta.model,
    responseId: meta.id,
  };
}

/** In a whole answer the text and its signature stand in one part, unless that one has a signature already. */
function addThinking(parts: Part[], thinking: readonly Part[]): void {
  for (const part of thinking) {
    const last = parts.at(-1);
    const joins =
      part.text === '' &&
      part.thoughtSignature !== undefined &&
      last?.text !== undefined &&
      last.thoughtSignature === undefined &&
      (last.thought ?? false) === (part.thought ?? false);
    if (joins) parts[parts.length - 1] = { ...last, thoughtSignature: part.thoughtSignature as string };
    else parts.push(part);
  }
}

/** Maximum of the answer's text that is kept to count bytes for citations, in characters. */
const maxKept = 1024 * 1024;

/** Writes a streamed answer. Calls of tools are told whole, as the wire has them. */
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

  fail(error: ServiceError, requestId: string): readonly string[] {
    return this.#frames.error(errorBody(error, requestId));
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
