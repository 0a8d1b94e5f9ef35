import type { ChatMessage, ToolCall } from '../../generated/types.gen.ts';
import type { ModelMessage, Part, ToolCallPart, ToolResultPart } from './parts.ts';
import type { AnswerPart, CompletionEvent, ModelTool } from './port.ts';

/** A message as the contract has it, but for its parts, which are read; that its fields go together has been checked. */
export interface ContractMessage extends Pick<ChatMessage, 'role' | 'tool_calls' | 'tool_call_id'> {
  readonly content?: string | null | readonly Part[];
}

/** The contract's messages in the internal form. */
export function messagesOf(messages: readonly ContractMessage[]): ModelMessage[] {
  return messages.map(messageOf);
}

/** A message of the contract in the internal form. */
export function messageOf({
  role,
  content,
  tool_calls: calls,
  tool_call_id: callId = '',
}: ContractMessage): ModelMessage {
  const said =
    typeof content === 'string' && content !== ''
      ? [{ type: 'text' as const, text: content }]
      : content || [];
  if (role === 'tool') {
    const shown = said as ToolResultPart['content'];
    return { role, content: [{ type: 'tool_result', callId, content: shown }] };
  }
  return { role, content: calls ? [...said, ...calls.map(toolCallPart)] : said };
}

/** A call of a tool as the contract has it, in the internal form. */
export function toolCallPart({ id, function: called, extra_content: extra }: ToolCall): ToolCallPart {
  return { type: 'tool_call', ...called, id, ...(extra && { extraContent: extra }) };
}

/** A call of a tool as the contract has it. */
export function toolCallOf({ id, name, arguments: json, extraContent: extra }: ToolCallPart): ToolCall {
  return {
    id,
    type: 'function',
    function: { name, arguments: json },
    ...(extra && { extra_content: { ...extra } }),
  };
}

/** The calls of tools in an answer, in its order. */
export function toolCallsOf(parts: readonly Part[]): ToolCall[] {
  return parts.flatMap((part) => (part.type === 'tool_call' ? [toolCallOf(part)] : []));
}

/** The text of an answer as the contract shows it: with a refusal, without thinking. */
export function contentOf(parts: readonly AnswerPart[]): string {
  let content = '';
  for (const part of parts) if (part.type === 'text' || part.type === 'refusal') content += part.text;
  return content;
}

/** The text of an event in the answer as the contract shows it; empty if it has none. */
export function shownIn(event: CompletionEvent): string {
  return event.type === 'delta' || event.type === 'refusal_delta' ? event.content : '';
}

/** The name of a tool. */
export function nameOf(tool: ModelTool): string {
  return tool.type === 'custom' ? tool.custom.name : tool.function.name;
}
