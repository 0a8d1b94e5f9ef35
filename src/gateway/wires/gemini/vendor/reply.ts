import type { Completion } from '../../../../model/port.ts';
import { invalidReply, type Vendor } from '../../../upstream/vendor.ts';
import { AnswerParts } from '../../../upstream/whole-stream.ts';
import { AnswerReader } from './answer-reader.ts';

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
