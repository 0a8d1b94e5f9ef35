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

/** What tells the items of an answer apart: llama.cpp gives no place in the output (findings/llamacpp-responses.sh). */
function placeOf({ output_index: index, item_id: id, item }: Item): unknown {
  return index ?? id ?? (isObject(item) ? item['id'] : undefined);
}

/**
 * Decodes the events of a response. The answer is complete with `response.completed` or `response.incomplete`, and only
 * then. Events that tell again what pieces have told are skipped, and so are those of tools that run at the vendor.
 * @param json whether the answer is to be JSON: what the model says on the way to it is none of it
 */
export function createResponsesDecoder(vendor: Vendor, model: string, json = false): StreamDecoder {
  return new Decoder(vendor, model, json);
}

class Decoder implements StreamDecoder {
  readonly #vendor: Vendor;
  readonly #model: string;
  readonly #calls: ToolCallCollector;
  /** Items of which pieces have come, by their index: what their end tells again is not passed on. */
  readonly #told = new Set<unknown>();
  #refused = false;
  /** Whether an item has come before the whole response. */
  #begun = false;

  readonly #json: boolean;
  /** Items that are no part of the answer, by their index. */
  readonly #comments = new Set<unknown>();

  constructor(vendor: Vendor, model: string, json: boolean) {
    this.#vendor = vendor;
    this.#json = json;
    this.#model = model;
    this.#calls = new ToolCallCollector(vendor);
  }

  completed(): void {
    // Nothing but its last event completes it.
  }

  take(
    { data, event: name }: { readonly data: string; readonly event?: string | undefined },
    emit: Emit,
  ): void {
    // Some servers end like Chat does.
    if (data === '[DONE]')
      throw interrupted(this.#vendor, new Error('[DONE] came without a completed response.'));
    const event = parseJson(this.#vendor, data, 'an event');
    if (!isObject(event)) throw invalidReply(this.#vendor, 'an event that is no object', data);
    const type = event['type'] ?? name;
    // No event has an error beside its type but this one; servers that speak like OpenAI leave the type out.
    const error = errorIn(event) ?? (type === 'error' ? event : undefined);
    if (error !== undefined) throw errorOfObject(this.#vendor, this.#model, error);
    this.#event(type, event, emit);
  }

  #event(type: unknown, event: Item, emit: Emit): void {
    const index = placeOf(event);
    switch (type) {
      case 'response.output_text.delta':
        this.#say('delta', index, textIn(this.#vendor, event['delta']), emit);
        break;
      case 'response.refusal.delta':
        this.#say('refusal_delta', index, textIn(this.#vendor, event['delta']), emit);
        break;
      case 'response.output_text.annotation.added':
        for (const citation of citationOf(event['annotation'])) emit({ type: 'citation', citation });
        break;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.#say('thinking_delta', index, textIn(this.#vendor, event['delta']), emit);
        break;
      case 'response.reasoning_summary_part.added':
        // Parts of a summary are paragraphs.
        if ((count(event['summary_index']) ?? 0) > 0) this.#say('thinking_delta', index, '\n\n', emit);
        break;
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        this.#calls.take(
          index,
          { arguments: event['delta'], custom: type.startsWith('response.custom') },
          emit,
        );
        this.#told.add(index);
        break;
      case 'response.function_call_arguments.done':
        if (this.#told.has(index)) break;
        this.#calls.take(index, { arguments: event['arguments'] }, emit);
        this.#told.add(index);
        break;
      case 'response.output_item.added':
        this.#begin(index, event['item'], emit);
        break;
      case 'response.output_item.done':
        this.#end(index, event['item'], emit);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.#complete(type.slice('response.'.length), event['response'], emit);
        break;
    }
  }

  #say(
    type: 'delta' | 'refusal_delta' | 'thinking_delta',
    index: unknown,
    content: string,
    emit: Emit,
  ): void {
    if (content === '' || this.#comments.has(index)) return;
    if (type === 'refusal_delta') this.#refused = true;
    this.#told.add(index);
    emit({ type, content });
  }

  #begin(index: unknown, item: unknown, emit: Emit): void {
    if (!isObject(item)) throw invalidReply(this.#vendor, 'an item that is none', item);
    // Arguments come in pieces; what is already here is told again at the end.
    if (isCall(item)) this.#calls.take(index, { ...pieceOf(item), arguments: '' }, emit);
    if (this.#json && isComment(item)) this.#comments.add(index);
    this.#begun = true;
  }

  #end(index: unknown, item: unknown, emit: Emit): void {
    if (!isObject(item)) throw invalidReply(this.#vendor, 'an item that is none', item);
    this.#begun = true;
    if (this.#json && isComment(item)) this.#comments.add(index);
    if (isCall(item)) {
      const piece = pieceOf(item);
      this.#calls.take(index, this.#told.has(index) ? { ...piece, arguments: '' } : piece, emit);
      this.#calls.complete(index, emit);
    } else if (item['type'] === 'reasoning') {
      emit({ type: 'thinking', part: thinkingPart(this.#vendor, this.#model, item) });
    } else if (item['type'] === 'message' && !this.#told.has(index)) {
      for (const part of contentIn(this.#vendor, item)) {
        const type = part['type'] === 'refusal' ? 'refusal_delta' : 'delta';
        for (const said of partOf(this.#vendor, part))
          if ('text' in said) this.#say(type, index, said.text, emit);
      }
    }
  }

  #complete(status: string, response: unknown, emit: Emit): void {
    const items: unknown = isObject(response) ? response['output'] : null;
    if (!this.#begun && this.#told.size === 0 && Array.isArray(items))
      for (const [index, item] of items.entries()) this.#end(index, item, emit);
    const callsTools = this.#calls.size > 0;
    const ending = endingOf(this.#vendor, this.#model, status, response, this.#refused, callsTools);
    this.#calls.all(emit);
    emit({ type: 'end', ...ending });
  }
}
