import type {
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseOutputRefusal,
  ResponseOutputText,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses';
import type { Citation, ThinkingPart, ToolCallPart } from '../../../../model/parts.ts';
import { isWholeObject, unwrappedInput } from '../../../upstream/tool-calls.ts';
import { wrapped, wrapThinking } from '../../envelope.ts';
import type { ToolNames } from './read-tools.ts';

/** The items of an answer, in the form of OpenAI's SDK types (`ResponseOutputItem`). */

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';
export type MessageContent = ResponseOutputText | ResponseOutputRefusal;
export type Annotation = ResponseOutputText['annotations'][number];

export function messageItem(
  id: string,
  content: MessageContent[],
  status: ItemStatus,
): ResponseOutputMessage {
  return { id, type: 'message', status, content, role: 'assistant' };
}

/** A text, with what it rests on, or a refusal. */
export function contentOf(part: {
  readonly type: MessageContent['type'];
  readonly text: string;
  readonly annotations: Annotation[];
}): MessageContent {
  const { type, text, annotations } = part;
  return type === 'refusal' ? { type, refusal: text } : { type, annotations, logprobs: [], text };
}

/** This wire can cite addresses only. The citation spans the whole text, of so many characters, if the vendor names no place. */
export function annotationOf({ url, title, start, end }: Citation, length: number): Annotation[] {
  if (url === undefined) return [];
  return [
    { type: 'url_citation', url, title: title ?? url, start_index: start ?? 0, end_index: end ?? length },
  ];
}

/** Thinking that may be shown is in its summary, sealed thinking in `encrypted_content`. */
export function reasoningItem(
  id: string,
  { text, sealed }: Pick<ThinkingPart, 'text' | 'sealed'>,
  status: ItemStatus,
): ResponseReasoningItem {
  return {
    id,
    type: 'reasoning',
    status,
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(sealed && { encrypted_content: wrapThinking(sealed) }),
  };
}

/** Data that the vendor needs back with a call, in the one item with a field for opaque data. */
export function extraContentItem(
  id: string,
  { id: callId, extraContent }: ToolCallPart,
): ResponseReasoningItem {
  const encrypted = wrapped({ calls: { [callId]: extraContent } });
  return { id, type: 'reasoning', status: 'completed', summary: [], encrypted_content: encrypted };
}

export type CallItem = Extract<
  ResponseOutputItem,
  { type: 'function_call' | 'custom_tool_call' | 'tool_search_call' }
> & { readonly id: string };

/** The fields of a call that are known at its beginning; its arguments may still be missing. */
export type CallHead = Pick<ToolCallPart, 'id' | 'name' | 'arguments' | 'custom'>;

export function callItem(
  id: string,
  call: CallHead,
  custom: boolean,
  names: ToolNames,
  status: ItemStatus,
): CallItem {
  if (call.name === names.search) {
    const search = {
      call_id: call.id,
      execution: 'client',
      arguments: searchArguments(call.arguments),
    } as const;
    return { id, type: 'tool_search_call', status, ...search };
  }
  const { name, namespace } = names.original(call.name);
  const where = { call_id: call.id, name, ...(namespace !== undefined && { namespace }) };
  if (!custom) return { id, type: 'function_call', status, arguments: call.arguments, ...where };
  const item: CallItem & { readonly status: ItemStatus } = {
    id,
    type: 'custom_tool_call',
    status,
    // A vendor that knows functions only gives the text as an argument.
    input: call.custom || call.arguments === '' ? call.arguments : unwrappedInput(call.arguments),
    ...where,
  };
  return item;
}

/** Whether a call may be what an incomplete answer breaks off in: a text of a custom tool does not say. */
export function mayBeCut({ custom, arguments: text }: CallHead): boolean {
  return custom === true || !isWholeObject(text);
}

/** The arguments of a search are a value on this wire; text that is no JSON is for the client to refuse. */
function searchArguments(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return { query: text };
  }
}
