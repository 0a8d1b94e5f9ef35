import type { ResponseOutputItem } from 'openai/resources/responses/responses';
import type { Citation, SealedThinking, ThinkingPart } from '../../../../model/parts.ts';
import type { Completion, CompletionEvent, ToolCallEvent } from '../../../../model/port.ts';
import type { EventWriter, Fields, ItemEventType } from './event-writer.ts';
import {
  type Annotation,
  annotationOf,
  type CallHead,
  callItem,
  contentOf,
  extraContentItem,
  type ItemStatus,
  type MessageContent,
  mayBeCut,
  messageItem,
  reasoningItem,
} from './items.ts';
import type { ToolNames } from './read-tools.ts';

type WholeCall = Extract<ToolCallEvent, { type: 'tool_call' }>;

/** How the client names its tools, and which of them take a text, by their names in the call. */
export interface ClientTools {
  readonly names: ToolNames;
  readonly customTools: ReadonlySet<string>;
}

/** An item's `output_index` and id. */
interface Place {
  readonly index: number;
  readonly id: string;
}

interface OpenMessage {
  readonly place: Place;
  readonly content: MessageContent[];
  part: { readonly type: MessageContent['type']; text: string; readonly annotations: Annotation[] } | null;
}

interface OpenReasoning {
  readonly place: Place;
  text: string;
}

interface OpenCall {
  readonly place: Place;
  readonly custom: boolean;
  /** Whether it is a search for tools, whose item comes whole. */
  readonly searches: boolean;
  /** Characters of the input or the arguments that have been written. */
  written: number;
}

/**
 * Writes the items of an answer, and their events. Texts and refusals that follow each other are one message; thinking is
 * an item of reasoning with one summary, the part that may be shown; pieces of several calls may take turns.
 * @param id of the answer, for those of its items
 * @param events null: none are wanted
 */
