import type { ToolCallEvent } from '../../../../model/port.ts';
import type { Output, Place } from './event-writer.ts';
import { type CallHead, callItem, extraContentItem, type ItemStatus, mayBeCut } from './items.ts';
import type { ToolNames } from './read-tools.ts';

type Delta = Extract<ToolCallEvent, { type: 'tool_call_delta' }>;
type Whole = Extract<ToolCallEvent, { type: 'tool_call' }>;

interface OpenCall {
  readonly place: Place;
  readonly custom: boolean;
  /** Whether it is a search for tools, whose item comes whole. */
  readonly searches: boolean;
  /** Characters of the input or the arguments that have been written. */
  written: number;
}

/** Writes calls of tools. Pieces of several calls may take turns. */
export class CallWriter {
  readonly #output: Output;
  readonly #names: ToolNames;
  readonly #customTools: ReadonlySet<string>;
  readonly #open = new Map<number, OpenCall>();
  #waiting: Whole | null = null;

  constructor(output: Output, names: ToolNames, customTools: ReadonlySet<string>) {
    this.#output = output;
    this.#names = names;
    this.#customTools = customTools;
  }

  delta(event: Delta): string {
    const { call, added } = this.#opened(event.index, event);
    // The text in the arguments of a function cannot be told from half of its JSON.
    if (call.searches || (call.custom && !event.custom)) return added;
    return added + this.#piece(call, event.arguments);
  }

  /** A call that may turn out to be cut off waits for what comes next. */
  whole(event: Whole): string {
    if (!mayBeCut(event.toolCall)) return this.#write(event, 'completed');
    this.#waiting = event;
    return '';
  }

  /** Ends the call that waits. @param complete whether the answer goes on, or is complete with it */
  end(complete: boolean): string {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting ? this.#write(waiting, complete ? 'completed' : 'incomplete') : '';
  }

  #write({ index, toolCall }: Whole, status: ItemStatus): string {
    const { events } = this.#output;
    const { call, added } = this.#opened(index, toolCall);
    this.#open.delete(index);
    const { id, index: output_index } = call.place;
    const item = callItem(id, toolCall, call.custom, this.#names, status);
    if (item.type === 'tool_search_call')
      return added + this.#output.done(call.place, item) + this.#extraContent(toolCall);
    const text = item.type === 'function_call' ? item.arguments : item.input;
    const rest = this.#piece(call, text.slice(call.written));
    const at = { item_id: id, output_index };
    const done =
      item.type === 'function_call'
        ? events.event('response.function_call_arguments.done', {
            ...at,
            // The SDK for Python expects the name here.
            ...{ name: item.name },
            arguments: text,
          })
        : events.event('response.custom_tool_call_input.done', { ...at, input: text });
    return added + rest + done + this.#output.done(call.place, item) + this.#extraContent(toolCall);
  }

  #opened(index: number, head: CallHead): { readonly call: OpenCall; readonly added: string } {
    const known = this.#open.get(index);
    if (known) return { call: known, added: '' };
    const searches = head.name === this.#names.search;
    const custom = head.custom === true || this.#customTools.has(head.name);
    const place = this.#output.open(searches ? 'tsc' : custom ? 'ctc' : 'fc');
    const call: OpenCall = { place, custom, searches, written: 0 };
    this.#open.set(index, call);
    const item = callItem(place.id, { ...head, arguments: '' }, custom, this.#names, 'in_progress');
    return { call, added: this.#output.added(place, item) };
  }

  #piece(call: OpenCall, delta: string): string {
    if (delta === '') return '';
    call.written += delta.length;
    const fields = { item_id: call.place.id, output_index: call.place.index, delta };
    return call.custom
      ? this.#output.events.event('response.custom_tool_call_input.delta', fields)
      : this.#output.events.event('response.function_call_arguments.delta', fields);
  }

  #extraContent(toolCall: Whole['toolCall']): string {
    if (!toolCall.extraContent) return '';
    const place = this.#output.open('rs');
    const item = extraContentItem(place.id, toolCall);
    return this.#output.added(place, { ...item, status: 'in_progress' }) + this.#output.done(place, item);
  }
}
