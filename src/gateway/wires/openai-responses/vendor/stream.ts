import { isObject } from '../../../../lib/json.ts';
import type { CompletionEvent } from '../../../../model/port.ts';
import { count } from '../../../../model/usage.ts';
import type { StreamDecoder } from '../../../upstream/completion-stream.ts';
import { errorIn } from '../../../upstream/endings.ts';
import { ToolCallCollector } from '../../../upstream/tool-calls.ts';
import { interrupted, invalidReply, parseJson, type Vendor } from '../../../upstream/vendor.ts';
import { errorOfObject } from '../../../upstream/vendor-errors.ts';
import {
  citationOf,
  contentIn,
  endingOf,
  type Item,
  isCall,
  isComment,
  partOf,
  pieceOf,
  textIn,
  thinkingPart,
} from './reply.ts';

type Emit = (event: CompletionEvent) => void;

/** The key of an item of an answer: llama.cpp gives no place in the output (findings/llamacpp-responses.sh). */
function placeOf({ output_index: index, item_id: id, item }: Item): unknown {
  return index ?? id ?? (isObject(item) ? item['id'] : undefined);
}

/**
 * Decodes the events of a response. The answer is complete with `response.completed` or `response.incomplete`, and only
 * then. Events that repeat earlier pieces are skipped, and so are those of tools that run at the vendor.
 * @param json whether the answer is to be JSON: the model's text on the way to it is not part of it
 */
export function createResponsesDecoder(vendor: Vendor, model: string, json = false): StreamDecoder {
  const calls = new ToolCallCollector(vendor);
  /** Items of which pieces have come, by their index: the repetition at their end is not passed on. */
  const emitted = new Set<unknown>();
  /** Items that are no part of the answer, by their index. */
  const comments = new Set<unknown>();
  let refused = false;
  /** Whether an item has come before the whole response. */
  let begun = false;

  const say = (
    type: 'delta' | 'refusal_delta' | 'thinking_delta',
    index: unknown,
    content: string,
    emit: Emit,
  ) => {
    if (content === '' || comments.has(index)) return;
    if (type === 'refusal_delta') refused = true;
    emitted.add(index);
    emit({ type, content });
  };

  const itemOf = (index: unknown, item: unknown): Item => {
    if (!isObject(item)) throw invalidReply(vendor, 'an item that is none', item);
    begun = true;
    if (json && isComment(item)) comments.add(index);
    return item;
  };

  const end = (index: unknown, received: unknown, emit: Emit) => {
    const item = itemOf(index, received);
    if (isCall(item)) {
      const piece = pieceOf(item);
      calls.take(index, emitted.has(index) ? { ...piece, arguments: '' } : piece, emit);
      calls.complete(index, emit);
    } else if (item['type'] === 'reasoning') {
      emit({ type: 'thinking', part: thinkingPart(vendor, model, item) });
    } else if (item['type'] === 'message' && !emitted.has(index)) {
      for (const part of contentIn(vendor, item)) {
        const type = part['type'] === 'refusal' ? 'refusal_delta' : 'delta';
        for (const said of partOf(vendor, part)) if ('text' in said) say(type, index, said.text, emit);
      }
    }
  };

  const complete = (status: string, response: unknown, emit: Emit) => {
    const items: unknown = isObject(response) ? response['output'] : null;
    if (!begun && emitted.size === 0 && Array.isArray(items))
      for (const [index, item] of items.entries()) end(index, item, emit);
    const ending = endingOf(vendor, model, status, response, refused, calls.size > 0);
    calls.all(emit);
    emit({ type: 'end', ...ending });
  };

  const takeEvent = (type: unknown, event: Item, emit: Emit) => {
    const index = placeOf(event);
    switch (type) {
      case 'response.output_text.delta':
        return say('delta', index, textIn(vendor, event['delta']), emit);
      case 'response.refusal.delta':
        return say('refusal_delta', index, textIn(vendor, event['delta']), emit);
      case 'response.output_text.annotation.added':
        for (const citation of citationOf(event['annotation'])) emit({ type: 'citation', citation });
        return;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return say('thinking_delta', index, textIn(vendor, event['delta']), emit);
      case 'response.reasoning_summary_part.added':
        // Parts of a summary are paragraphs.
        if ((count(event['summary_index']) ?? 0) > 0) say('thinking_delta', index, '\n\n', emit);
        return;
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta': {
        const custom = type.startsWith('response.custom');
        calls.take(index, { arguments: event['delta'], custom }, emit);
        emitted.add(index);
        return;
      }
      case 'response.function_call_arguments.done':
        if (emitted.has(index)) return;
        calls.take(index, { arguments: event['arguments'] }, emit);
        emitted.add(index);
        return;
      case 'response.output_item.added': {
        const item = itemOf(index, event['item']);
        // Arguments come in pieces; those that are already here are repeated at the end.
        if (isCall(item)) calls.take(index, { ...pieceOf(item), arguments: '' }, emit);
        return;
      }
      case 'response.output_item.done':
        return end(index, event['item'], emit);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return complete(type.slice('response.'.length), event['response'], emit);
    }
  };

  return {
    completed() {
      // Nothing but its last event completes it.
    },
    take({ data, event: name }, emit) {
      // Some servers end like Chat does.
      if (data === '[DONE]')
        throw interrupted(vendor, new Error('[DONE] came without a completed response.'));
      const event = parseJson(vendor, data, 'an event');
      if (!isObject(event)) throw invalidReply(vendor, 'an event that is no object', data);
      const type = event['type'] ?? name;
      // No event has an error beside its type but this one; servers that speak like OpenAI leave the type out.
      const error = errorIn(event) ?? (type === 'error' ? event : undefined);
      if (error !== undefined) throw errorOfObject(vendor, model, error);
      takeEvent(type, event, emit);
    },
  };
}
