import type { Part } from '@google/genai';
import type { Completion } from '../../../../model/port.ts';
import type { AnswerMeta, Body, Wire, WireRequest } from '../../wire.ts';
import { endOf, usageMetadata } from './ending.ts';
import { arrayFrames, eventFrames, type Frames } from './errors.ts';
import { groundingOf, PartWriter } from './part-writer.ts';
import { readRequest } from './read.ts';
import { createStreamWriter } from './stream.ts';

/** Gemini's interface: `generateContent`, and `streamGenerateContent` with `alt=sse`. */
export const geminiWire: Wire = { name: 'gemini', read: (body) => request(body, eventFrames) };

/** The same, whose streams are one JSON array: `streamGenerateContent` without `alt=sse`. */
export const geminiArrayWire: Wire = { name: 'gemini', read: (body) => request(body, arrayFrames) };

function request(body: Body, frames: () => Frames): WireRequest {
  const call = readRequest(body);
  const shown = call.thinking?.shown === true;
  return {
    call,
    answer: (completion, meta) => writeAnswer(completion, meta, shown),
    stream: (meta) => createStreamWriter(meta, shown, frames()),
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
