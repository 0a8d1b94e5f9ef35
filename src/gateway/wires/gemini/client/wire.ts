import type { Body, Wire, WireRequest } from '../../wire.ts';
import { writeAnswer } from './answer.ts';
import { arrayFrames, eventFrames, type Frames } from './frames.ts';
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
