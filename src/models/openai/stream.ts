import type { ChatCompletionChunk } from 'openai/resources/chat/completions/completions';
import { isObject } from '../../lib/is-object.ts';
import type { CompletionEvent, VendorUsage } from '../port.ts';
import type { StreamDecoder } from '../wire/completion-stream.ts';
import { ToolCallCollector, type ToolCallPiece } from '../wire/tool-calls.ts';
import { count, type Untrusted } from '../wire/untrusted.ts';
import { interrupted, invalidReply, parseJson, type Vendor } from '../wire/vendor.ts';
import { errorIn, errorOfObject } from '../wire/vendor-errors.ts';
import { citationsIn } from './citations.ts';
import { callsIn, firstChoice, pieceOf, reasonIn, reasonsOf, textIn } from './reply.ts';
import { TextChunks, textAlone } from './text-chunks.ts';
import { ThinkingCollector, thinkingIn } from './thinking-in.ts';
import { laterUsage, usageIn } from './usage.ts';

/**
 * Decodes chat completion chunks. The answer is complete when a chunk has named a `finish_reason`; `[DONE]` only says
 * that nothing more follows, such as the usage, which vendors send in a chunk of its own, with the finish or with
 * every chunk.
 * @param wrapped names of the custom tools that the vendor was shown as functions
 */
export function createOpenAiDecoder(
  vendor: Vendor,
  model: string,
  wrapped?: ReadonlySet<string>,
): StreamDecoder {
  let finish: string | null = null;
  let refused = false;
  let usage: VendorUsage = null;

  let thinking: ThinkingCollector | null = null;
  let calls: ToolCallCollector | null = null;
  let lastKey: unknown = null;
  const texts = new TextChunks();

  const completed = (): CompletionEvent | null =>
    finish === null ? null : { type: 'end', ...reasonsOf(finish, refused, calls !== null), usage };

  /** The call that is the last at an index: Ollama gives all calls of an answer the same. */
  const lastAt = new Map<unknown, { readonly key: unknown; readonly id: unknown }>();
  const keyAt = (index: unknown, { id, name }: ToolCallPiece, gathered: ToolCallCollector): unknown => {
    const last = lastAt.get(index);
    const another = last && id && name && last.id !== id;
    if (last && !another) return last.key;
    const key = last ? `call ${gathered.size}` : index;
    lastAt.set(index, { key, id });
    return key;
  };

  /**
   * Pieces go together by `index`, but for one that names another call than that which has it. Where that is missing (Gemini), one with an id of its own begins a call and one
   * without goes on with the last.
   */
  const takeCall = (received: unknown, emit: (event: CompletionEvent) => void) => {
    calls ??= new ToolCallCollector(vendor, wrapped);
    const piece = pieceOf(vendor, received);
    const index: unknown = (received as Untrusted<{ index: number }>)?.index;
    if (index != null && count(index) === null)
      throw invalidReply(vendor, 'a call of a tool at an index that is none', received);
    const key =
      index == null
        ? piece.id || lastKey === null
          ? `call ${calls.size}`
          : lastKey
        : keyAt(index, piece, calls);
    lastKey = key;
    calls.take(key, piece, emit);
  };

  /** What is said, or called, ends what was thought before it. */
  const endThinking = (emit: (event: CompletionEvent) => void) => {
    const part = thinking?.end();
    if (part) emit({ type: 'thinking', part });
  };

  return {
    completed,
    take({ data, event }, emit) {
      const text = event === undefined ? texts.textOf(data) : null;
      if (text !== null) {
        if (text === '') return;
        endThinking(emit);
        return emit({ type: 'delta', content: text });
      }
      if (data === '[DONE]') {
        const end = completed();
        if (!end) throw interrupted(vendor, new Error('[DONE] came without a finish_reason.'));
        calls?.all(emit);
        return emit(end);
      }
      const chunk = parseJson(vendor, data, 'an event') as Untrusted<ChatCompletionChunk>;
      const error = errorIn(chunk) ?? (event === 'error' ? (chunk ?? data) : undefined);
      if (error !== undefined) throw errorOfObject(vendor, model, error);

      if (!isObject(chunk)) throw invalidReply(vendor, 'an event that is no object', data);

      const choice = firstChoice(vendor, chunk);
      const delta = choice?.delta ?? {};
      if (!isObject(delta)) throw invalidReply(vendor, 'a piece of an answer that is none', chunk);
      const thought = thinkingIn(vendor, delta);
      const content = textIn(vendor, delta.content);
      const refusal = textIn(vendor, delta.refusal);
      const pieces = callsIn(vendor, delta.tool_calls);
      const reason = reasonIn(vendor, choice?.finish_reason);
      if (thought) {
        thinking ??= new ThinkingCollector(vendor, model);
        thinking.take(thought);
        emit({ type: 'thinking_delta', content: thought.text });
      }
      if (content || refusal || pieces.length > 0 || reason !== null) endThinking(emit);
      if (content) emit({ type: 'delta', content });
      for (const citation of citationsIn(delta)) emit({ type: 'citation', citation });
      if (refusal) {
        refused = true;
        emit({ type: 'refusal_delta', content: refusal });
      }
      for (const call of pieces) takeCall(call, emit);
      if (reason === 'error') throw errorOfObject(vendor, model, choice);
      if (reason !== null) {
        finish = reason;
        calls?.all(emit);
      }
      usage = laterUsage(usage, usageIn(chunk));
      if (event === undefined && content && textAlone(chunk) === content)
        texts.learn(data, content, (chunk as { readonly obfuscation?: unknown }).obfuscation);
    },
  };
}
