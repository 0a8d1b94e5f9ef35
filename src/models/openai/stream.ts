import type { ChatCompletionChunk } from 'openai/resources/chat/completions/completions';
import type { CompletionEvent, VendorUsage } from '../port.ts';
import type { StreamDecoder } from '../wire/completion-stream.ts';
import { ToolCallCollector } from '../wire/tool-calls.ts';
import type { Untrusted } from '../wire/untrusted.ts';
import { interrupted, invalidReply, type Vendor } from '../wire/vendor.ts';
import { errorIn, errorOfObject } from '../wire/vendor-errors.ts';
import { finishReasonOf, pieceOf, readUsage, textOf } from './reply.ts';

/**
 * Decodes chat completion chunks. The answer is complete when a chunk has named a `finish_reason`; `[DONE]` only says
 * that nothing more follows, such as the usage, which vendors send in a chunk of its own, with the finish or with
 * every chunk.
 */
export function createOpenAiDecoder(vendor: Vendor, model: string): StreamDecoder {
  let finish: unknown = null;
  let refused = false;
  let usage: VendorUsage = null;

  let calls: ToolCallCollector | null = null;
  let lastKey: unknown = null;

  const completed = (): CompletionEvent | null =>
    finish === null
      ? null
      : { type: 'end', finishReason: finishReasonOf(finish, refused, calls !== null), usage };

  /**
   * Pieces go together by `index`. Where that is missing (Gemini), one with an id of its own begins a call and one
   * without goes on with the last.
   */
  const takeCall = (received: unknown, emit: (event: CompletionEvent) => void) => {
    calls ??= new ToolCallCollector(vendor);
    const index: unknown = (received as Untrusted<{ index: number }>)?.index;
    const piece = pieceOf(received);
    let key = index;
    if (typeof index !== 'number') key = piece.id || lastKey === null ? `call ${calls.size}` : lastKey;
    lastKey = key;
    calls.take(key, piece, emit);
  };

  return {
    completed,
    take({ data, event }, emit) {
      if (data === '[DONE]') {
        const end = completed();
        if (!end) throw interrupted(vendor, new Error('[DONE] came without a finish_reason.'));
        return emit(end);
      }
      const chunk = parse(vendor, data);
      const error = errorIn(chunk) ?? (event === 'error' ? (chunk ?? data) : undefined);
      if (error !== undefined) throw errorOfObject(vendor, model, error);

      const choice = chunk?.choices?.[0];
      const delta = choice?.delta;
      const refusal = textOf(delta?.refusal);
      if (refusal) refused = true;
      const content = textOf(delta?.content) + refusal;
      if (content) emit({ type: 'delta', content });
      if (Array.isArray(delta?.tool_calls)) for (const call of delta.tool_calls) takeCall(call, emit);
      if (choice?.finish_reason === 'error') throw errorOfObject(vendor, model, choice);
      if (choice?.finish_reason != null) {
        finish = choice.finish_reason;
        calls?.all(emit);
      }
      usage = readUsage(chunk?.usage) ?? usage;
    },
  };
}

function parse(vendor: Vendor, data: string): Untrusted<ChatCompletionChunk> {
  try {
    return JSON.parse(data);
  } catch {
    throw invalidReply(vendor, 'an event that is not valid JSON', data);
  }
}
