import type { Part } from '@google/genai';
import type { Citation } from '../../../../model/parts.ts';
import type { Completion, UnroutedCall } from '../../../../model/port.ts';
import type { AnswerMeta, Body, StreamWriter, Wire, WireRequest } from '../../wire.ts';
import { messagesOf } from './contents.ts';
import { arrayFrames, errorBody, eventFrames, type Frames } from './errors.ts';
import { Fields } from './fields.ts';
import { endOf, groundingOf, PartWriter, usageMetadata } from './part-writer.ts';
import { boundOf, settingsOf, toolsOf } from './settings.ts';

/** A `GenerateContentRequest`. Throws `invalid_request`, which names the path. */
export function readRequest(body: Body): UnroutedCall {
  return readFields(new Fields(body, ''));
}

/** A `CountTokensRequest`, which has a conversation alone or a whole request. */
export function readCountRequest(body: Body): UnroutedCall {
  const fields = new Fields(body, '');
  return readFields(fields.object('generateContentRequest') ?? fields);
}

function readFields(body: Fields): UnroutedCall {
  const settings = settingsOf(body);
  const tier = body.text('serviceTier')?.toLowerCase();
  return {
    messages: messagesOf(body),
    ...settings,
    temperatureGiven: settings.temperature !== undefined,
    ...toolsOf(body),
    ...(tier !== undefined &&
      tier !== 'unspecified' && { serviceTier: tier === 'standard' ? 'default' : tier }),
  };
}

/** A `CountTokensResponse`; the request is read by `readCountRequest`. */
export function writeTokenCount(totalTokens: number): object {
  return { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] };
}

/** Gemini's interface: `generateContent`, and `streamGenerateContent` with `alt=sse`. */
export const geminiWire: Wire = {
  name: 'gemini',
  read: (body) => request(body, eventFrames),
  bound: (body) => boundOf(new Fields(body, '').object('generationConfig')),
};

/** The same, whose streams are one JSON array: `streamGenerateContent` without `alt=sse`. */
export const geminiArrayWire: Wire = { ...geminiWire, read: (body) => request(body, arrayFrames) };

function request(body: Body, frames: () => Frames): WireRequest {
  const call = readRequest(body);
  const shown = call.thinking?.shown === true;
  return {
    call,
    answer: (completion, meta) => writeAnswer(completion, meta, shown),
    stream: (meta) => geminiStream(meta, shown, frames()),
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
  return {
    candidates: [candidateOf(parts, endOf(completion.endReason, malformed), cited)],
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

/** Writes a streamed answer. Calls of tools are written whole, as the wire has them. */
function geminiStream(meta: AnswerMeta, shown: boolean, frames: Frames): StreamWriter {
  const writer = new PartWriter(shown);
  const citations: Citation[] = [];
  let text = '';
  let malformed: string | null = null;

  const response = (candidate: object, more: object = {}) => ({
    candidates: [candidate],
    ...more,
    modelVersion: meta.model,
    responseId: meta.id,
  });
  const chunk = (parts: readonly Part[]) =>
    parts.length === 0 ? '' : frames.chunk(response({ content: { parts, role: 'model' }, index: 0 }));

  return {
    // The wire has no event for it.
    start: () => '',
    take(event) {
      switch (event.type) {
        case 'delta':
          if (text.length < maxKept) text += event.content;
          return chunk(writer.text(event.content));
        case 'refusal_delta':
          return chunk(writer.text(event.content));
        case 'thinking_delta':
          return chunk(writer.thought(event.content));
        case 'thinking':
          return chunk(writer.sealed(event.part));
        case 'citation':
          citations.push(event.citation);
          return '';
        case 'tool_call': {
          const call = writer.call(event.toolCall);
          if (!call) malformed ??= event.toolCall.name;
          return chunk(call ?? []);
        }
        case 'tool_call_delta':
          return '';
        case 'end': {
          const left = writer.end();
          const kept = text.length < maxKept ? text : null;
          const cited = citations.map((citation) => ({ citation, text: kept, part: 0 }));
          // As the vendor does: a client that looks for content finds it in each chunk.
          const parts = left.length > 0 ? left : [{ text: '' }];
          const candidate = candidateOf(parts, endOf(event.endReason, malformed), cited);
          return frames.last(response(candidate, { usageMetadata: usageMetadata(meta.usage()) }));
        }
      }
    },
    fail: (error, requestId) => frames.error(errorBody(error, requestId)),
  };
}

function candidateOf(parts: readonly Part[], end: object, cited: Parameters<typeof groundingOf>[0]): object {
  const grounding = groundingOf(cited);
  return {
    content: { parts, role: 'model' },
    ...end,
    index: 0,
    ...(grounding && { groundingMetadata: grounding }),
  };
}