export function itemWriter(id: string, { names, customTools }: ClientTools, events: EventWriter | null) {
  const items: (ResponseOutputItem | null)[] = [];
  let written = '';
  let message: OpenMessage | null = null;
  let refused = false;
  let reasoning: OpenReasoning | null = null;
  const calls = new Map<number, OpenCall>();
  /** A call that may turn out to be cut off. */
  let waiting: WholeCall | null = null;

  const event = <Type extends ItemEventType>(type: Type, fields: Fields<Type>) => {
    if (events) written += events.event(type, fields);
  };

  const open = (prefix: string, itemOf: (id: string) => ResponseOutputItem): Place => {
    const index = items.push(null) - 1;
    const place = { index, id: `${prefix}_${id}_${index}` };
    event('response.output_item.added', { output_index: index, item: itemOf(place.id) });
    return place;
  };

  const done = ({ index }: Place, item: ResponseOutputItem) => {
    items[index] = item;
    event('response.output_item.done', { output_index: index, item });
  };

  const inMessage = ({ place, content }: OpenMessage) => ({
    item_id: place.id,
    output_index: place.index,
    content_index: content.length,
  });

  const endPart = () => {
    if (!message?.part) return;
    const at = inMessage(message);
    const part = contentOf(message.part);
    if (part.type === 'refusal') event('response.refusal.done', { ...at, refusal: part.refusal });
    else event('response.output_text.done', { ...at, text: part.text, logprobs: [] });
    event('response.content_part.done', { ...at, part });
    message.content.push(part);
    message.part = null;
  };

  /** The open part of a message for content of this type, and its place. */
  const partOf = (type: MessageContent['type']) => {
    message ??= { place: open('msg', (id) => messageItem(id, [], 'in_progress')), content: [], part: null };
    if (message.part?.type !== type) {
      endPart();
      message.part = { type, text: '', annotations: [] };
      event('response.content_part.added', { ...inMessage(message), part: contentOf(message.part) });
    }
    return { part: message.part, at: inMessage(message) };
  };

  const text = (delta: string) => {
    const { part, at } = partOf('output_text');
    part.text += delta;
    event('response.output_text.delta', { ...at, delta, logprobs: [] });
  };

  const refusal = (delta: string) => {
    refused = true;
    const { part, at } = partOf('refusal');
    part.text += delta;
    event('response.refusal.delta', { ...at, delta });
  };

  const cite = (citation: Citation) => {
    if (citation.url === undefined) return;
    const { part, at } = partOf('output_text');
    for (const annotation of annotationOf(citation, part.text.length)) {
      const annotation_index = part.annotations.push(annotation) - 1;
      event('response.output_text.annotation.added', { ...at, annotation_index, annotation });
    }
  };

  const endMessage = (complete = true) => {
    endPart();
    if (message) done(message.place, messageItem(message.place.id, message.content, statusIf(complete)));
    message = null;
  };

  const openReasoning = (): OpenReasoning => {
    const empty = { text: '', sealed: null };
    return { place: open('rs', (id) => reasoningItem(id, empty, 'in_progress')), text: '' };
  };

  const inSummary = ({ index, id }: Place) => ({ item_id: id, output_index: index, summary_index: 0 });

  const think = (delta: string) => {
    if (delta === '') return;
    reasoning ??= openReasoning();
    const at = inSummary(reasoning.place);
    const part = { type: 'summary_text', text: '' } as const;
    if (reasoning.text === '') event('response.reasoning_summary_part.added', { ...at, part });
    reasoning.text += delta;
    event('response.reasoning_summary_text.delta', { ...at, delta });
  };

  const endReasoning = (sealed: SealedThinking | null = null) => {
    if (!reasoning) return;
    const { place, text } = reasoning;
    reasoning = null;
    if (text !== '') {
      const at = inSummary(place);
      event('response.reasoning_summary_text.done', { ...at, text });
      event('response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text } });
    }
    done(place, reasoningItem(place.id, { text, sealed }, 'completed'));
  };

  const endThinking = (part: ThinkingPart) => {
    if (!reasoning?.text) think(part.text);
    if (part.sealed) reasoning ??= openReasoning();
    endReasoning(part.sealed);
  };

  const callAt = (index: number, head: CallHead): OpenCall => {
    const known = calls.get(index);
    if (known) return known;
    const searches = head.name === names.search;
    const custom = head.custom === true || customTools.has(head.name);
    const begun = { ...head, arguments: '' };
    const place = open(searches ? 'tsc' : custom ? 'ctc' : 'fc', (id) =>
      callItem(id, begun, custom, names, 'in_progress'),
    );
    const call = { place, custom, searches, written: 0 };
    calls.set(index, call);
    return call;
  };

  const pieceOf = (call: OpenCall, delta: string) => {
    if (delta === '') return;
    call.written += delta.length;
    const fields = { item_id: call.place.id, output_index: call.place.index, delta };
    if (call.custom) event('response.custom_tool_call_input.delta', fields);
    else event('response.function_call_arguments.delta', fields);
  };

  const callDelta = ({ index, ...head }: Extract<ToolCallEvent, { type: 'tool_call_delta' }>) => {
    const call = callAt(index, head);
    // The text in the arguments of a function cannot be read from half of its JSON.
    if (!call.searches && (!call.custom || head.custom)) pieceOf(call, head.arguments);
  };

  const endCall = ({ index, toolCall }: WholeCall, status: ItemStatus) => {
    const call = callAt(index, toolCall);
    calls.delete(index);
    const { place, custom } = call;
    const item = callItem(place.id, toolCall, custom, names, status);
    if (item.type !== 'tool_search_call') {
      const whole = item.type === 'function_call' ? item.arguments : item.input;
      pieceOf(call, whole.slice(call.written));
      const at = { item_id: place.id, output_index: place.index };
      if (item.type === 'function_call') {
        // The SDK for Python expects the name here.
        const named = { name: item.name, arguments: whole };
        event('response.function_call_arguments.done', { ...at, ...named });
      } else event('response.custom_tool_call_input.done', { ...at, input: whole });
    }
    done(place, item);
    if (!toolCall.extraContent) return;
    const extra = (id: string, status: ItemStatus) => ({ ...extraContentItem(id, toolCall), status });
    const behind = open('rs', (id) => extra(id, 'in_progress'));
    done(behind, extra(behind.id, 'completed'));
  };

  /** Ends the call that waits. @param complete whether the answer goes on, or is complete with it */
  const endWaiting = (complete = true) => {
    const ended = waiting;
    waiting = null;
    if (ended) endCall(ended, statusIf(complete));
  };

  const wholeCall = (call: WholeCall) => {
    if (mayBeCut(call.toolCall)) waiting = call;
    else endCall(call, 'completed');
  };

  return {
    /** Those that are complete. */
    get items(): ResponseOutputItem[] {
      return items.filter((item) => item !== null);
    },
    /** Whether the model has refused in words. */
    get refused(): boolean {
      return refused;
    },
    /** The text written since the last call. */
    flush(): string {
      const text = written;
      written = '';
      return text;
    },
    take(event: Exclude<CompletionEvent, { type: 'end' }>) {
      endWaiting();
      if (event.type === 'thinking_delta' || event.type === 'thinking') {
        endMessage();
        if (event.type === 'thinking') endThinking(event.part);
        else think(event.content);
        return;
      }
      endReasoning();
      if (event.type === 'citation') cite(event.citation);
      else if (event.type === 'delta' || event.type === 'refusal_delta') {
        if (event.content !== '') (event.type === 'delta' ? text : refusal)(event.content);
      } else {
        endMessage();
        if (event.type === 'tool_call') wholeCall(event);
        else callDelta(event);
      }
    },
    /** The parts of a whole answer, each as it is. */
    takeAll(parts: Completion['parts']) {
      for (const [index, part] of parts.entries()) {
        endWaiting();
        if (part.type === 'text' || part.type === 'refusal') {
          endPart();
          (part.type === 'text' ? text : refusal)(part.text);
          for (const citation of (part.type === 'text' && part.citations) || []) cite(citation);
          continue;
        }
        endMessage();
        if (part.type === 'tool_call') wholeCall({ type: 'tool_call', index, toolCall: part });
        else {
          reasoning = openReasoning();
          endThinking(part);
        }
      }
    },
    end(complete: boolean) {
      endReasoning();
      endMessage(complete);
      endWaiting(complete);
    },
    endWaiting,
  };
}

const statusIf = (complete: boolean): ItemStatus => (complete ? 'completed' : 'incomplete');
