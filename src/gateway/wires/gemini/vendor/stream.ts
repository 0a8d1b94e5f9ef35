import type { StreamDecoder } from '../../../upstream/completion-stream.ts';
import { parseJson, type Vendor } from '../../../upstream/vendor.ts';
import { errorIn, errorOfObject } from '../../../upstream/vendor-errors.ts';
import { AnswerReader } from './answer-reader.ts';

/**
 * Decodes the events of `streamGenerateContent?alt=sse`, each of which is a `GenerateContentResponse`. The answer is
 * complete when one has named a `finishReason` or blocked the prompt. There is no end mark, and the signature of the last
 * thought or the usage may still follow: the end is the end of the connection.
 */
export function createGeminiDecoder(
  vendor: Vendor,
  model: string,
  custom: ReadonlySet<string>,
): StreamDecoder {
  const reader = new AnswerReader(vendor, model, custom);
  return {
    completed(emit) {
      const { ending } = reader;
      if (ending) emit({ type: 'end', ...ending });
    },
    take({ data }, emit) {
      const chunk = parseJson(vendor, data, 'an event');
      const error = errorIn(chunk);
      if (error !== undefined) throw errorOfObject(vendor, model, error);
      reader.take(chunk, emit);
    },
  };
}
